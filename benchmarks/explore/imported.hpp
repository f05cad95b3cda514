// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/analysis/from_file.hpp>
#include <tutti/problem.hpp>

#include "algorithm.hpp"
#include "lookup.hpp"
#include "options.hpp"

namespace tutti::explore {

/// The schedules of a file in the place of an algorithm.
class imported_algorithm final : public algorithm {
public:
    imported_algorithm(analysis::from_file from, facts const& proved) : from_{std::move(from)} {
        auto const& named = from_.table().name;
        name = composition = named.empty() ? from_.path() : named;
        stated = proved;
    }

    [[nodiscard]] std::vector<parameter> parameters() override { return {}; }
    [[nodiscard]] std::size_t transfers_at_once() const override { return generators::unlimited_transfers; }
    [[nodiscard]] std::size_t blocks_for(std::size_t, std::size_t) const override {
        return from_.table().cut.blocks();
    }

    [[nodiscard]] schedule_table record(std::size_t, std::size_t, partition const& cut) const override {
        auto all = from_.table();
        all.name = name;
        all.stated = stated;
        all.cut = cut;
        for (auto& steps : all.steps) {
            std::erase_if(steps, [&](step const& each) { return !schedules::holds_elements(cut, each.blocks); });
        }
        return all;
    }

private:
    analysis::from_file from_;
};

/// Refuses what a file says itself.
inline void refuse_what_files_say(options const& wanted) {
    std::pair<char const*, bool> const all[] = {
        {"--algorithm", wanted.algorithm != "automatic"}, {"--size", wanted.size.has_value()},
        {"--root", wanted.root != 0},                     {"--param", !wanted.parameters.empty()},
        {"--blocks", wanted.blocks.has_value()},          {"--segment", wanted.segment.has_value()},
        {"--sizes", wanted.sizes.has_value()},            {"--counts", wanted.counts.has_value()},
        {"--choose", wanted.choose},                      {"--list", wanted.list}};
    for (auto const& [name, is_given] : all) {
        if (is_given) { throw usage_error{"--from reads schedules as they are; leave " + std::string{name} + " out"}; }
    }
}

/// What is asked for of the schedules in a file, which are always verified.
[[nodiscard]] inline options options_for(analysis::from_file const& from, options wanted) {
    auto const& table = from.table();
    if (wanted.collective.empty()) { wanted.collective = table.collective; }
    if (wanted.collective.empty()) {
        throw usage_error{"the file does not say of which collective it is; give --collective too"};
    }
    if (!table.collective.empty() && wanted.collective != table.collective) {
        throw usage_error{"the schedules in the file are of " + table.collective + ", not of " + wanted.collective};
    }
    wanted.size = table.size;
    wanted.root = table.root;
    wanted.verify = true;
    if (wanted.elements) {
        wanted.blocks = table.cut.blocks();
    } else {
        wanted.sizes.emplace();
        for (std::size_t block = 0; block != table.cut.blocks(); ++block) {
            wanted.sizes->push_back(table.cut.size(block));
        }
    }
    return wanted;
}

[[nodiscard]] inline std::unique_ptr<algorithm> imported(analysis::from_file const& from, family const& of,
                                                         options const& wanted) {
    auto result = std::make_unique<imported_algorithm>(from, of.proved(from));
    if (wanted.commutative == false) { result->stated.requires_commutative = false; }
    return result;
}

}  // namespace tutti::explore
