// Gates on bits: the schemes of the module binfhe.

#include <array>
#include <cmath>
#include <map>

#include "binfhecontext-ser.h"
#include "byte_count.hpp"
#include "library.hpp"

namespace driver {
namespace {

using namespace lbcrypto;

struct Preset {
    const char* name;
    BINFHE_PARAMSET set;
    BINFHE_METHOD method;
    // log2 of the probability that a gate fails, as stated in the header of the parameter sets.
    double p_fail_log2;
};

// The parameter sets of 128 bits for gates of two inputs.
constexpr std::array<Preset, 4> PRESETS{{
    {"ginx_std128", STD128, GINX, -135},
    {"lmkcdey_std128", STD128_LMKCDEY, LMKCDEY, -60},
    {"lmkcdey_lpf_std128", LPF_STD128_LMKCDEY, LMKCDEY, -150},
    {"ap_std128", STD128_AP, AP, -65},
}};

// Sets with the blind rotations GINX and LMKCDEY are offered in the schemes `fhew` and `tfhe`, sets
// with AP in `binfhe_ap`.
bool offers(const std::string& scheme, const Preset& preset) {
    if (scheme == "binfhe_ap")
        return preset.method == AP;
    return (scheme == "fhew" || scheme == "tfhe") && preset.method != AP;
}

struct Gate {
    BINGATE gate;
    // Inputs that a free negation complements first.
    bool not_left  = false;
    bool not_right = false;
};

const std::map<std::string, Gate> GATES{
    {"nand", {NAND}},
    {"and", {AND}},
    {"or", {OR}},
    {"nor", {NOR}},
    {"xor", {XOR}},
    {"xnor", {XNOR}},
    {"and_ny", {AND, true, false}},
    {"and_yn", {AND, false, true}},
    {"or_ny", {OR, true, false}},
    {"or_yn", {OR, false, true}},
};

const LWECiphertext& bit(const std::vector<Item>& inputs, size_t index) {
    return as<LWECiphertext>(inputs[index], "an encrypted bit");
}

class FhewSession : public Session {
public:
    explicit FhewSession(const Preset& preset) : preset_(preset) { renew(); }

    json params() const override {
        const auto lwe  = lwe_params();
        const auto ring = lwe->GetN();
        const double log_q  = std::log2(lwe->GetQ().ConvertToDouble());
        const double log_ks = std::log2(lwe->GetqKS().ConvertToDouble());
        const double sigma  = lwe->GetDgg().GetStd();
        const char* secret  = lwe->GetKeyDist() == GAUSSIAN ? "gaussian" : "ternary";
        const auto key      = [&](uint32_t dimension, double log_modulus) {
            return json{{"dimension", dimension},
                        {"log_q", log_modulus},
                        {"secret", secret},
                        {"deviation_log2", std::log2(sigma) - log_modulus}};
        };
        return {{"name", preset_.name},
                {"n", ring},
                {"log_q", log_q},
                {"log_qp", log_q},
                {"plain_modulus", 2},
                {"slots", 1},
                {"levels", 0},
                {"secret", secret},
                {"sigma", sigma},
                {"depth", 0},
                {"p_fail_log2", preset_.p_fail_log2},
                {"torus",
                 {{"family", "U"},
                  {"message_bits", 1},
                  {"carry_bits", 0},
                  {"lwe", key(lwe->Getn(), log_ks)},
                  {"glwe", key(ring, log_q)}}}};
    }

    // A new context is made each time, because the old one would keep its bootstrapping key.
    void generate_keys() override {
        renew();
        secret_ = context_->KeyGen();
        context_->BTKeyGen(secret_);
    }

    void generate_rotation_keys(const std::vector<int32_t>&, bool) override {
        throw unsupported("a bit has one slot, which does not rotate");
    }

    json key_bytes() const override {
        const auto bytes = [](const auto& object) {
            return bytes_written(
                [&](std::ostream& out) { Serial::Serialize(object, out, SerType::BINARY); });
        };
        const auto sent = bytes(context_->GetRefreshKey()) + bytes(context_->GetSwitchKey());
        return {{"sk", bytes(secret())},
                {"pk", 0},
                {"relin", 0},
                {"galois", 0},
                {"bootstrapping", sent},
                {"bootstrapping_memory", sent}};
    }

    Item encode(const json& values, const std::string& encoding) const override {
        if (encoding != "slots")
            throw unsupported("a bit is encoded as a slot");
        if (!values.is_array() || values.size() > 1)
            throw bad_request("`values` is one bit");
        if (!values.empty() && !values[0].is_number_integer())
            throw bad_request("a bit is a whole number");
        return Bit{!values.empty() && values[0].get<int64_t>() % 2 != 0};
    }

    json decode(const Item& item, const std::string&) const override {
        return {as<Bit>(item, "a clear bit").value ? 1 : 0};
    }

    Item encrypt(const Item& clear, bool with_public_key, const json& level) const override {
        if (with_public_key || !level.is_null())
            throw unsupported("bits are encrypted under the secret key");
        return context_->Encrypt(secret(), as<Bit>(clear, "a clear bit").value ? 1 : 0);
    }

    Item decrypt(const Item& item) const override {
        LWEPlaintext result = 0;
        context_->Decrypt(secret(), as<LWECiphertext>(item, "an encrypted bit"), &result);
        return Bit{result != 0};
    }

    Call bind(const Operation& operation, const std::vector<Item>& inputs) const override {
        secret();
        const auto& name  = operation.name;
        const auto arity  = name == "mux" ? 3 : GATES.count(name) > 0 ? 2 : 1;
        const bool listed = arity > 1 || name == "not" || name == "encrypt_sk" || name == "decrypt";
        if (!listed)
            throw unsupported("OpenFHE has no operation `" + name + "` on bits here");
        if (inputs.size() != static_cast<size_t>(arity))
            throw bad_request("`" + name + "` takes " + std::to_string(arity) + " operands");
        if (name == "encrypt_sk")
            return [this, clear = inputs[0]] { return encrypt(clear, false, nullptr); };
        if (name == "decrypt")
            return [this, x = inputs[0]] { return decrypt(x); };
        if (name == "not")
            return [context = context_, x = bit(inputs, 0)]() -> Item {
                return context->EvalNOT(x);
            };
        for (size_t i = 0; i < inputs.size(); ++i)
            for (size_t j = 0; j < i; ++j)
                if (bit(inputs, i) == bit(inputs, j))
                    throw unsupported("OpenFHE wants operands that are different ciphertexts");
        return name == "mux" ? multiplexer(inputs) : gate(GATES.at(name), inputs);
    }

    json ciphertext_bytes(const Item& item) const override {
        const auto* ciphertext = std::get_if<LWECiphertext>(&item);
        if (ciphertext == nullptr)
            return {{"packed", 0}, {"seeded", nullptr}, {"theory", 0}};
        const auto bits   = std::log2((*ciphertext)->GetModulus().ConvertToDouble());
        const auto packed = bytes_written(
            [&](std::ostream& out) { Serial::Serialize(*ciphertext, out, SerType::BINARY); });
        const auto theory = std::ceil(((*ciphertext)->GetLength() + 1) * bits / 8);
        return {{"packed", packed},
                {"seeded", nullptr},
                {"theory", static_cast<uint64_t>(theory)}};
    }

    json level(const Item&) const override { return nullptr; }

private:
    void renew() {
        context_ = std::make_shared<BinFHEContext>();
        context_->GenerateBinFHEContext(preset_.set, preset_.method);
    }

    std::shared_ptr<LWECryptoParams> lwe_params() const {
        return context_->GetParams()->GetLWEParams();
    }

    const LWEPrivateKey& secret() const {
        if (!secret_)
            throw bad_request("`keygen` comes first");
        return secret_;
    }

    Call gate(const Gate& gate, const std::vector<Item>& inputs) const {
        return [context = context_, gate, x = bit(inputs, 0), y = bit(inputs, 1)]() -> Item {
            const auto left  = gate.not_left ? context->EvalNOT(x) : x;
            const auto right = gate.not_right ? context->EvalNOT(y) : y;
            return context->EvalBinGate(gate.gate, left, right);
        };
    }

    // CMUX of OpenFHE returns the first operand if the third is 0, else the second.
    Call multiplexer(const std::vector<Item>& inputs) const {
        const std::vector<LWECiphertext> order{bit(inputs, 2), bit(inputs, 1), bit(inputs, 0)};
        return [context = context_, order]() -> Item { return context->EvalBinGate(CMUX, order); };
    }

    const Preset& preset_;
    std::shared_ptr<BinFHEContext> context_;
    LWEPrivateKey secret_;
};

}  // namespace

std::unique_ptr<Session> open_fhew(const std::string& scheme, const json& params) {
    if (scheme != "fhew" && scheme != "tfhe" && scheme != "binfhe_ap")
        return nullptr;
    const auto name = params.find("preset");
    if (name == params.end() || !name->is_string())
        throw unsupported(scheme + " has presets only");
    for (const auto& preset : PRESETS)
        if (offers(scheme, preset) && *name == preset.name)
            return std::make_unique<FhewSession>(preset);
    throw unsupported("OpenFHE has no preset " + name->get<std::string>() + " of " + scheme);
}

std::vector<json> fhew_schemes() {
    json ops{"encrypt_sk", "decrypt", "not", "mux"};
    for (const auto& [name, gate] : GATES)
        ops.push_back(name);
    std::vector<json> schemes;
    for (const char* scheme : {"fhew", "tfhe", "binfhe_ap"}) {
        json names = json::array();
        for (const auto& preset : PRESETS)
            if (offers(scheme, preset))
                names.push_back(preset.name);
        schemes.push_back({{"scheme", scheme}, {"params", names}, {"ops", ops}});
    }
    return schemes;
}

}  // namespace driver
