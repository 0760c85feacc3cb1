// Bootstraps of CKKS.

#include <array>
#include <cmath>

#include "keys_of_circuits.hpp"
#include "library.hpp"
#include "scheme/ckksrns/ckksrns-fhe.h"
#include "serialized.hpp"

namespace driver {
namespace {

using namespace lbcrypto;

struct BootstrapSet {
    const char* name;
    uint32_t scale_bits, first_bits;
    uint32_t digits;  // of a key switch
    // Levels left of the first modulus after a bootstrap, of which the next one takes one.
    uint32_t levels;
    // Memory of the whole process, as it was measured.
    double gigabytes;
};

constexpr uint32_t RING_DIMENSION = 1 << 16;
// Levels of the two transforms of a bootstrap.
const std::vector<uint32_t> LEVEL_BUDGET{3, 3};

// The scale of OpenFHE's examples, an encapsulated secret, and slots to coefficients first, which
// is faster and more precise than last. The ring is that of 2^16; of its 1747 bits of modulus for
// 128 bits of security, more digits leave more to levels, and their keys are larger.
constexpr std::array<BootstrapSet, 2> SETS{{
    {"n16_s59_l6", 59, 60, 5, 7, 14},
    {"n16_s59_l8", 59, 60, 9, 9, 21},
}};

Context make_context(const BootstrapSet& set) {
    CCParams<CryptoContextCKKSRNS> params;
    params.SetSecurityLevel(HEStd_NotSet);
    params.SetRingDim(RING_DIMENSION);
    params.SetSecretKeyDist(SPARSE_ENCAPSULATED);
    params.SetScalingModSize(set.scale_bits);
    params.SetFirstModSize(set.first_bits);
    params.SetScalingTechnique(FLEXIBLEAUTO);
    params.SetCKKSDataType(COMPLEX);
    params.SetNumLargeDigits(set.digits);
    params.SetMultiplicativeDepth(set.levels +
                                  FHECKKSRNS::GetBootstrapDepth(LEVEL_BUDGET, SPARSE_ENCAPSULATED));
    return enabled_for_bootstraps(GenCryptoContext(params));
}

class BootstrapSession : public Session {
public:
    explicit BootstrapSession(const BootstrapSet& set)
        : set_(set), keys_{make_context(set), RING_DIMENSION / 2} {}

    ~BootstrapSession() override { keys_.forget(); }

    json params() const override {
        auto reply           = describe_ring(keys_.context, set_.name);
        reply["levels"]      = set_.levels - 1;
        reply["depth"]       = set_.levels - 1;
        reply["slots"]       = keys_.slots;
        reply["scale_bits"]  = set_.scale_bits;
        reply["explanation"] = "scale of OpenFHE's examples, FLEXIBLEAUTO, encapsulated secret, "
                               "slots to coefficients first, level budget {3, 3}";
        return reply;
    }

    void generate_keys() override {
        require_memory(set_.gigabytes);
        if (!prepared_)
            keys_.context->EvalBootstrapSetup(LEVEL_BUDGET, {0, 0}, keys_.slots, 0, true, true);
        prepared_ = true;
        keys_.generate();
        keys_.generate_for_bootstraps();
    }

    void generate_rotation_keys(const std::vector<int32_t>&, bool) override {
        throw unsupported("a set for bootstraps is asked for bootstraps only");
    }

    json key_bytes() const override { return keys_.bytes(); }

    json published() const override { return keys_.published(); }

    Item encode(const json& values, const std::string& encoding) const override {
        check_encoding(encoding);
        if (!values.is_array() || values.size() % 2 != 0 || values.size() > 2 * keys_.slots)
            throw bad_request("`values` must be pairs, at most " + std::to_string(keys_.slots));
        const auto parts = values.get<std::vector<double>>();
        std::vector<std::complex<double>> slots(keys_.slots);
        for (size_t i = 0; i < parts.size() / 2; ++i)
            slots[i] = {parts[2 * i], parts[2 * i + 1]};
        return Encoded{keys_.context->MakeCKKSPackedPlaintext(slots, 1, spent(), nullptr,
                                                              keys_.slots),
                       values, encoding};
    }

    json decode(const Item& item, const std::string& encoding) const override {
        check_encoding(encoding);
        const auto plaintext = as<Encoded>(item, "a plaintext").plaintext;
        plaintext->SetLength(keys_.slots);
        std::vector<double> parts;
        for (const auto& slot : plaintext->GetCKKSPackedValue()) {
            parts.push_back(slot.real());
            parts.push_back(slot.imag());
        }
        return parts;
    }

    Item encrypt(const Item& clear, bool with_public_key, const json& level) const override {
        if (level != 0)
            throw unsupported("a set for bootstraps encrypts at level 0");
        const auto& plaintext = as<Encoded>(clear, "a plaintext").plaintext;
        const auto& secret    = keys_.secret();
        return with_public_key ? keys_.context->Encrypt(keys_.pair.publicKey, plaintext)
                               : keys_.context->Encrypt(secret, plaintext);
    }

    Item decrypt(const Item& item) const override {
        Plaintext plaintext;
        const auto& ciphertext = as<Cipher>(item, "a ciphertext");
        if (!keys_.context->Decrypt(keys_.secret(), ciphertext, &plaintext).isValid)
            throw Refusal("noise_exhausted", "OpenFHE found no plaintext");
        return Encoded{plaintext, nullptr, "complex"};
    }

    Call bind(const Operation& operation, const std::vector<Item>& inputs) const override {
        keys_.secret();
        if (operation.name != "bootstrap")
            throw unsupported("a set for bootstraps has no operation `" + operation.name + "`");
        if (inputs.size() != 1)
            throw bad_request("`bootstrap` takes one operand");
        return [context = keys_.context, x = as<Cipher>(inputs[0], "a ciphertext")]() -> Item {
            return context->EvalBootstrap(x);
        };
    }

    json ciphertext_bytes(const Item& item) const override { return lengths(item); }

    // Products that are left until the next bootstrap, which takes a level for itself.
    json level(const Item& item) const override {
        const auto* ciphertext = std::get_if<Cipher>(&item);
        if (ciphertext == nullptr)
            return nullptr;
        const auto used = (*ciphertext)->GetLevel() + (*ciphertext)->GetNoiseScaleDeg() - 1;
        return spent() - std::min<size_t>(used, spent());
    }

private:
    // Levels that a ciphertext has used when a bootstrap takes it.
    uint32_t spent() const {
        const auto primes = rns(keys_.context)->GetElementParams()->GetParams().size();
        return primes - 2 - LEVEL_BUDGET[1];
    }

    static void check_encoding(const std::string& encoding) {
        if (encoding != "complex")
            throw unsupported("a set for bootstraps has no encoding `" + encoding + "`");
    }

    const BootstrapSet& set_;
    CircuitKeys keys_;
    bool prepared_ = false;
};

}  // namespace

std::unique_ptr<Session> open_bootstrap(const std::string& name) {
    for (const auto& set : SETS)
        if (name == set.name)
            return std::make_unique<BootstrapSession>(set);
    throw unsupported("OpenFHE has no set `" + name + "` of ckks here; ask for a depth");
}

json bootstrap_set_names() {
    json names = json::array();
    for (const auto& set : SETS)
        names.push_back(set.name);
    return names;
}

}  // namespace driver
