// What handles stand for in OpenFHE.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <variant>

#include "binfhecontext.h"
#include "openfhe.h"

namespace driver {

using Cipher = lbcrypto::Ciphertext<lbcrypto::DCRTPoly>;

// An encoded vector; with its values, unless it was decrypted, to encode it at another level.
struct Encoded {
    lbcrypto::Plaintext plaintext;
    nlohmann::json values;
    std::string encoding;
};

struct Bit {
    bool value;
};

using Item = std::variant<Cipher, Encoded, lbcrypto::LWECiphertext, Bit>;

inline bool is_clear(const Item& item) {
    return std::holds_alternative<Encoded>(item) || std::holds_alternative<Bit>(item);
}

}  // namespace driver
