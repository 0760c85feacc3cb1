// Clear values: integers in the field of 2^127 - 1 elements.
#pragma once

#include <cstdint>

#include <pvac/pvac.hpp>

namespace driver {

// Modulus of clear values, the one of the testbed for this scheme: a prime below 2^20, so that the
// product of six values is still an exact integer of the field.
constexpr int64_t CLEAR_MODULUS = 1'048'573;

inline pvac::Fp element(int64_t value) {
    // The negation of the least integer is no integer of 64 bits.
    const auto magnitude = value < 0 ? uint64_t(0) - uint64_t(value) : uint64_t(value);
    const auto positive  = pvac::fp_from_u64(magnitude);
    return value < 0 ? pvac::fp_neg(positive) : positive;
}

// The integer nearest to 0 that the element stands for, modulo CLEAR_MODULUS.
inline int64_t residue(const pvac::Fp& element) {
    using Wide         = unsigned __int128;
    const Wide modulus = (Wide(1) << 127) - 1;
    const Wide value   = (Wide(element.hi) << 64) | element.lo;
    if (value <= modulus / 2)
        return int64_t(value % CLEAR_MODULUS);
    const auto below = int64_t((modulus - value) % CLEAR_MODULUS);
    return below == 0 ? 0 : CLEAR_MODULUS - below;
}

}  // namespace driver
