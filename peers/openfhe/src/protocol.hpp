// What the server and the schemes share: items, calls and refusals.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "binfhecontext.h"
#include "openfhe.h"

namespace driver {

using nlohmann::json;
using Cipher = lbcrypto::Ciphertext<lbcrypto::DCRTPoly>;

// A refused request; `code` is one of the protocol's.
struct Refusal : std::exception {
    Refusal(std::string code_, std::string message_)
        : code(std::move(code_)), message(std::move(message_)) {}
    const char* what() const noexcept override { return message.c_str(); }
    std::string code;
    std::string message;
};

inline Refusal unsupported(std::string message) { return {"unsupported", std::move(message)}; }
inline Refusal bad_request(std::string message) { return {"bad_request", std::move(message)}; }

// An encoded vector; with its values, unless it was decrypted, to encode it at another level.
struct Encoded {
    lbcrypto::Plaintext plaintext;
    json values;
    std::string encoding;
};

struct Bit {
    bool value;
};

// What handles stand for.
using Item = std::variant<Cipher, Encoded, lbcrypto::LWECiphertext, Bit>;

// An operation bound to its operands. Calling it is what is timed.
using Call = std::function<Item()>;

// The item as the alternative wanted.
template <typename T>
const T& as(const Item& item, const char* wanted) {
    if (const T* found = std::get_if<T>(&item))
        return *found;
    throw bad_request(std::string("the operation wants ") + wanted + " here");
}

struct Operation {
    std::string name;
    std::optional<int64_t> steps;
    std::vector<int64_t> coefficients;
};

// One set of parameters and its keys.
class Session {
public:
    virtual ~Session() = default;

    // `params` of the reply to `prepare`.
    virtual json params() const = 0;

    // Replaces all keys by fresh ones. Timed by the server.
    virtual void generate_keys() = 0;

    // Adds rotation keys. Timed by the server.
    virtual void generate_rotation_keys(const std::vector<int32_t>& steps, bool row_swap) = 0;

    // Serialized sizes.
    virtual json key_bytes() const = 0;

    virtual Item encode(const json& values, const std::string& encoding) const             = 0;
    virtual json decode(const Item& item, const std::string& encoding) const               = 0;
    virtual Item encrypt(const Item& clear, bool with_public_key, const json& level) const = 0;
    virtual Item decrypt(const Item& ciphertext) const                                     = 0;
    virtual Call bind(const Operation& operation, const std::vector<Item>& inputs) const   = 0;
    virtual json ciphertext_bytes(const Item& ciphertext) const                            = 0;
    virtual json level(const Item& ciphertext) const                                       = 0;
};

// Chooses parameters; no keys yet.
std::unique_ptr<Session> open_rlwe(const std::string& scheme, const json& params);
std::unique_ptr<Session> open_fhew(const std::string& scheme, const json& params);

// Entries of the reply to `capabilities`.
std::vector<json> rlwe_schemes();
std::vector<json> fhew_schemes();

}  // namespace driver
