// What the server and a library share: sessions, calls and refusals.
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

// The driver of a library defines `Item`, what handles stand for, and `is_clear(const Item&)`.
#include "items.hpp"

namespace driver {

using nlohmann::json;

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

    // All published keys, where the library bootstraps with them; null otherwise.
    virtual json published() const { return nullptr; }

    virtual Item encode(const json& values, const std::string& encoding) const             = 0;
    virtual json decode(const Item& item, const std::string& encoding) const               = 0;
    virtual Item encrypt(const Item& clear, bool with_public_key, const json& level) const = 0;
    virtual Item decrypt(const Item& ciphertext) const                                     = 0;
    virtual Call bind(const Operation& operation, const std::vector<Item>& inputs) const   = 0;
    virtual json ciphertext_bytes(const Item& ciphertext) const                            = 0;
    virtual json level(const Item& ciphertext) const                                       = 0;
};

// What a driver says of its library.
struct Library {
    // Name of the peer and name for people.
    std::string name, title;
    std::string version, build, isa_used;
};

// The rest is defined by the driver of a library.
Library library();

// The field `schemes` of the reply to `hello`.
std::vector<json> schemes();

// Chooses parameters; no keys yet. Null if the library does not have the scheme.
std::unique_ptr<Session> open_session(const std::string& scheme, const json& params);

// Lets the library use this many threads in calls of the current thread.
void use_threads(int op_threads);

// Refuses a number of threads in one operation that the library cannot use.
void check_threads(int op_threads);

}  // namespace driver
