// Operations of PVAC on ciphertexts.
#pragma once

#include <string>
#include <vector>

#include "protocol.hpp"

namespace driver {

struct Keys {
    pvac::PubKey pub;
    pvac::SecKey secret;
};

std::vector<std::string> operation_names();

// Binds an operation; the keys outlive the call.
Call bind_operation(const Keys& keys, const Operation& operation, const std::vector<Item>& inputs);

// Encrypts an integer that is not negative.
pvac::Cipher encrypted(const Keys& keys, int64_t value);

}  // namespace driver
