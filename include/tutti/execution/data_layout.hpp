// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstdint>

#include <tutti/execution/program.hpp>
#include <tutti/schedule.hpp>

namespace tutti {

/// Where the caller's data is on this rank, and which results the caller wants.
struct data_layout {
    std::uint32_t result = place::nowhere;  ///< memory of buffer `result`, as far as it is wanted; nowhere: workspace
    std::uint32_t prefix = place::nowhere;  ///< memory of buffer `prefix`
    block_range provided;                      ///< blocks whose operands the caller gives
    block_range required;                     ///< blocks of `result` that the caller reads at the end
    std::size_t input_offset = 0;           ///< first element of the vector that the input memory holds
    std::size_t result_offset = 0;          ///< the same of the memory of `result`
    /// What is wanted is made in workspace, and copied to the beginning of the input when no instruction reads that any
    /// more: the rest of it stays as it is.
    bool compact_result = false;
    bool fills_prefix = false;              ///< what stays empty of the prefix becomes the identity
    bool block_by_block = false;            ///< one part per block, on both sides of a message alike
    std::size_t may_overtake = everything;  ///< elements; longer messages wait for what earlier rounds bring
    std::size_t longest_message = everything;  ///< elements; longer messages are cut, on both sides alike

    static constexpr std::size_t everything = static_cast<std::size_t>(-1);
};

}  // namespace tutti
