// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/communicator.hpp>

namespace tutti::threads {

/// A `tutti::call` that can be shown after the caller has gone on.
class spoken_call {
public:
    void assign(call const& said) {
        said_ = said;
        counts_.assign(said.counts.begin(), said.counts.end());
    }

    [[nodiscard]] call view() const {
        auto said = said_;
        said.counts = counts_;
        return said;
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

/// "reduce by binomial of 10 double to root 0"
[[nodiscard]] inline std::string text_of(call const& said, bool with_algorithm) {
    auto const outwards = said.collective == "broadcast" || said.collective == "scatter";
    auto text = std::string{said.collective};
    if (with_algorithm) { text.append(" by ").append(said.algorithm); }
    text.append(" of ");
    if (said.elements != call::known_to_root) { text.append(std::to_string(said.elements)).append(" "); }
    text.append(said.element);
    if (said.root) { text.append(outwards ? " from root " : " to root ").append(std::to_string(*said.root)); }
    for (std::size_t rank = 0; rank != said.counts.size(); ++rank) {
        text.append(rank == 0 ? " in parts of " : ", ").append(std::to_string(said.counts[rank]));
    }
    return text;
}

/// `digest` with one more number in it, of which all bits matter.
[[nodiscard]] constexpr std::uint64_t digest_with(std::uint64_t digest, std::uint64_t number) {
    auto const mixed = (digest ^ number) * 0x9e3779b97f4a7c15U;
    return mixed ^ (mixed >> 29U);
}

/// Equal for equal calls, and for others by chance only.
[[nodiscard]] inline std::uint64_t digest_of(call const& said) {
    std::uint64_t digest = 0;
    for (auto const word : {said.collective, said.algorithm, said.element}) {
        digest = digest_with(digest, std::hash<std::string_view>{}(word));
    }
    digest = digest_with(digest, said.elements);
    digest = digest_with(digest, said.root ? static_cast<std::uint64_t>(*said.root) : ~std::uint64_t{0});
    for (auto const count : said.counts) { digest = digest_with(digest, count); }
    return digest;
}

}  // namespace tutti::threads
