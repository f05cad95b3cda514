// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include <tutti/communicator.hpp>
#include <tutti/communicator/call_text.hpp>

namespace tutti::threads {

/// A `tutti::call` that can be shown after the caller has gone on.
class recorded_call {
public:
    void assign(call const& entered) {
        said_ = entered;
        counts_.assign(entered.counts.begin(), entered.counts.end());
    }

    [[nodiscard]] call view() const {
        auto entered = said_;
        entered.counts = counts_;
        return entered;
    }

private:
    call said_;
    std::vector<std::size_t> counts_;
};

/// Equal words, most often the very same.
[[nodiscard]] inline bool same_words(std::string_view left, std::string_view right) {
    return left.size() == right.size() && (left.data() == right.data() || left == right);
}

[[nodiscard]] inline bool same_call(call const& left, call const& right) {
    return left.elements == right.elements && left.root == right.root &&
           same_words(left.collective, right.collective) && same_words(left.algorithm, right.algorithm) &&
           same_words(left.element, right.element) &&
           std::equal(left.counts.begin(), left.counts.end(), right.counts.begin(), right.counts.end());
}

using tutti::digest_of;
using tutti::digest_with;
using tutti::text_of;

}  // namespace tutti::threads
