// The timed loop of `run`: a monotonic clock around calls of one operation and nothing else.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "protocol.hpp"

namespace driver {

struct Plan {
    uint64_t warmup;
    uint64_t iterations;
    uint64_t samples;
    uint64_t budget_ns;
    // Lanes, each on input sets of its own, and the threads that a call may use.
    uint64_t threads;
    int op_threads;
};

struct Outcome {
    std::vector<uint64_t> samples_ns;
    uint64_t cpu_ns                = 0;
    int64_t involuntary_switches   = 0;
    // One an input set: what its last call gave.
    std::vector<std::optional<Item>> outputs;
};

// Makes `calls`, one an input set, in turn. Throws what a call throws.
Outcome run(const std::vector<Call>& calls, const Plan& plan);

// Nanoseconds that `work` took.
uint64_t timed(const std::function<void()>& work);

}  // namespace driver
