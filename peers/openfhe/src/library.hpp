// The parts of OpenFHE: schemes on rings of vectors with their bootstraps, tables of small integers,
// and gates on bits.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "protocol.hpp"

namespace driver {

// Chooses parameters; null if the part does not have the scheme.
std::unique_ptr<Session> open_rlwe(const std::string& scheme, const json& params);
std::unique_ptr<Session> open_fhew(const std::string& scheme, const json& params);

std::unique_ptr<Session> open_table(const std::string& scheme, const json& params);

// Opens a set that CKKS can be bootstrapped with.
std::unique_ptr<Session> open_bootstrap(const std::string& name);

// The names of these sets, the smallest first.
json bootstrap_set_names();

// Entries of the field `schemes` of `hello`.
std::vector<json> rlwe_schemes();
std::vector<json> fhew_schemes();
std::vector<json> table_schemes();

}  // namespace driver
