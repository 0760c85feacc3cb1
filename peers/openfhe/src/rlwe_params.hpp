// Parameters of BFV, BGV and CKKS.
#pragma once

#include <string>

#include "protocol.hpp"

namespace driver {

using Context = lbcrypto::CryptoContext<lbcrypto::DCRTPoly>;

// What parameters are for, as `prepare` says it.
struct Purpose {
    enum class Scheme { BFV, BGV, CKKS };

    Scheme scheme;
    uint32_t depth;
    uint64_t plain_modulus;
    uint32_t scale_bits;
    uint32_t security;
    uint32_t ring_dimension;  // 0 if the library shall choose
    bool defaults;            // whether all else is left as the library has it

    bool exact() const { return scheme != Scheme::CKKS; }
};

Purpose read_purpose(const std::string& scheme, const json& params);

// A fresh context with no keys. The library chooses the smallest ring that holds the purpose; it is
// doubled where the security tables of today ask for a smaller modulus than those of the library.
Context make_context(const Purpose& purpose);

// The parameters that a context has been made with.
std::shared_ptr<lbcrypto::CryptoParametersRNS> rns(const Context& context);

// log2 of a modulus; beyond the range of a double, its number of bits.
double log_of(const lbcrypto::BigInteger& modulus);

// log2 of the largest modulus of published keys, which includes special primes for hybrid key
// switching.
double log_qp(const Context& context);

// The fields of `params` that describe ring, moduli and secret.
json describe_ring(const Context& context, const std::string& name);

// `params` of the reply to `prepare`.
json describe(const Context& context, const Purpose& purpose);

}  // namespace driver
