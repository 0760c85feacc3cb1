// What handles stand for in PVAC.
#pragma once

#include <memory>
#include <variant>

#include <pvac/pvac.hpp>

namespace driver {

// Ciphertexts have up to megabytes; handles and bound operations share them.
using Shared = std::shared_ptr<const pvac::Cipher>;

// A value of the field.
struct Clear {
    pvac::Fp value;
};

using Item = std::variant<Shared, Clear>;

inline bool is_clear(const Item& item) { return std::holds_alternative<Clear>(item); }

}  // namespace driver
