#include "stopwatch.hpp"

#include <omp.h>
#include <sys/resource.h>

#include <algorithm>
#include <barrier>
#include <chrono>
#include <ctime>
#include <thread>

namespace driver {
namespace {

using Clock = std::chrono::steady_clock;

uint64_t nanoseconds(Clock::duration duration) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(duration).count();
}

// Processor time of all threads, including those of OpenMP.
uint64_t process_cpu_ns() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return uint64_t(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

int64_t involuntary_switches() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_nivcsw;
}

// One thread's share of the input sets: first, first + stride, ...
class Lane {
public:
    Lane(const std::vector<Call>& calls, size_t first, size_t stride, Outcome& outcome)
        : calls_(calls), first_(first), stride_(stride), next_(first), outcome_(outcome) {}

    void call(uint64_t count) {
        for (uint64_t i = 0; i < count; ++i) {
            outcome_.outputs[next_] = calls_[next_]();
            next_ += stride_;
            if (next_ >= calls_.size())
                next_ = first_;
        }
    }

private:
    const std::vector<Call>& calls_;
    size_t first_, stride_, next_;
    Outcome& outcome_;
};

void run_alone(const std::vector<Call>& calls, const Plan& plan, Outcome& outcome) {
    Lane lane(calls, 0, 1, outcome);
    lane.call(plan.warmup);
    const auto cpu      = process_cpu_ns();
    const auto switches = involuntary_switches();
    uint64_t spent      = 0;
    while (outcome.samples_ns.size() < plan.samples &&
           (outcome.samples_ns.empty() || spent < plan.budget_ns)) {
        const auto start = Clock::now();
        lane.call(plan.iterations);
        outcome.samples_ns.push_back(nanoseconds(Clock::now() - start));
        spent += outcome.samples_ns.back();
    }
    outcome.cpu_ns               = process_cpu_ns() - cpu;
    outcome.involuntary_switches = involuntary_switches() - switches;
}

// Every thread reaches every barrier even after a refusal, so that no other thread waits for ever.
void run_threads(const std::vector<Call>& calls, const Plan& plan, Outcome& outcome) {
    std::barrier<> turn(static_cast<std::ptrdiff_t>(plan.threads) + 1);
    std::vector<std::exception_ptr> failures(plan.threads);
    bool done = false;
    std::vector<std::thread> workers;
    for (size_t index = 0; index < plan.threads; ++index) {
        workers.emplace_back([&, index] {
            use_threads(plan.op_threads);
            Lane lane(calls, index, plan.threads, outcome);
            auto attempt = [&](uint64_t count) {
                if (failures[index])
                    return;
                try {
                    lane.call(count);
                } catch (...) {
                    failures[index] = std::current_exception();
                }
            };
            attempt(plan.warmup);
            turn.arrive_and_wait();
            for (;;) {
                turn.arrive_and_wait();
                if (done)
                    return;
                attempt(plan.iterations);
                turn.arrive_and_wait();
            }
        });
    }
    turn.arrive_and_wait();  // every thread has warmed up
    const auto cpu      = process_cpu_ns();
    const auto switches = involuntary_switches();
    uint64_t spent      = 0;
    while (outcome.samples_ns.size() < plan.samples &&
           (outcome.samples_ns.empty() || spent < plan.budget_ns)) {
        const auto start = Clock::now();
        turn.arrive_and_wait();
        turn.arrive_and_wait();
        outcome.samples_ns.push_back(nanoseconds(Clock::now() - start));
        spent += outcome.samples_ns.back();
    }
    outcome.cpu_ns               = process_cpu_ns() - cpu;
    outcome.involuntary_switches = involuntary_switches() - switches;
    done                         = true;
    turn.arrive_and_wait();
    for (auto& worker : workers)
        worker.join();
    for (const auto& failure : failures)
        if (failure)
            std::rethrow_exception(failure);
}

}  // namespace

Outcome run(const std::vector<Call>& calls, const Plan& plan) {
    Outcome outcome;
    outcome.outputs.resize(calls.size());
    if (plan.threads > 1) {
        run_threads(calls, plan, outcome);
    } else {
        use_threads(plan.op_threads);
        run_alone(calls, plan, outcome);
    }
    return outcome;
}

uint64_t timed(const std::function<void()>& work) {
    const auto start = Clock::now();
    work();
    return nanoseconds(Clock::now() - start);
}

// Loops of OpenFHE get their number of threads from its controls, which read the limit of OpenMP
// only when they are constructed.
void use_threads(int op_threads) {
    omp_set_num_threads(op_threads);
    if (lbcrypto::OpenFHEParallelControls.GetMachineThreads() != op_threads)
        lbcrypto::OpenFHEParallelControls = lbcrypto::ParallelControls();
}

}  // namespace driver
