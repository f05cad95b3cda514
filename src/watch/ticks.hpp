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

/// A clock of nanoseconds by ticks: the two are read together twice, as long after each other as may be.
class tick_rate {
public:
    explicit tick_rate(std::int64_t clock) : tick_{ticks::now()}, clock_{clock} {}

    void read_again(std::int64_t clock) {
        if (auto const passed = ticks::now() - tick_; passed != 0) {
            per_tick_ = static_cast<double>(clock - clock_) / static_cast<double>(passed);
        }
    }

    [[nodiscard]] std::int64_t begun() const { return clock_; }
    [[nodiscard]] double nanoseconds_per_tick() const { return per_tick_; }
    [[nodiscard]] std::int64_t clock_at(std::uint64_t tick) const {
        auto const passed = static_cast<double>(static_cast<std::int64_t>(tick - tick_));
        return clock_ + static_cast<std::int64_t>(passed * per_tick_);
    }

private:
    std::uint64_t tick_;
    std::int64_t clock_;
    double per_tick_ = 1;
};

}  // namespace tutti::watch
