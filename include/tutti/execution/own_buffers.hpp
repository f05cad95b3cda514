// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <limits>

#include <tutti/dynamic_array.hpp>
#include <tutti/execution/program.hpp>
#include <tutti/execution/workspace.hpp>

namespace tutti {

/// Memory for all receives of a program at the same time.
///
/// Blocks that no earlier instruction accesses are received right into place. Everything else, what is combined and
/// what overwrites, gets scratch that is used once in a run: as many elements as come in that way.
template <class T>
class own_buffers {
public:
    explicit own_buffers(program const& run) {
        std::size_t used = 0;
        offsets_.reserve(run.instructions.size());
        for (auto const& each : run.instructions) {
            bool const in_scratch = each.receives() && !is_free_from_the_start(each);
            offsets_.push_back(in_scratch ? used : in_place);
            if (in_scratch) { used += each.elements; }
        }
        scratch_ = workspace<T>{used};
    }

    /// Where the elements of instruction `i` go from element `first` on; null if that is their place.
    [[nodiscard]] T* scratch_for(std::size_t i, std::size_t first) {
        return offsets_[i] != in_place ? scratch_.data() + offsets_[i] + first : nullptr;
    }

    /// Elements of scratch.
    [[nodiscard]] std::size_t size() const { return scratch_.size(); }

private:
    static constexpr std::size_t in_place = std::numeric_limits<std::size_t>::max();

    [[nodiscard]] static bool is_free_from_the_start(instruction const& what) {
        return what.what == action::receive && what.predecessors == 0 && what.last_part - what.first_part == 1;
    }

    dynamic_array<std::size_t> offsets_;  // in scratch, of each instruction
    workspace<T> scratch_;
};

}  // namespace tutti
