// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// A plan is a collective that runs many times on the same memory, while the program does other work.
#include <algorithm>
#include <functional>
#include <iostream>
#include <vector>

#include <tutti/threads.hpp>

/// Work in small pieces that does not need the result of the collective.
class other_work {
public:
    void do_some() {
        if (done_ < 1000) { sum_ += ++done_; }
    }
    long finish() {
        while (done_ < 1000) { do_some(); }
        return sum_;
    }

private:
    long done_ = 0;
    long sum_ = 0;
};

int main() {
    tutti::threads::run(4, [](auto& world) {
        bool const speaks = world.rank() == 0;
        std::vector<double> gradient(10'000);
        std::vector<double> total(gradient.size());
        other_work work;

        auto plan = tutti::plan::all_reduce(world, gradient, total, std::plus<>{});
        for (int iteration = 1; iteration <= 3; ++iteration) {
            std::fill(gradient.begin(), gradient.end(), iteration * (world.rank() + 1));
            plan.start();
            while (!plan.test()) { work.do_some(); }
            if (speaks) {
                std::cout << "total " << iteration << ": " << total.front() << " ... " << total.back() << '\n';
            }
        }
        auto const sum = work.finish();
        if (speaks) { std::cout << "other work: " << sum << '\n'; }

        // Plans for one run only, already started: several may run at once, and complete in any order.
        int const mine = world.rank();
        int least = 0;
        int most = 0;
        auto first = tutti::async::all_reduce(world, mine, least, tutti::minimum<>{});
        auto second = tutti::async::all_reduce(world, mine, most, tutti::maximum<>{});
        second.wait();
        first.wait();
        if (speaks) { std::cout << "ranks " << least << " to " << most << '\n'; }
    });
}
