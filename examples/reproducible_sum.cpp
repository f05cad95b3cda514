// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// One sum on 1 to 8 ranks, in four ways: as usual; by one tree over all elements in their order, for any associative
// operator and at little cost; and without order, in 6 words with a tiny error, or rounded once. The last two have the
// same bits if the cells of a field are distributed to ranks in any order, as here.
#include <algorithm>
#include <cstddef>
#include <functional>
#include <iostream>
#include <numeric>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include <tutti/sequences.hpp>
#include <tutti/threads.hpp>

int main() {
    std::vector<double> field;
    for (int i = 0; i != 10'000; ++i) { field.push_back(i % 100 == 7 ? 1e16 : i % 100 == 8 ? -1e16 : 1.0 / (i + 1)); }
    auto shuffled = field;

    std::set<double> usual, by_tree, without_order, rounded_once;
    double largest_of_all = 0;
    for (int ranks = 1; ranks <= 8; ++ranks) {
        std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937{static_cast<unsigned>(ranks)});
        tutti::threads::run(ranks, [&](auto& world) {
            auto const first = 10'000 * world.rank() / world.size();
            auto const last = 10'000 * (world.rank() + 1) / world.size();
            std::vector<double> const in_order(field.begin() + first, field.begin() + last);
            std::vector<double> const mine(shuffled.begin() + first, shuffled.begin() + last);

            auto const sum = tutti::all_reduce(world, std::accumulate(mine.begin(), mine.end(), 0.0), std::plus<>{});
            auto const tree = tutti::all_reduce_sequence(world, in_order, std::plus<>{});
            auto const exact = tutti::exact_sum_without_order(world, mine);

            // such sums are elements, and may share a call with other operators
            tutti::binned_sum<double> own;
            own += mine;
            auto const own_largest = *std::max_element(mine.begin(), mine.end());
            auto const [all, largest] = tutti::all_reduce(world, std::tuple{own, own_largest},
                                                          tutti::each(std::plus<>{}, tutti::maximum<>{}));
            auto const alone = tutti::sum_without_order(world, mine);  // the same sum
            if (world.rank() == 0) {
                usual.insert(sum), by_tree.insert(tree), rounded_once.insert(exact);
                without_order.insert({alone, all.value()});
                largest_of_all = largest;
            }
        });
    }
    bool const as_alone = *by_tree.begin() == *tutti::reduce_sequence(field, std::plus<>{});
    std::cout << "as usual: " << (usual.size() == 1 ? "one result" : "several results")
              << "\nby one tree: " << by_tree.size() << " result, " << (as_alone ? "" : "not ")
              << "that of one process\nwithout order: " << without_order.size() << " result, " << *without_order.begin()
              << "\nrounded once: " << rounded_once.size() << " result, " << *rounded_once.begin()
              << "\nthe largest, by the same call: " << largest_of_all << '\n';
}
