// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include <tutti/analysis/schedules_of.hpp>
#include <tutti/generator/named.hpp>

namespace tutti::analysis {

namespace goal {

/// The operations of one rank in GOAL's language. An operation requires those before it that wrote the blocks
/// it reads, and those that wrote or read the blocks it writes; everything else may overtake.
class rank_program {
public:
    rank_program(partition const& cut, std::size_t element_bytes, double nanoseconds_per_byte)
        : cut_{cut}, element_bytes_{element_bytes}, nanoseconds_per_byte_{nanoseconds_per_byte} {}

    void add(step const& it) {
        switch (it.what) {
            case action::send: {
                auto const label = message("send", "to", it, sent_);
                read(label, it.target, it.blocks);
                break;
            }
            case action::receive: write(message("recv", "from", it, received_), it.target, it.blocks); break;
            case action::receive_combine: {
                auto const arrived = message("recv", "from", it, received_);
                auto const label = compute(combined(it));
                require(label, arrived);
                write(label, it.target, it.blocks);
                break;
            }
            case action::combine:
            case action::copy: {
                auto const label = compute(it.combines() ? combined(it) : 0);
                read(label, it.source, it.blocks);
                write(label, it.target, it.blocks);
                break;
            }
        }
    }

    [[nodiscard]] std::string const& text() const { return text_; }

private:
    using operation = std::size_t;   // its number; 0: none
    using tally = std::unordered_map<std::size_t, std::size_t>;   // by peer

    struct cell {
        operation writer = 0;
        std::vector<operation> readers{};   // since then
        bool filled = false;
    };

    std::string bytes(block_list const& blocks) const {
        std::size_t elements = 0;
        for (auto const& range : blocks) { elements += cut_.size(range.first, range.last); }
        return std::to_string(elements * element_bytes_) + 'b';
    }

    /// The k-th message between two ranks carries tag k, so that messages match however they overtake.
    operation message(char const* what, char const* way, step const& it, tally& count) {
        return emit(std::string{what} + ' ' + bytes(it.blocks) + ' ' + way + ' ' + std::to_string(it.peer) + " tag " +
                    std::to_string(count[it.peer]++));
    }

    operation compute(std::size_t elements) {
        auto const time = static_cast<double>(elements * element_bytes_) * nanoseconds_per_byte_;
        return emit("calc " + std::to_string(static_cast<std::uint64_t>(std::llround(time))));
    }

    operation emit(std::string const& text) {
        required_.clear();
        text_ += 'l' + std::to_string(++last_) + ": " + text + '\n';
        return last_;
    }

    void require(operation later, operation earlier) {
        if (earlier == 0 || earlier == later) { return; }
        if (std::find(required_.begin(), required_.end(), earlier) != required_.end()) { return; }
        required_.push_back(earlier);
        text_ += 'l' + std::to_string(later) + " requires l" + std::to_string(earlier) + '\n';
    }

    /// Elements that find something to be combined with.
    std::size_t combined(step const& it) {
        std::size_t elements = 0;
        each_cell(it.target, it.blocks, [&](cell const& one, std::size_t block) {
            if (one.filled) { elements += cut_.size(block); }
        });
        return elements;
    }

    void read(operation by, buffer from, block_list const& blocks) {
        if (from == buffer::input()) { return; }
        each_cell(from, blocks, [&](cell& one, std::size_t) {
            require(by, one.writer);
            one.readers.push_back(by);
        });
    }

    void write(operation by, buffer into, block_list const& blocks) {
        each_cell(into, blocks, [&](cell& one, std::size_t) {
            require(by, one.writer);
            for (auto const reader : one.readers) { require(by, reader); }
            one = {by, {}, true};
        });
    }

    template <class Function>
    void each_cell(buffer which, block_list const& blocks, Function function) {
        if (which.index() >= buffers_.size()) { buffers_.resize(which.index() + 1); }
        auto& cells = buffers_[which.index()];
        if (cells.empty()) { cells.assign(cut_.blocks(), cell{0, {}, which.index() <= buffer::result().index()}); }
        for (auto const& range : blocks) {
            for (auto block = range.first; block < range.last; ++block) { function(cells[block], block); }
        }
    }

    partition const& cut_;
    std::size_t element_bytes_;
    double nanoseconds_per_byte_;
    std::string text_;
    operation last_ = 0;
    std::vector<operation> required_;   // by the last operation
    std::vector<std::vector<cell>> buffers_;
    tally sent_;
    tally received_;
};

}  // namespace goal

/// The schedules of all ranks in the GOAL language of LogGOPSim: messages of `element_bytes` per element,
/// combines as computations of `nanoseconds_per_byte` for each byte combined, copies as computations that take
/// no time.
/// Requires root < size, else throws std::invalid_argument.
/// Source: [hoefler09].
template <class Collective, generators::generator_for<Collective> Generator>
[[nodiscard]] std::string to_goal(Collective, Generator const& generator, std::size_t size, std::size_t root,
                                  partition const& cut, std::size_t element_bytes, double nanoseconds_per_byte = 1) {
    auto const schedules = analysis::schedules_of(Collective{}, generator, size, root, cut);
    auto result = "num_ranks " + std::to_string(size) + '\n';
    for (std::size_t rank = 0; rank < size; ++rank) {
        goal::rank_program program{cut, element_bytes, nanoseconds_per_byte};
        for (step const& it : schedules[rank]) { program.add(it); }
        result += "\nrank " + std::to_string(rank) + " {\n" + program.text() + "}\n";
    }
    return result;
}

}  // namespace tutti::analysis

namespace tutti {
using analysis::to_goal;
}  // namespace tutti
