// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <map>
#include <set>
#include <vector>

#include <pugixml.hpp>

#include <tutti/analysis/from_file.hpp>
#include <tutti/analysis/read/rounds.hpp>

namespace tutti::analysis::msccl {

/// A chunk: of the buffers i, o, s, or t for what rrs has reduced and stores nowhere.
struct location {
    char buffer = 'i';
    std::size_t offset = 0;
    [[nodiscard]] location operator+(std::size_t chunks) const { return {buffer, offset + chunks}; }
    friend auto operator<=>(location const&, location const&) = default;
};

struct instruction {
    std::string_view type{};
    location source{};
    location target{};
    std::size_t chunks = 0;
    file_line at{};

    [[nodiscard]] bool receives() const { return type.starts_with('r') && type != "re"; }
    [[nodiscard]] bool reduces() const { return type.starts_with("rr") || type == "re"; }
    [[nodiscard]] bool sends() const { return type.ends_with('s'); }
    [[nodiscard]] location kept() const { return type == "rrs" ? location{'t', source.offset} : target; }
};

/// Where the data of all ranks lie while instructions take place, which become steps.
///
/// A block has the same place in all buffers of tutti, chunks of MSCCL may lie anywhere in scratch: each goes to the
/// first scratch buffer that has no other chunk of its block. What comes from a lower rank stands left.
class data_of_ranks {
public:
    data_of_ranks(schedule_table& into, bool in_place)
        : into_{into}, input_{in_place ? buffer::result() : buffer::input()}, ranks_(into.size) {}

    void send(placed_operation const& at, std::size_t peer, instruction const& now) {
        auto& message = under_way_[{at.rank, peer}].emplace_back();
        for (std::size_t i = 0; i != now.chunks; ++i) {
            auto const from = cell_at(at.rank, (now.receives() ? now.kept() : now.source) + i, now);
            if (message.empty() || message.back().where != from.where) { message.push_back({from.where, {}}); }
            message.back().blocks.push_back(from.block);
        }
        for (auto const& [where, blocks] : message) {
            now.at.add(into_, at.rank, step::send(at.round, peer, where, listed(blocks)));
        }
    }

    void receive(placed_operation const& at, std::size_t peer, instruction const& now) {
        auto const message = std::move(under_way_[{peer, at.rank}].front());
        under_way_[{peer, at.rank}].pop_front();
        std::size_t first = 0;
        for (auto const& [sent_from, blocks] : message) {
            std::vector<cell> own;
            for (std::size_t i = 0; now.reduces() && i != blocks.size(); ++i) {
                own.push_back(cell_at(at.rank, now.source + (first + i), now));
                require_block(own.back().block, blocks[i], now);
            }
            auto const into = room_at(at.rank, now.kept() + first, blocks, now);
            for (auto const& each : own) { copy(at, each, into, now); }
            auto what = step::receive(at.round, peer, into, listed(blocks));
            if (now.reduces()) {
                what.what = action::receive_combine;
                what.operand = peer < at.rank ? side::left : side::right;
            }
            now.at.add(into_, at.rank, std::move(what));
            first += blocks.size();
        }
        if (first != now.chunks) {
            now.at.refuse(text::joined({"cnt is ", now.chunks, ", and rank ", peer, " sends ", first}));
        }
    }

    /// An instruction without messages.
    void perform(placed_operation const& at, instruction const& now) {
        for (std::size_t i = 0; i != now.chunks; ++i) {
            auto const from = cell_at(at.rank, now.source + i, now);
            if (now.reduces()) {
                auto const into = cell_at(at.rank, now.target + i, now);
                require_block(into.block, from.block, now);
                now.at.add(into_, at.rank, step::combine(at.round, from.where, into.where, into.block, side::right));
            } else {
                copy(at, from, room_at(at.rank, now.target + i, {from.block}, now), now);
            }
        }
    }

private:
    struct cell {
        buffer where{};
        std::size_t block = 0;
    };
    struct part {
        buffer where;
        std::vector<std::size_t> blocks;
    };
    struct scratch_of_rank {
        std::map<location, cell> cells{};
        std::set<std::pair<std::size_t, std::uint32_t>> taken{};  ///< block and buffer
    };

    [[nodiscard]] static block_list listed(std::vector<std::size_t> const& blocks) {
        block_list result;
        for (std::size_t i = 0; i != blocks.size();) {
            auto const first = i;
            while (++i != blocks.size() && blocks[i] == blocks[i - 1] + 1) {}
            result.append({blocks[first], blocks[i - 1] + 1});
        }
        return result;
    }
    static void require_block(std::size_t wanted, std::size_t block, instruction const& now) {
        if (wanted == block) { return; }
        now.at.refuse(text::joined({"block ", block, " of the vector comes to the place of block ", wanted}));
    }
    void copy(placed_operation const& at, cell const& from, buffer into, instruction const& now) {
        if (from.where != into) { now.at.add(into_, at.rank, step::copy(at.round, from.where, into, from.block)); }
    }

    [[nodiscard]] cell cell_at(std::size_t rank, location const& of, instruction const& now) const {
        auto const found = ranks_[rank].cells.find(of);
        if (found != ranks_[rank].cells.end()) { return found->second; }
        auto const blocks = into_.cut.blocks();
        bool const is_divided = into_.collective == (of.buffer == 'i' ? collective::all_gather::name
                                                                      : collective::reduce_scatter::name);
        auto const all = is_divided ? ownership::blocks_of(rank, into_.size, blocks) : block_range{0, blocks};
        if ((of.buffer != 'i' && of.buffer != 'o') || of.offset >= all.last - all.first) {
            auto const name = std::string_view{&of.buffer, 1};
            now.at.refuse(text::joined({"nothing is in ", name, "[", of.offset, "] of rank ", rank}));
        }
        return {of.buffer == 'i' ? input_ : buffer::result(), all.first + of.offset};
    }

    /// Where these blocks, which come to chunks from `first` on, are written.
    [[nodiscard]] buffer room_at(std::size_t rank, location const& first, std::vector<std::size_t> const& blocks,
                                 instruction const& now) {
        auto& own = ranks_[rank];
        bool const is_scratch = first.buffer == 's' || first.buffer == 't';
        for (std::size_t i = 0; i != blocks.size(); ++i) {
            if (!is_scratch) {
                require_block(cell_at(rank, first + i, now).block, blocks[i], now);
            } else if (auto const found = own.cells.find(first + i); found != own.cells.end()) {
                own.taken.erase({found->second.block, found->second.where.index()});
            }
        }
        if (!is_scratch) { return first.buffer == 'i' ? input_ : buffer::result(); }
        auto where = buffer::scratch(0);
        auto const is_taken = [&](std::size_t block) { return own.taken.contains({block, where.index()}); };
        for (std::uint32_t i = 1; std::ranges::any_of(blocks, is_taken); ++i) { where = buffer::scratch(i); }
        for (std::size_t i = 0; i != blocks.size(); ++i) {
            own.taken.insert({blocks[i], where.index()});
            own.cells[first + i] = {where, blocks[i]};
        }
        return where;
    }

    schedule_table& into_;
    buffer input_;
    std::vector<scratch_of_rank> ranks_;
    std::map<std::pair<std::size_t, std::size_t>, std::deque<std::vector<part>>> under_way_{};
};

/// Reads MSCCL's XML: a step of a thread block waits for the one before it, and for one of another thread block. These
/// dependences become rounds.
class reader {
public:
    reader(std::string_view text, std::string_view file) : text_{text}, file_{file} {
        for (std::size_t i = 0; i != text.size(); ++i) {
            if (text[i] == '\n') { line_ends_.push_back(static_cast<std::ptrdiff_t>(i)); }
        }
    }

    /// Errors: broken_schedule, with the line.
    [[nodiscard]] schedule_table read() {
        pugi::xml_document all;
        auto const parsed = all.load_buffer(text_.data(), text_.size());
        if (!parsed) { line(parsed.offset).refuse(parsed.description()); }
        read_algorithm(all.child("algo"));
        data_of_ranks data{result_, in_place_};
        std::size_t rounds = 0;
        for (auto const& at : rounds_of_operations{operations_}.run()) {
            auto const& one = operations_[at.rank][at.index];
            auto const& now = instructions_[at.rank][at.index];
            rounds = at.round + 1;
            switch (one.what) {
            case operation::kind::send: data.send(at, one.peer, now); break;
            case operation::kind::receive: data.receive(at, one.peer, now); break;
            case operation::kind::local: data.perform(at, now); break;
            }
        }
        result_.rounds.assign(result_.size, rounds);
        return std::move(result_);
    }

private:
    [[nodiscard]] file_line line(std::ptrdiff_t offset) const {
        auto const before = std::ranges::lower_bound(line_ends_, offset) - line_ends_.begin();
        return {file_, static_cast<std::size_t>(before) + 1};
    }
    [[nodiscard]] file_line line(pugi::xml_node of) const { return line(of.offset_debug()); }
    [[nodiscard]] std::string_view word(pugi::xml_node of, char const* name) const {
        if (!of.attribute(name)) { line(of).refuse(text::joined({"an element ", of.name(), " has no ", name})); }
        return of.attribute(name).value();
    }
    using words = std::initializer_list<std::string_view>;
    [[nodiscard]] std::string_view word(pugi::xml_node of, char const* name, words all, std::string_view wanted) const {
        auto const found = std::ranges::find(all, word(of, name));
        if (found == all.end()) { line(of).refuse_word(word(of, name), wanted); }
        return *found;
    }
    [[nodiscard]] std::size_t number(pugi::xml_node of, char const* name, std::size_t most = most_cells) const {
        return line(of).number_in(word(of, name), text::joined({name, " of ", of.name()}), most);
    }

    void read_algorithm(pugi::xml_node algorithm) {
        auto const named = word(algorithm, "coll", {"allreduce", "allgather", "reducescatter", "reduce_scatter"},
                                "allreduce, allgather or reducescatter");
        result_.collective = named == "allreduce"   ? collective::all_reduce::name
                             : named == "allgather" ? collective::all_gather::name
                                                    : collective::reduce_scatter::name;
        result_.name = algorithm.attribute("name").value();
        result_.states_order = false;
        auto const chunks = number(algorithm, "nchunksperloop");
        line(algorithm).set_size(result_, number(algorithm, "ngpus", most_ranks), partition::equal(chunks, chunks));
        in_place_ = number(algorithm, "inplace", 1) == 1;
        operations_.resize(result_.size);
        instructions_.resize(result_.size);
        for (auto const gpu : algorithm.children("gpu")) { read_gpu(gpu, number(gpu, "id", result_.size - 1)); }
    }

    void read_gpu(pugi::xml_node gpu, std::size_t rank) {
        using place = std::pair<std::size_t, std::size_t>;  // of a step: its thread block, and its number there
        std::map<place, std::size_t> ends;
        std::vector<std::pair<std::size_t, place>> dependences;
        auto& all = operations_[rank];
        for (auto const block : gpu.children("tb")) {
            auto const id = number(block, "id");
            for (auto const each : block.children("step")) {
                place const at{id, number(each, "s")};
                auto const first = all.size();
                if (at.second != 0) { dependences.push_back({first, {id, at.second - 1}}); }
                if (word(each, "depid") != "-1") {
                    dependences.push_back({first, {number(each, "depid"), number(each, "deps")}});
                }
                read_step(each, block, rank);
                if (!ends.try_emplace(at, all.size() - 1).second) { line(each).refuse("this step is there twice"); }
            }
        }
        for (auto const& [index, on] : dependences) {
            auto const found = ends.find(on);
            if (found == ends.end()) {
                all[index].at.refuse(text::joined({"step ", on.second, " of tb ", on.first, " is missing before"}));
            }
            all[index].after.push_back(found->second);
        }
    }

    void read_step(pugi::xml_node each, pugi::xml_node block, std::size_t rank) {
        instruction now{.type = word(each, "type", {"nop", "s", "r", "cpy", "re", "rrc", "rrs", "rcs", "rrcs"},
                                     "nop, s, r, cpy, re, rrc, rrs, rcs or rrcs"),
                        .at = line(each)};
        if (now.type != "nop") {
            now.chunks = number(each, "cnt");
            now.source = {word(each, "srcbuf", {"i", "o", "s"}, "i, o or s").front(), number(each, "srcoff")};
            now.target = {word(each, "dstbuf", {"i", "o", "s"}, "i, o or s").front(), number(each, "dstoff")};
            in_place_ = in_place_ || (now.target.buffer == 'i' && now.type != "s" && now.type != "rrs");
        }
        auto& all = operations_[rank];
        auto const add = [&](operation::kind what, char const* peer) {
            operation one{what, 0, number(block, "chan"), {}, now.at};
            if (peer != nullptr) { one.peer = number(block, peer, result_.size - 1); }
            if (peer != nullptr && what == operation::kind::send && now.receives()) { one.after = {all.size() - 1}; }
            all.push_back(std::move(one));
            instructions_[rank].push_back(now);
        };
        if (now.receives()) { add(operation::kind::receive, "recv"); }
        if (now.sends()) { add(operation::kind::send, "send"); }
        if (!now.receives() && !now.sends()) { add(operation::kind::local, nullptr); }
    }

    std::string_view text_;
    std::string_view file_;
    std::vector<std::ptrdiff_t> line_ends_{};
    schedule_table result_{};
    bool in_place_ = false;
    std::vector<std::vector<operation>> operations_{};
    std::vector<std::vector<instruction>> instructions_{};  ///< of which operations are
};

/// Where this header is included, `from_file` reads XML.
inline bool const is_read = [] {
    read_xml = [](std::string_view text, std::string_view file) { return reader{text, file}.read(); };
    return true;
}();

}  // namespace tutti::analysis::msccl
