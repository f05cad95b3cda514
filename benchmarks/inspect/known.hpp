// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <tutti/analysis/terms.hpp>
#include <tutti/analysis/verify.hpp>
#include <tutti/generator/all.hpp>

#include "calls.hpp"
#include "recorder.hpp"

namespace tutti::inspect {

/// The distinct terms of all results; and 0 if an allreduce gives ranks different ones.
using outline = std::set<element>;

/// Which of tutti's algorithms make which terms.
class known_algorithms {
public:
    explicit known_algorithms(std::size_t size) : size_{size} {}

    /// One that makes these terms of a vector of that length; empty if there is none. The first where ranks combine as
    /// much: `work`, for each element, of the rank that has most and of all ranks; 0 if that is not known. A reduce or
    /// reduce_scatter may also be half of an all_reduce: a ring whose root gathers.
    [[nodiscard]] std::string find(kind which, std::size_t elements, bool commutes, outline const& made, double work) {
        auto const by = [&](auto collective) { return find_by(collective, elements, commutes, made, work); };
        if (which == kind::scan) { return by(collective::inclusive_scan{}); }
        if (which == kind::exscan) { return by(collective::exclusive_scan{}); }
        std::string named;
        if (which == kind::reduce) { named = by(collective::reduce{}); }
        if (which >= kind::reduce_scatter) { named = by(collective::reduce_scatter{}); }
        return named.empty() ? by(collective::all_reduce{}) : named;
    }

private:
    struct algorithm {
        std::string name;
        outline terms;
        double work;
    };

    template <class Collective>
    [[nodiscard]] std::string find_by(Collective which, std::size_t elements, bool commutes, outline const& made,
                                      double work) {
        auto& list = lists_[{Collective::name, elements, commutes}];
        if (list.empty()) {
            generators::for_each_algorithm(which, [&]<class A>(A const& each) {
                generators::any_generator<Collective> const generator{generators::algorithm_for(which, each)};
                if (!generator.stated().supports(size_)) { return; }
                list.push_back(known(which, generator, elements, commutes));
                list.back().name = generators::name_of_algorithm<A>();
            });
        }
        std::string found;
        for (auto const& [name, terms, does] : list) {
            if (terms != made) { continue; }
            if (std::abs(does - work) < 0.05 * work) { return name; }  // parts have whole elements
            if (found.empty()) { found = name; }
        }
        return found;
    }

    /// A few elements for each rank have all the terms that more would have.
    template <class Collective>
    [[nodiscard]] algorithm known(Collective which, generators::any_generator<Collective> const& generator,
                                  std::size_t elements, bool commutes) const {
        auto const few = std::min(elements, 4 * size_);
        auto const bytes = sizeof(element) * elements / few;
        auto const cut = analysis::symbolic::cut_for(which, generator, size_, few, bytes);
        auto const proof = analysis::verify(which, generator, size_, 0, cut);
        algorithm result{{}, {}, static_cast<double>(proof.max_combines + proof.combines) / static_cast<double>(few)};
        recorder reader{commutes};
        std::vector<element> all;
        for (auto const& text : analysis::symbolic::terms_of_elements(which, generator, size_, 0, few, bytes)) {
            auto const term = all.emplace_back(reader.read(text));
            bool const differs = term != all[(all.size() - 1) % few];  // from the same element of the first rank
            if (!text.empty()) { result.terms.insert(term); }
            if (differs && std::same_as<Collective, collective::all_reduce>) { result.terms.insert(0); }
        }
        return result;
    }

    std::size_t size_;
    std::map<std::tuple<std::string_view, std::size_t, bool>, std::vector<algorithm>> lists_;
};

}  // namespace tutti::inspect
