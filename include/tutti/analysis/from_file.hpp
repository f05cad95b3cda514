// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tutti/analysis/read/goal.hpp>
#include <tutti/analysis/read/json.hpp>
#include <tutti/analysis/verify.hpp>

namespace tutti::analysis {

/// What reads XML; null unless the program includes <tutti/analysis/read/msccl.hpp>.
inline schedule_table (*read_xml)(std::string_view text, std::string_view file) = nullptr;

/// As an algorithm: the schedules in a file of `to_json`, of MSCCL (XML) or in GOAL, for the number of ranks and the
/// root of the file.
///
/// In its first call, ranks compare digests of the file and prove the schedules for the collective, the blocks of the
/// file, and any operator, or any that commutes. A vector with fewer elements has the first of these blocks.
/// Errors: std::runtime_error if the file cannot be read, broken_schedule with file and line if it holds no schedule.
/// From calls: broken_schedule with rank, step and block if the proof fails; mismatched_calls if the files of ranks
/// differ; std::invalid_argument for other ranks, another root, and operators that are not known to commute but must.
/// Cost: O(n) for the n steps of all ranks, to read them and to prove them. Copies share both.
class from_file {
public:
    explicit from_file(std::string const& path) : from_file{contents_of(path), path} {}
    from_file(std::string_view text, std::string const& name) : held_{std::make_shared<contents>()} {
        held_->table = table_in(text, name);
        held_->path = name;
        held_->digest = text::hash_of_name(text);
    }

    [[nodiscard]] schedule_table const& table() const { return held_->table; }
    [[nodiscard]] std::string const& path() const { return held_->path; }
    [[nodiscard]] std::uint64_t digest() const { return held_->digest; }

    /// The proved properties for a collective; if the schedules are wrong, those that the file states.
    template <class Collective>
    [[nodiscard]] facts const& proved() const {
        return proof_of<Collective>().stated;
    }

    /// Whether a call of this many ranks may take it. Throws broken_schedule if none may.
    template <class Collective>
    [[nodiscard]] bool suits(std::size_t size, bool commutes) const {
        auto const& known = proof_of<Collective>();
        if (!known.reason.empty()) { throw broken_schedule{path() + ": " + known.reason}; }
        return size == table().size && (commutes || !known.stated.requires_commutative);
    }

    template <class Collective, bool Commutes, bool HasIdentity>
    [[nodiscard]] selection::held_algorithm* hold() const {
        static_cast<void>(suits<Collective>(1, true));
        return selection::hold_generator<Collective>(*this, *this);
    }

    /// The part of one rank, of a vector of which every owner has the first of its blocks, or all.
    [[nodiscard]] lazy_schedule schedule_of(problem const& at, std::size_t owners) const {
        auto const blocks = table().cut.blocks();
        auto const wanted = at.blocks.blocks();
        if (at.size != table().size || at.root != table().root || wanted > blocks || blocks % owners != 0) {
            throw std::invalid_argument{text::joined(
                {"tutti: ", path(), " is for ", text::word(table().size, "rank"), ", root ", table().root, " and ",
                 text::word(blocks, "block"), ", not for ", at.size, ", ", at.root, " and ", wanted})};
        }
        auto const step_number = [=, held = held_, rank = at.rank](std::size_t i) {
            auto const& each = held->table.steps[rank][i];
            return wanted == blocks ? each : with_first_blocks(each, blocks / owners, wanted / owners);
        };
        auto const steps = table().steps[at.rank].size();
        return without_empty_blocks(at.blocks,
                                    schedules::indexed_schedule(table().rounds[at.rank], steps, step_number));
    }

    friend bool operator==(from_file const& a, from_file const& b) {
        return a.digest() == b.digest() && a.path() == b.path();
    }
    // friends, which do not hide those of other generators here
    template <class Collective>
    [[nodiscard]] friend facts const& facts_about(Collective, from_file const& from) {
        return from.template proved<Collective>();
    }
    template <class Collective>
    [[nodiscard]] friend std::string name_of(Collective, from_file const& from) {
        return generators::name_with_parts("from_file", {from.path()});
    }
    template <class Collective>
    [[nodiscard]] friend std::size_t blocks_for(Collective, from_file const& from, std::size_t, std::size_t) {
        return from.table().cut.blocks();
    }

private:
    struct proof {
        facts stated{};
        std::string reason{};  ///< why no call may take it
    };
    struct contents {
        schedule_table table{};
        std::string path{};
        std::uint64_t digest = 0;
        std::mutex lock{};
        std::map<std::string_view, proof> proofs{};  ///< by collective
    };

    [[nodiscard]] static std::string contents_of(std::string const& path) {
        std::ifstream in{path, std::ios::binary};
        std::string text{std::istreambuf_iterator<char>{in}, {}};
        if (!in.is_open() || in.bad()) { throw std::runtime_error{"tutti: cannot read the file " + path}; }
        return text;
    }

    [[nodiscard]] static schedule_table table_in(std::string_view text, std::string_view file) {
        auto const first = text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()), 1);
        if (first == "{") { return json_reader{text, file}.read(); }
        if (first != "<") { return goal_reader{text, file}.read(); }
        if (read_xml == nullptr) {
            file_line{file}.refuse("to read XML, the program has to include <tutti/analysis/read/msccl.hpp>");
        }
        return read_xml(text, file);
    }

    /// Of the `pieces` blocks of each owner, the first `kept`.
    [[nodiscard]] static step with_first_blocks(step each, std::size_t pieces, std::size_t kept) {
        auto const all = std::exchange(each.blocks, {});
        for (auto const& range : all) {
            for (auto block = range.first; block < range.last;) {
                auto const owner = block / pieces;
                auto const end = std::min(range.last, (owner + 1) * pieces);
                auto const moved = [&](std::size_t one) { return owner * kept + std::min(one - owner * pieces, kept); };
                each.blocks.append({moved(block), moved(end)});
                block = end;
            }
        }
        return each;
    }

    template <class Collective>
    [[nodiscard]] proof const& proof_of() const {
        std::lock_guard const locked{held_->lock};
        auto const [found, is_new] = held_->proofs.try_emplace(Collective::name);
        if (is_new) { found->second = prove<Collective>(held_->table); }
        return found->second;
    }

    template <class Collective>
    [[nodiscard]] static proof prove(schedule_table table) {
        proof result{table.stated};
        auto& stated = result.stated;
        stated.name = "from_file";
        stated.requires_commutative = !table.states_order || stated.requires_commutative;
        stated.identical_on_all_ranks = stated.one_ported = false;
        if (!table.collective.empty() && table.collective != Collective::name) {
            result.reason = text::joined({"the file is for ", table.collective, ", not for ", Collective::name});
            return result;
        }
        if (collective::divides<Collective> && table.cut.blocks() % table.size != 0) {
            result.reason = "its blocks cannot be divided among the ranks";
            return result;
        }
        table.cut = partition::equal(table.cut.blocks(), table.cut.blocks());
        auto const reason_against = [&](facts const& claimed) {
            table.stated = claimed;
            return analysis::verify(Collective{}, tabulated{&table}, table.size, table.root, table.cut).reason;
        };
        result.reason = reason_against(stated);
        auto const claim = [&](bool facts::*property, bool value) {
            auto stronger = stated;
            stronger.*property = value;
            if (result.reason.empty() && reason_against(stronger).empty()) { stated = stronger; }
        };
        if (!table.states_order) { claim(&facts::requires_commutative, false); }
        claim(&facts::identical_on_all_ranks, true);
        claim(&facts::one_ported, true);
        return result;
    }

    std::shared_ptr<contents> held_;
};

template <class Collective>
constexpr facts describe(Collective, std::type_identity<from_file>) {
    return {.name = "from_file", .identical_on_all_ranks = false, .one_ported = false};
}

template <class Collective>
[[nodiscard]] lazy_schedule generate(Collective, from_file const& from, problem const& at) {
    return from.schedule_of(at, collective::divides<Collective> ? at.size : 1);
}

/// The generator of the schedules in a file, see `from_file`.
[[nodiscard]] inline from_file read(std::string const& path) { return from_file{path}; }

}  // namespace tutti::analysis

namespace tutti {
using analysis::from_file;
}  // namespace tutti
