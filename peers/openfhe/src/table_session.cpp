// Functions of small integers in all coefficients of a ciphertext, by OpenFHE's functional
// bootstrap.

#include <array>
#include <cmath>

#include "keys_of_circuits.hpp"
#include "library.hpp"
#include "math/hermite.h"
#include "scheme/ckksrns/ckksrns-fhe.h"
#include "schemelet/rlwe-mp.h"
#include "serialized.hpp"

namespace driver {
namespace {

using namespace lbcrypto;

struct TableSet {
    const char* name;
    // Bits of the integers, and of the modulus of their ciphertext, whose size is also the scale.
    uint32_t bits, modulus_bits;
    // Factor by which coefficients of the series are divided.
    uint64_t scale;
    // Digits of a key switch, and levels of the two transforms.
    uint32_t digits, budget;
    // Memory of the whole process, as it was measured.
    double gigabytes;
};

// The name of the scheme in the protocol.
constexpr const char* SCHEME = "ckks_table";
constexpr uint32_t RING_DIMENSION = 1 << 16;
// Bits of the modulus of fresh ciphertexts.
constexpr uint32_t FRESH_BITS = 60;
// Order of the interpolation.
constexpr size_t ORDER = 1;

// The sets of OpenFHE's benchmark of functional bootstraps, at 65536 values.
constexpr std::array<TableSet, 2> SETS{{
    {"table4_n16", 4, 38, 32, 3, 4, 11},
    {"table8_n16", 8, 47, 32, 4, 3, 13},
}};

BigInteger power(uint32_t bits) { return BigInteger(1) << bits; }

using Series = std::vector<std::complex<double>>;

// The series of a function on integers below 2^bits.
Series series_of(const TableSet& set, std::vector<int64_t> values) {
    const auto size = int64_t{1} << set.bits;
    const auto function = [values = std::move(values), size](int64_t x) {
        return values[((x % size) + size) % size];
    };
    return GetHermiteTrigCoefficients(function, size, ORDER, set.scale);
}

// The series of the identity, which has as many coefficients as that of any function.
Series of_identity(const TableSet& set) {
    std::vector<int64_t> values(size_t{1} << set.bits);
    for (size_t x = 0; x < values.size(); ++x)
        values[x] = static_cast<int64_t>(x);
    return series_of(set, std::move(values));
}

std::vector<uint32_t> budget(const TableSet& set) { return {set.budget, set.budget}; }

uint32_t depth(const TableSet& set) {
    return FHECKKSRNS::GetFBTDepth(budget(set), of_identity(set), power(set.bits), ORDER,
                                   SPARSE_ENCAPSULATED);
}

Context make_context(const TableSet& set) {
    CCParams<CryptoContextCKKSRNS> params;
    params.SetSecurityLevel(HEStd_NotSet);
    params.SetRingDim(RING_DIMENSION);
    params.SetBatchSize(RING_DIMENSION / 2);
    params.SetSecretKeyDist(SPARSE_ENCAPSULATED);
    params.SetScalingModSize(set.modulus_bits);
    params.SetFirstModSize(set.modulus_bits);
    params.SetScalingTechnique(FIXEDMANUAL);
    params.SetNumLargeDigits(set.digits);
    params.SetMultiplicativeDepth(depth(set));
    return enabled_for_bootstraps(GenCryptoContext(params));
}

class TableSession : public Session {
public:
    explicit TableSession(const TableSet& set)
        : set_(set), keys_{make_context(set), RING_DIMENSION / 2} {}

    ~TableSession() override { keys_.forget(); }

    json params() const override {
        auto reply             = describe_ring(keys_.context, set_.name);
        reply["levels"]        = 0;
        reply["depth"]         = 0;
        reply["slots"]         = RING_DIMENSION;
        reply["plain_modulus"] = modulus();
        reply["explanation"]   = "the set of OpenFHE's benchmark of functional bootstraps for "
                                 "tables of this size: FIXEDMANUAL, encapsulated secret, order 1";
        return reply;
    }

    void generate_keys() override {
        require_memory(set_.gigabytes);
        keys_.generate();
        keys_.context->EvalFBTSetup(of_identity(set_), keys_.slots, power(set_.bits),
                                    power(set_.bits), power(set_.modulus_bits),
                                    keys_.pair.publicKey, {0, 0}, budget(set_), 0, 0, ORDER);
        keys_.generate_for_bootstraps();
    }

    void generate_rotation_keys(const std::vector<int32_t>&, bool) override {
        throw unsupported("a set for tables is asked for tables only");
    }

    json key_bytes() const override { return keys_.bytes(); }

    json published() const override { return keys_.published(); }

    Item encode(const json& values, const std::string& encoding) const override {
        check_encoding(encoding);
        if (!values.is_array() || values.size() > RING_DIMENSION)
            throw bad_request("`values` are at most " + std::to_string(RING_DIMENSION) +
                              " integers");
        return Encoded{nullptr, values, encoding};
    }

    json decode(const Item& item, const std::string& encoding) const override {
        check_encoding(encoding);
        return as<Encoded>(item, "a plaintext").values;
    }

    Item encrypt(const Item& clear, bool with_public_key, const json& level) const override {
        if (with_public_key || level != 0)
            throw unsupported("a set for tables encrypts under the secret key, at level 0");
        auto values = as<Encoded>(clear, "a plaintext").values.get<std::vector<int64_t>>();
        values.resize(RING_DIMENSION);
        for (auto& value : values)
            value = reduced(value);
        const auto& secret = keys_.secret();
        auto pair          = SchemeletRLWEMP::EncryptCoeff(values, power(FRESH_BITS),
                                                           power(set_.bits), secret, last_level());
        SchemeletRLWEMP::ModSwitch(pair, power(set_.modulus_bits), power(FRESH_BITS));
        return SchemeletRLWEMP::ConvertRLWEToCKKS(*keys_.context, pair, keys_.pair.publicKey,
                                                  power(set_.modulus_bits), keys_.slots,
                                                  depth(set_));
    }

    Item decrypt(const Item& item) const override {
        const auto& ciphertext = as<Cipher>(item, "a ciphertext");
        const auto pair =
            SchemeletRLWEMP::ConvertCKKSToRLWE(ciphertext, power(set_.modulus_bits));
        auto values = SchemeletRLWEMP::DecryptCoeff(pair, power(set_.modulus_bits),
                                                    power(set_.bits), keys_.secret(),
                                                    last_level(), keys_.slots, RING_DIMENSION);
        for (auto& value : values)
            value = reduced(value);
        return Encoded{nullptr, values, "coefficients"};
    }

    // The series of the function is computed here, and is not timed.
    Call bind(const Operation& operation, const std::vector<Item>& inputs) const override {
        keys_.secret();
        if (operation.name != "table")
            throw unsupported("a set for tables has no operation `" + operation.name + "`");
        if (inputs.size() != 1)
            throw bad_request("`table` takes one operand");
        if (operation.coefficients.size() != static_cast<size_t>(modulus()))
            throw bad_request("`table` takes " + std::to_string(modulus()) + " coefficients");
        const auto q = last_level()->GetModulus();
        return [context = keys_.context, x = as<Cipher>(inputs[0], "a ciphertext"), &set = set_,
                series = series_of(set_, operation.coefficients), q]() -> Item {
            return context->EvalFBT(x, series, set.bits, q, set.scale, 0, ORDER);
        };
    }

    json ciphertext_bytes(const Item& item) const override { return lengths(item); }

    json level(const Item&) const override { return nullptr; }

private:
    int64_t modulus() const { return int64_t{1} << set_.bits; }

    // The residue of 0 to 2^bits - 1.
    int64_t reduced(int64_t value) const { return value & (modulus() - 1); }

    std::shared_ptr<ILDCRTParams<DCRTPoly::Integer>> last_level() const {
        return SchemeletRLWEMP::GetElementParams(keys_.secret(), depth(set_));
    }

    static void check_encoding(const std::string& encoding) {
        if (encoding != "coefficients")
            throw unsupported("a set for tables has no encoding `" + encoding + "`");
    }

    const TableSet& set_;
    CircuitKeys keys_;
};

}  // namespace

std::unique_ptr<Session> open_table(const std::string& scheme, const json& params) {
    if (scheme != SCHEME)
        return nullptr;
    const auto name = params.find("preset");
    for (const auto& set : SETS)
        if (name != params.end() && *name == set.name)
            return std::make_unique<TableSession>(set);
    throw unsupported("tables are applied under one of the sets that `hello` lists");
}

std::vector<json> table_schemes() {
    auto names = json::array();
    for (const auto& set : SETS)
        names.push_back(set.name);
    return {{{"scheme", SCHEME}, {"params", names}, {"ops", json::array({"table"})}}};
}

}  // namespace driver
