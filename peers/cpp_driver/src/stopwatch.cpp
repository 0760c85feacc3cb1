#include "stopwatch.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
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

// Processor time of all threads, including those that the library starts.
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

// The harmonic mean of the times of all threads for each sample that all of them have, and the
// share of the time of all samples that these take.
double join_samples(const std::vector<std::vector<uint64_t>>& threads, Outcome& outcome) {
    size_t count = threads.front().size();
    double taken = 0, kept = 0;
    for (const auto& own : threads)
        count = std::min(count, own.size());
    for (const auto& own : threads)
        for (size_t sample = 0; sample < own.size(); ++sample) {
            taken += double(own[sample]);
            kept += sample < count ? double(own[sample]) : 0;
        }
    for (size_t sample = 0; sample < count; ++sample) {
        double rates = 0;
        for (const auto& own : threads)
            rates += 1 / std::max(1.0, double(own[sample]));
        outcome.samples_ns.push_back(uint64_t(double(threads.size()) / rates));
    }
    return kept / std::max(1.0, taken);
}

// The threads do not wait for each other between samples, until one of them has all of its own.
// Every thread reaches every barrier even after a refusal, so that no other thread waits for ever.
void run_threads(const std::vector<Call>& calls, const Plan& plan, Outcome& outcome) {
    std::barrier<> turn(static_cast<std::ptrdiff_t>(plan.threads) + 1);
    std::vector<std::exception_ptr> failures(plan.threads);
    std::vector<std::vector<uint64_t>> samples(plan.threads);
    std::atomic<bool> done = false;
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
            const auto began = Clock::now();
            auto& own        = samples[index];
            do {
                const auto start = Clock::now();
                attempt(plan.iterations);
                const auto end = Clock::now();
                own.push_back(nanoseconds(end - start));
                if (failures[index] || own.size() >= plan.samples ||
                    nanoseconds(end - began) >= plan.budget_ns)
                    done = true;
            } while (!done);
            turn.arrive_and_wait();
        });
    }
    turn.arrive_and_wait();  // every thread has warmed up
    const auto cpu      = process_cpu_ns();
    const auto switches = involuntary_switches();
    turn.arrive_and_wait();  // every thread has its samples
    const auto cpu_after         = process_cpu_ns();
    outcome.involuntary_switches = involuntary_switches() - switches;
    for (auto& worker : workers)
        worker.join();
    for (const auto& failure : failures)
        if (failure)
            std::rethrow_exception(failure);
    outcome.cpu_ns = uint64_t(double(cpu_after - cpu) * join_samples(samples, outcome));
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

}  // namespace driver
