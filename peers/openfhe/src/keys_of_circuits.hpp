// Sets whose sessions compute one circuit that needs gigabytes of keys: bootstraps of CKKS, and
// tables that are applied by a bootstrap.
#pragma once

#include <cstdint>

#include "protocol.hpp"
#include "rlwe_params.hpp"

namespace driver {

// A context of such a set and its keys. OpenFHE stores evaluation keys in maps that all contexts
// share, by the tag of the secret key.
struct CircuitKeys {
    Context context;
    uint32_t slots;
    lbcrypto::KeyPair<lbcrypto::DCRTPoly> pair{};

    // Makes fresh keys of users.
    void generate();

    // Makes the rotation keys of a bootstrap, with those to the sparse secret and back.
    void generate_for_bootstraps();

    // Removes the keys from the maps.
    void forget();

    const lbcrypto::PrivateKey<lbcrypto::DCRTPoly>& secret() const;

    // `bytes` and `published` of the reply to `keygen`.
    json bytes() const;
    json published() const;
};

// Refuses a set that takes more memory than the system has left.
void require_memory(double gigabytes);

// Enables everything that a bootstrap needs, in a fresh context.
Context enabled_for_bootstraps(Context context);

}  // namespace driver
