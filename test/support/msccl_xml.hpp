// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <tutti/analysis/schedules_of.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/problem.hpp>

namespace support {

/// A schedule as MSCCL's XML, which has no rounds, sides or names of scratch buffers: every range of blocks of every step is a
/// step of a thread block of its own, which waits for the one before it. Where ranks own parts of the result it is in place.
template <class Collective>
class msccl_xml {
public:
    template <class Generator>
    msccl_xml(Collective which, Generator const& generator, std::size_t size, tutti::partition const& cut)
        : size_{size}, blocks_{cut.blocks()} {
        auto const schedules = tutti::analysis::schedules_of(which, generator, size, 0, cut);
        for (std::size_t rank = 0; rank != size; ++rank) {
            body_ += " <gpu id=\"" + std::to_string(rank) + "\">\n";
            step_ = 0;
            filled_.clear();
            for (tutti::step const& each : schedules[rank]) {
                for (auto const& range : each.blocks) { add(rank, each, range); }
            }
            body_ += " </gpu>\n";
        }
    }

    /// False for schedules that use buffers which MSCCL has not.
    [[nodiscard]] bool fits() const { return fits_; }

    [[nodiscard]] std::string text() const {
        return "<algo name=\"test\" coll=\"" + name() + "\" ngpus=\"" + std::to_string(size_) + "\" nchunksperloop=\"" +
               std::to_string(blocks_) + "\" inplace=\"" + (in_place ? "1" : "0") + "\">\n" + body_ + "</algo>\n";
    }

private:
    static constexpr bool in_place = std::is_same_v<Collective, tutti::collective::reduce_scatter>;

    [[nodiscard]] static std::string name() {
        std::string result{Collective::name};
        std::erase(result, '_');
        return result;
    }

    /// What a step names, as attributes.
    std::string place(std::size_t rank, tutti::buffer where, std::size_t block, std::string const& end) {
        auto const own = tutti::ownership::blocks_of(rank, size_, blocks_);
        auto offset = block;
        std::string name = "s";
        if (where == tutti::buffer::input() || where == tutti::buffer::result()) {
            bool const is_input = where == tutti::buffer::input() || in_place;
            fits_ = fits_ && !(in_place && where == tutti::buffer::input());
            name = is_input ? "i" : "o";
            if (is_input && std::is_same_v<Collective, tutti::collective::all_gather>) { offset -= own.first; }
        } else {
            fits_ = fits_ && where != tutti::buffer::prefix();
            offset += (where.index() - tutti::buffer::scratch(0).index()) * blocks_;
        }
        return ' ' + end + "buf=\"" + name + "\" " + end + "off=\"" + std::to_string(offset) + '"';
    }

    void add(std::size_t rank, tutti::step const& each, tutti::schedules::block_range range) {
        using tutti::schedules::action;
        auto const cells = std::pair{each.target.index(), range.first};
        bool const starts_empty = each.target.index() > tutti::buffer::result().index();
        bool const combines = each.combines() && (!starts_empty || filled_.contains(cells));
        if (each.what != action::send) { filled_.insert(cells); }
        auto const* const type = each.what == action::send ? "s"
                                 : each.receives()         ? (combines ? "rrc" : "r")
                                                           : (combines ? "re" : "cpy");
        auto const channel = each.communicates() ? sent_[{each.receives() ? each.peer : rank,
                                                          each.receives() ? rank : each.peer, each.receives()}]++
                                                 : 0;
        auto const peer = [&](bool is) { return is ? std::to_string(each.peer) : std::string{"-1"}; };
        auto const source = each.communicates() ? each.target : each.source;
        body_ += "  <tb id=\"" + std::to_string(step_) + "\" send=\"" + peer(each.what == action::send) + "\" recv=\"" +
                 peer(each.receives()) + "\" chan=\"" + std::to_string(channel) + "\"><step s=\"0\" type=\"" + type + '"' +
                 place(rank, source, range.first, "src") + place(rank, each.target, range.first, "dst") + " cnt=\"" +
                 std::to_string(range.last - range.first) + "\" depid=\"" +
                 (step_ == 0 ? "-1\" deps=\"-1" : std::to_string(step_ - 1) + "\" deps=\"0") + "\" hasdep=\"1\"/></tb>\n";
        ++step_;
    }

    std::size_t size_;
    std::size_t blocks_;
    std::size_t step_ = 0;
    bool fits_ = true;
    std::set<std::pair<std::uint32_t, std::size_t>> filled_;
    std::map<std::tuple<std::size_t, std::size_t, bool>, std::size_t> sent_;
    std::string body_;
};

}  // namespace support
