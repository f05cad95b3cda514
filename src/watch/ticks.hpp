// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <chrono>
#include <cstdint>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace tutti::watch {

/// A counter of constant rate that costs a few nanoseconds to read: the processor's where it is one, else
/// std::chrono::steady_clock.
class ticks {
public:
    [[nodiscard]] static std::uint64_t now() noexcept {
#if defined(__x86_64__)
        if (is_constant_) { return __builtin_ia32_rdtsc(); }
#elif defined(__aarch64__)
        std::uint64_t value = 0;
        asm volatile("mrs %0, cntvct_el0" : "=r"(value));
        return value;
#endif
        return static_cast<std::uint64_t>(nanoseconds());
    }

    [[nodiscard]] static std::int64_t nanoseconds() noexcept {
        return std::chrono::nanoseconds{std::chrono::steady_clock::now().time_since_epoch()}.count();
    }

private:
#if defined(__x86_64__)
    inline static bool const is_constant_ = [] {
        unsigned a = 0;
        unsigned b = 0;
        unsigned c = 0;
        unsigned flags = 0;
        return __get_cpuid(0x80000007U, &a, &b, &c, &flags) != 0 && (flags >> 8U & 1U) != 0;  // invariant TSC
    }();
#endif
};

/// What a tick is in nanoseconds of a clock: by the two read together twice, as long after each other as may be.
class tick_rate {
public:
    tick_rate(std::uint64_t tick, std::int64_t clock) : tick_{tick}, clock_{clock} {}

    /// The two are read together again.
    void read_again(std::uint64_t tick, std::int64_t clock) {
        if (tick > tick_) { per_tick_ = static_cast<double>(clock - clock_) / static_cast<double>(tick - tick_); }
    }

    [[nodiscard]] double nanoseconds(std::uint64_t from, std::uint64_t to) const {
        return static_cast<double>(static_cast<std::int64_t>(to - from)) * per_tick_;
    }
    /// On the clock, since it was read first.
    [[nodiscard]] double since_begin(std::uint64_t tick) const { return nanoseconds(tick_, tick); }

private:
    std::uint64_t tick_;
    std::int64_t clock_;
    double per_tick_ = 1;
};

}  // namespace tutti::watch
