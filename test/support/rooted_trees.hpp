// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace tutti::test {

/// A rooted tree: machine i > 0 sends to receiver[i] < i.
using rooted_tree = std::vector<std::size_t>;

/// Calls visit(tree) for trees of `size` machines, every rooted tree among them.
template <class Visit>
void for_each_tree(std::size_t size, Visit visit) {
    rooted_tree tree(size, 0);
    while (true) {
        visit(tree);
        auto machine = size - 1;
        while (machine > 0 && tree[machine] + 1 == machine) { tree[machine--] = 0; }
        if (machine == 0 || size == 1) { return; }
        ++tree[machine];
    }
}

/// "(()(()))": equal for trees that differ only in the order of children and the numbers of machines.
[[nodiscard]] inline std::string shape(std::span<std::size_t const> tree) {
    std::vector<std::vector<std::string>> children(tree.size());
    std::string all;
    for (auto machine = tree.size(); machine-- > 0;) {
        std::sort(children[machine].begin(), children[machine].end());
        all = "(";
        for (auto const& child : children[machine]) { all += child; }
        all += ")";
        if (machine != 0) { children[tree[machine]].push_back(all); }
    }
    return all;
}

/// Members of every subtree.
[[nodiscard]] inline std::vector<std::size_t> members(std::span<std::size_t const> tree) {
    std::vector<std::size_t> result(tree.size(), 1);
    for (auto machine = tree.size(); machine-- > 1;) { result[tree[machine]] += result[machine]; }
    return result;
}

/// Machines that receive anything.
[[nodiscard]] inline std::size_t receivers(std::span<std::size_t const> tree) {
    auto const all = members(tree);
    return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [](auto each) { return each > 1; }));
}

}  // namespace tutti::test
