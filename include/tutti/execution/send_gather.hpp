// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>

#include <tutti/execution/buffers.hpp>
#include <tutti/execution/program.hpp>

namespace tutti {

/// Where the elements of a send lie: in the parts of its instruction, one behind the other.
template <class T>
class send_gather {
public:
    send_gather(program const& run, buffers<T>& where) : run_{run}, buffers_{where} {}

    /// Elements [first, first + count); null if they lie in several places.
    [[nodiscard]] T const* in_one_place(instruction const& what, std::size_t first, std::size_t count) {
        std::size_t begin = 0;
        for (auto p = what.first_part; p != what.last_part; ++p) {
            auto const& part = run_.parts[p];
            if (first >= begin && first + count <= begin + part.count) {
                return buffers_.at(part.left) + (first - begin);
            }
            begin += part.count;
        }
        return nullptr;
    }

    /// Calls `visit(from, elements)` for each place in which some of elements [first, first + count) lie, in order.
    template <class Visit>
    void for_each_run(instruction const& what, std::size_t first, std::size_t count, Visit visit) {
        std::size_t begin = 0;
        for (auto p = what.first_part; p != what.last_part; ++p) {
            auto const& part = run_.parts[p];
            auto const from = std::max(begin, first);
            auto const to = std::min(begin + part.count, first + count);
            if (from < to) { visit(buffers_.at(part.left) + (from - begin), to - from); }
            begin += part.count;
        }
    }

private:
    program const& run_;
    buffers<T>& buffers_;
};

}  // namespace tutti
