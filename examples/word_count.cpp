// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// Counts words as MapReduce does: every rank counts its share of the files, and the counts are reduced with an
// operator of our own. One source: over threads, and over Boost.MPI.

#include "word_count/ranks.hpp"
#include "word_count/texts.hpp"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <tutti/analysis.hpp>
#include <tutti/generators.hpp>

using word_count::counts, word_count::tally;

/// The operator that the counts are reduced with.
struct merge {
    counts operator()(counts left, counts const& right) const {
        for (auto const& [word, count] : right) { left[word] += count; }
        return left;
    }
};

void print(tally const& all, std::size_t files) {
    std::vector<std::pair<std::string, std::size_t>> top(std::min<std::size_t>(10, all.words.size()));
    std::partial_sort_copy(
        all.words.begin(), all.words.end(), top.begin(), top.end(),
        [](auto const& a, auto const& b) { return std::tie(b.second, a.first) < std::tie(a.second, b.first); });
    auto const words = std::accumulate(all.lengths.begin(), all.lengths.end(), std::size_t{0});
    std::cout << words << " words, " << all.words.size() << " different ones, in " << files << " files\n";
    for (auto const& [word, count] : top) { std::cout << std::setw(10) << count << "  " << word << '\n'; }
    std::cout << "words of 1, 2, 3, ... letters:";
    for (auto const count : all.lengths) { std::cout << ' ' << count; }
    std::cout << '\n';
}

int main(int argc, char** argv) {
    return word_count::on_ranks(argc, argv, [&](auto& world) {
        std::vector<std::string> files;
        if (world.rank() == 0) { files = word_count::choose_texts({argv + 1, argv + argc}); }
        tutti::broadcast(world, tutti::value(files), 0);
        if (files.empty()) { return false; }

        auto const rank = static_cast<std::size_t>(world.rank());
        auto const size = static_cast<std::size_t>(world.size());
        tally mine;
        for (auto i = rank; i < files.size(); i += size) { mine.add(files[i]); }

        tally all;
        tutti::ring const ring;
        tutti::reduce(world, mine.words, all.words, merge{}, 0);
        tutti::all_reduce(world, mine.lengths, all.lengths, std::plus<>{}, ring);

        auto const words = tutti::plan::reduce(world, mine.words, all.words, merge{}, 0);
        auto const lengths = tutti::plan::all_reduce(world, mine.lengths, all.lengths, std::plus<>{}, ring);
        if (rank != 0) { return true; }

        tally alone;
        for (auto const& file : files) { alone.add(file); }
        bool const same = all == alone;
        print(all, files.size());
        std::cout << "a count on one rank gives " << (same ? "the same\n" : "something else!\n");

        auto const picture = std::string{argv[0]} + ".svg";
        auto const times =
            tutti::simulate(tutti::collective::all_reduce{}, ring, size, 0,
                            tutti::partition::equal(all.lengths.size(), size), tutti::cost_model::linear(4, 1, 1));
        std::ofstream{picture} << tutti::to_svg(times);
        std::cout << "\non " << size << ' ' << word_count::kind_of_ranks << '\n'
                  << words.explain() << lengths.explain() << "which is drawn in " << picture << '\n';
        return same;
    });
}
