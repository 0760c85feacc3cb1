// OpenFHE as the server sees it.

#include "library.hpp"

#ifdef PARALLEL
#include <omp.h>
#endif

namespace driver {

Library library() {
    const auto version = GetOPENFHEVersion() + " (" + DRIVER_LABEL + ")";
    return {"openfhe", "OpenFHE", version, DRIVER_BUILD, DRIVER_ISA};
}

// Native integers of 32 bits are made for gates: primes of 28 bits are too short for the scales and
// plaintext moduli of the other schemes.
constexpr bool ONLY_GATES = NATIVEINT == 32;

std::vector<json> schemes() {
    auto all = fhew_schemes();
    if (ONLY_GATES)
        return all;
    for (const auto& part : {rlwe_schemes(), table_schemes()})
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

std::unique_ptr<Session> open_session(const std::string& scheme, const json& params) {
    auto session = open_fhew(scheme, params);
    if (session || ONLY_GATES)
        return session;
    session = open_table(scheme, params);
    return session ? std::move(session) : open_rlwe(scheme, params);
}

// Loops of OpenFHE get their number of threads from its controls, which read the limit of OpenMP
// only when they are constructed.
void use_threads([[maybe_unused]] int op_threads) {
#ifdef PARALLEL
    omp_set_num_threads(op_threads);
    if (lbcrypto::OpenFHEParallelControls.GetMachineThreads() != op_threads)
        lbcrypto::OpenFHEParallelControls = lbcrypto::ParallelControls();
#endif
}

void check_threads([[maybe_unused]] int op_threads) {
#ifndef PARALLEL
    if (op_threads > 1)
        throw unsupported("OpenFHE was built without OpenMP");
#endif
}

}  // namespace driver
