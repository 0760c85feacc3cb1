// Lengths of what OpenFHE writes.
#pragma once

#include <cmath>

#include "byte_count.hpp"
#include "ciphertext-ser.h"
#include "protocol.hpp"
#include "rlwe_params.hpp"

namespace driver {

template <typename T>
uint64_t serialized(const T& object) {
    return bytes_written([&](std::ostream& out) {
        lbcrypto::Serial::Serialize(object, out, lbcrypto::SerType::BINARY);
    });
}

// The field `bytes` of the reply to `encrypt`; zeros for what is no ciphertext of a ring.
inline json lengths(const Item& item) {
    const auto* ciphertext = std::get_if<Cipher>(&item);
    if (ciphertext == nullptr)
        return {{"packed", 0}, {"seeded", nullptr}, {"theory", 0}};
    uint64_t theory = 0;
    for (const auto& element : (*ciphertext)->GetElements()) {
        const auto bits = log_of(element.GetModulus());
        theory += static_cast<uint64_t>(std::ceil(element.GetRingDimension() * bits / 8));
    }
    return {{"packed", serialized(*ciphertext)}, {"seeded", nullptr}, {"theory", theory}};
}

}  // namespace driver
