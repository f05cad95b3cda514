// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include <tutti/dynamic_array.hpp>
#include <tutti/execution/program.hpp>
#include <tutti/execution/workspace.hpp>

namespace tutti {

/// The memories that the places of a program speak of: the caller's and the workspace.
template <class T>
class buffers {
public:
    explicit buffers(program const& run) {
        for (auto const size : run.workspaces) { work_.push_back(workspace<T>{size}); }
    }

    void bind(T const* input, T* output, T* second_output) {
        // The input is written only where the caller gave it as the output too.
        caller_ = {const_cast<T*>(input), output, second_output};
    }

    [[nodiscard]] T* at(place where) {
        return where.memory < place::first_workspace ? caller_[where.memory] + where.offset
                                                     : work(where).data() + where.offset;
    }

    /// How many of the first elements there are that can be assigned to. All or none, unless a shorter block was in the
    /// same workspace before.
    [[nodiscard]] std::size_t constructed(place where, std::size_t count) {
        return where.memory < place::first_workspace ? count : work(where).constructed(where.offset, count);
    }

    void mark_constructed(place where, std::size_t count) {
        if (where.memory >= place::first_workspace) { work(where).mark_constructed(where.offset, count); }
    }

    void assign(place where, std::size_t count, T const* source) {
        if (where.memory >= place::first_workspace) {
            work(where).assign(where.offset, count, source);
        } else if (at(where) != source) {
            std::copy_n(source, count, at(where));
        }
    }

    void fill(place where, std::size_t count, T const& value) {
        if (where.memory < place::first_workspace) {
            std::fill_n(at(where), count, value);
            return;
        }
        for (std::size_t i = 0; i != count; ++i) { assign({where.memory, where.offset + i}, 1, &value); }
    }

private:
    [[nodiscard]] workspace<T>& work(place where) { return work_[where.memory - place::first_workspace]; }

    std::array<T*, place::first_workspace> caller_{};
    dynamic_array<workspace<T>> work_;
};

}  // namespace tutti
