// The two halves of OpenFHE: schemes on rings of vectors, and gates on bits.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "protocol.hpp"

namespace driver {

// Chooses parameters; null if the half does not have the scheme.
std::unique_ptr<Session> open_rlwe(const std::string& scheme, const json& params);
std::unique_ptr<Session> open_fhew(const std::string& scheme, const json& params);

// Entries of the field `schemes` of `hello`.
std::vector<json> rlwe_schemes();
std::vector<json> fhew_schemes();

}  // namespace driver
