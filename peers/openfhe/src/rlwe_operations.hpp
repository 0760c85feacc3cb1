// Operations of BFV, BGV and CKKS.
#pragma once

#include "protocol.hpp"
#include "rlwe_params.hpp"

namespace driver {

// What operations need of a session.
struct Rlwe {
    Context context;
    Purpose purpose;
    lbcrypto::KeyPair<lbcrypto::DCRTPoly> keys;
};

// The names that `hello` announces.
json rlwe_operation_names();

// Prepares one operation on one set of operands.
Call bind_rlwe(const Rlwe& rlwe, const Operation& operation, const std::vector<Item>& inputs);

// The plaintext of a ciphertext.
Item decrypted(const Context& context, const lbcrypto::PrivateKey<lbcrypto::DCRTPoly>& secret,
               const Cipher& ciphertext);

}  // namespace driver
