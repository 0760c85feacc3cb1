// PVAC as the server sees it: one set of parameters, one value in a ciphertext.

#include "field.hpp"
#include "operations.hpp"
#include "protocol.hpp"
#include "sizes.hpp"

namespace driver {
namespace {

// The only parameters: the defaults of the library.
constexpr const char* PRESET = "reference";

class PvacSession : public Session {
public:
    json params() const override {
        return {{"name", PRESET},
                {"n", 1},
                {"log_q", 127.0},
                {"log_qp", 127.0},
                {"plain_modulus", CLEAR_MODULUS},
                {"slots", 1},
                {"levels", 0},
                {"secret", "uniform"},
                {"sigma", 0.0},
                {"depth", 0},
                {"character",
                 {{"semantics", "exact_mod_2^127-1"},
                  {"assumption", "SHA-256 and AES-256 are PRFs"},
                  {"badge", "experimental"},
                  {"keys", "secret-key"},
                  {"compact", false}}}};
    }

    void generate_keys() override {
        auto fresh = std::make_unique<Keys>();
        pvac::keygen(pvac::Params{}, fresh->pub, fresh->secret);
        keys_ = std::move(fresh);
    }

    void generate_rotation_keys(const std::vector<int32_t>&, bool) override {
        throw unsupported("a ciphertext has one value, which does not rotate");
    }

    json key_bytes() const override {
        return {{"sk", file_bytes(keys().secret)},
                {"pk", file_bytes(keys().pub)},
                {"relin", 0},
                {"galois", 0}};
    }

    Item encode(const json& values, const std::string&) const override {
        if (!values.is_array() || values.size() > 1)
            throw bad_request("`values` is one whole number");
        if (values.empty())
            return Clear{element(0)};
        if (!values[0].is_number_integer())
            throw bad_request("`values` is one whole number");
        return Clear{element(residue(element(values[0].get<int64_t>())))};
    }

    json decode(const Item& item, const std::string&) const override {
        return json::array({residue(as<Clear>(item, "a plaintext").value)});
    }

    Item encrypt(const Item& clear, bool with_public_key, const json& level) const override {
        if (with_public_key)
            throw unsupported("PVAC encrypts under the secret key only");
        if (!level.is_null() && level != 0)
            throw unsupported("ciphertexts of PVAC have no levels");
        return bind({"encrypt_sk", {}, {}}, {clear})();
    }

    Item decrypt(const Item& ciphertext) const override {
        return bind({"decrypt", {}, {}}, {ciphertext})();
    }

    Call bind(const Operation& operation, const std::vector<Item>& inputs) const override {
        return bind_operation(keys(), operation, inputs);
    }

    json ciphertext_bytes(const Item& item) const override {
        const auto* found = std::get_if<Shared>(&item);
        if (found == nullptr)
            return {{"packed", 0}, {"seeded", nullptr}, {"theory", 0}};
        return {{"packed", file_bytes(**found)},
                {"seeded", nullptr},
                {"theory", needed_bytes(**found)}};
    }

    json level(const Item&) const override { return nullptr; }

private:
    const Keys& keys() const {
        if (!keys_)
            throw bad_request("`keygen` comes first");
        return *keys_;
    }

    std::unique_ptr<Keys> keys_;
};

}  // namespace

Library library() {
    // PVAC writes remarks to stdout, which belongs to the protocol, unless it is told not to.
    pvac::set_debug_level(0);
    return {"pvac", "PVAC", DRIVER_VERSION, DRIVER_BUILD, DRIVER_ISA};
}

std::vector<json> schemes() {
    return {{{"scheme", "hfhe"}, {"params", {PRESET}}, {"ops", operation_names()}}};
}

std::unique_ptr<Session> open_session(const std::string& scheme, const json& params) {
    pvac::set_debug_level(0);
    if (scheme != "hfhe")
        return nullptr;
    if (params.value("preset", json(nullptr)) != PRESET)
        throw unsupported(std::string("PVAC has one set of parameters: the preset ") + PRESET);
    return std::make_unique<PvacSession>();
}

// An operation of PVAC runs on one thread.
void use_threads(int) {}

void check_threads(int op_threads) {
    if (op_threads > 1)
        throw unsupported("an operation of PVAC runs on one thread");
}

}  // namespace driver
