// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tutti/arrival/clock.hpp>
#include <tutti/communicator/agreement.hpp>
#include <tutti/communicator/control_channel.hpp>
#include <tutti/mpi.hpp>
#include <watch/expected_gain.hpp>
#include <watch/known_communicators.hpp>
#include <watch/options.hpp>
#include <watch/site_table.hpp>
#include <watch/ticks.hpp>

namespace tutti::watch {

/// What `TUTTI=report` prints in MPI_Finalize. Until then nothing is sent: each rank keeps when it came to its calls,
/// and the offsets of the ranks' clocks are measured in MPI_Init and in MPI_Finalize, and taken for a straight line in
/// between.
class call_table {
public:
    [[nodiscard]] static call_table& get() {
        static auto& one = *new call_table;
        return one;
    }

    /// On all ranks after MPI_Init, which have the private communicator of MPI_COMM_WORLD.
    void begin(std::optional<named_file> const& file) {
        file_ = file;
        begun_ = read_clock();
        rate_.emplace(begun_.tick, begun_.nanoseconds);
    }

    /// On all ranks before MPI_Finalize.
    void print() noexcept {
        if (!rate_) {
            std::fputs("tutti: no report, since MPI gave a rank no private communicator in MPI_Init\n", stderr);
            return;
        }
        try {
            find_last_ones();
            auto const rows = rows_of_all_ranks();
            if (world().rank() == 0) { write(site_table{rows}); }
        } catch (std::exception const& wrong) { std::fprintf(stderr, "tutti: no report: %s\n", wrong.what()); }
    }

private:
    struct reading {
        std::uint64_t tick = 0;
        std::int64_t nanoseconds = 0;  // of this rank's clock
        std::int64_t offset = 0;       // to the clock of rank 0
    };
    using channel = messaging::control_channel<mpi::communicator>;

    call_table() = default;

    [[nodiscard]] static mpi::communicator& world() { return communicator_of<MPI_Comm>::get(MPI_COMM_WORLD); }

    [[nodiscard]] static reading read_clock() {
        reading result;
        result.offset = monitoring::offset_to_rank_0(world());
        result.tick = ticks::now();
        result.nanoseconds = mpi::communicator::now();
        return result;
    }

    /// Of each call, which rank came last, and how long this one has waited for it.
    void find_last_ones() {
        auto const now = read_clock();
        rate_->read_again(now.tick, now.nanoseconds);
        auto const passed = static_cast<double>(now.nanoseconds - begun_.nanoseconds);
        auto const drift = passed > 0 ? static_cast<double>(now.offset - begun_.offset) / passed : 0;
        // on the clock of rank 0, since this rank's MPI_Init
        auto const on_common_clock = [&](std::uint64_t tick) {
            auto const own = rate_->since_begin(tick);
            return static_cast<double>(begun_.nanoseconds + begun_.offset) + own * (1 + drift);
        };
        channel messages{world()};
        auto const everywhere = ids_of_all(messages);
        known_communicators::get().for_all_ever([&](known_communicator& each) {
            if (each.members.size() < 2 || !std::binary_search(everywhere.begin(), everywhere.end(), each.id)) {
                return;
            }
            evaluate(messages, each, on_common_clock);
        });
    }

    /// The communicators that all their ranks know, with as many calls and stamps on each: of others, which a wrong
    /// program can have, nothing is evaluated.
    [[nodiscard]] static std::vector<std::uint64_t> ids_of_all(channel& messages) {
        struct count {
            std::uint64_t ranks = 0;    // that have the same
            std::uint64_t members = 0;  // that should
        };
        std::map<std::uint64_t, count> counts;  // by a digest of communicator, calls and stamps
        std::vector<std::pair<std::uint64_t, std::uint64_t>> mine;
        known_communicators::get().for_all_ever([&](known_communicator const& each) {
            if (each.stamps.kept().empty()) { return; }
            auto const digest = each.id * 1000003 + each.calls * 31 + each.stamps.kept().size();
            mine.emplace_back(digest, each.id);
            counts[digest] = {1, each.members.size()};
        });
        control::binomial_tree const tree{messages.rank(), messages.size()};
        for (int const child : tree.children()) {
            auto const theirs = receive<std::vector<std::uint64_t>>(messages, child);
            for (std::size_t i = 0; i + 2 < theirs.size(); i += 3) {
                auto& all = counts[theirs[i]];
                all = {all.ranks + theirs[i + 1], theirs[i + 2]};
            }
        }
        std::vector<std::uint64_t> complete;
        if (tree.has_parent()) {
            std::vector<std::uint64_t> words;
            for (auto const& [digest, all] : counts) { words.insert(words.end(), {digest, all.ranks, all.members}); }
            send(messages, tree.parent(), words);
            complete = receive<std::vector<std::uint64_t>>(messages, tree.parent());
        } else {
            for (auto const& [digest, all] : counts) {
                if (all.ranks == all.members) { complete.push_back(digest); }
            }
        }
        for (int const child : tree.longest_first()) { send(messages, child, complete); }
        std::vector<std::uint64_t> ids;
        for (auto const& [digest, id] : mine) {
            if (std::binary_search(complete.begin(), complete.end(), digest)) { ids.push_back(id); }
        }
        std::sort(ids.begin(), ids.end());
        return ids;
    }

    struct arrival {
        double time;
        std::int64_t rank;
    };

    template <class Clock>
    static void evaluate(channel& messages, known_communicator& on, Clock on_common_clock) {
        auto const& stamps = on.stamps.kept();
        std::vector<arrival> latest;
        latest.reserve(stamps.size());
        for (auto const& each : stamps) { latest.push_back({on_common_clock(each.begun), messages.rank()}); }
        auto const own = latest;
        auto const place = std::find(on.members.begin(), on.members.end(), messages.rank()) - on.members.begin();
        control::binomial_tree const tree{static_cast<int>(place), static_cast<int>(on.members.size())};
        auto const world_rank = [&](int member) { return on.members[static_cast<std::size_t>(member)]; };
        auto theirs = latest;
        for (int const child : tree.children()) {
            messages.receive(world_rank(child), std::as_writable_bytes(std::span{theirs}));
            for (std::size_t i = 0; i != latest.size(); ++i) {
                if (theirs[i].time > latest[i].time) { latest[i] = theirs[i]; }
            }
        }
        if (tree.has_parent()) {
            messages.send(world_rank(tree.parent()), std::as_bytes(std::span{latest}));
            messages.receive(world_rank(tree.parent()), std::as_writable_bytes(std::span{latest}));
        }
        for (int const child : tree.longest_first()) {
            messages.send(world_rank(child), std::as_bytes(std::span{latest}));
        }
        auto const weight = static_cast<double>(on.stamps.stride());
        for (std::size_t i = 0; i != stamps.size(); ++i) {
            auto& site = *on.sites[stamps[i].site];
            auto const inside = on_common_clock(stamps[i].begun + stamps[i].ticks()) - own[i].time;
            site.waited += std::clamp(latest[i].time - own[i].time, 0.0, inside);
            site.stamped_time += inside;
            site.stamped += weight;
            site.last[static_cast<int>(latest[i].rank)] += weight;
        }
    }

    [[nodiscard]] site_rows rows_of_all_ranks() const {
        site_rows rows;
        auto& own = world();
        known_communicators::get().for_all_ever([&](known_communicator& each) {
            for (auto const& site : each.sites) {
                if (site->calls == 0) { continue; }
                site_row row;
                row.function = site->name;
                row.place = code_place::of(site->returns_to);
                row.communicator = each.name;
                row.ranks = 1;
                row.members = each.members.size();
                row.calls = site->calls;
                row.seconds = rate_->nanoseconds(0, 1) * site->ticks() * 1e-9;
                row.waited = site->stamped_time > 0 ? row.seconds * site->waited / site->stamped_time : 0;
                row.stamped = site->stamped;
                row.bytes = site->bytes;
                row.taken = site->taken;
                row.algorithm = site->algorithm;
                row.saved = site->saved;
                if (site->taken < site->calls) {
                    row.left = site->left != nullptr ? site->left : "not one that tutti has";
                }
                row.last.assign(site->last.begin(), site->last.end());
                auto const* const same = each.id == known_communicators::sum_of_freed ? rows.find(row) : nullptr;
                if (same != nullptr && same->seconds > 0) { row.waited = row.seconds * same->waited / same->seconds; }
                rows.add(row, true);
            }
        });
        channel messages{own};
        control::binomial_tree const tree{messages.rank(), messages.size()};
        for (int const child : tree.children()) {
            rows.add(receive<std::string>(messages, child));
        }
        if (tree.has_parent()) {
            send(messages, tree.parent(), rows.bytes());
        } else {
            for (auto& each : rows.all) {
                if (each.taken == 0) {
                    each.saved = static_cast<double>(each.calls) *
                                 expected_gain(each.function, each.bytes.median(), each.members, own.nodes());
                }
            }
        }
        return rows;
    }

    /// A vector or text, after its length.
    template <class Elements>
    static void send(channel& messages, int peer, Elements const& elements) {
        std::array<std::uint64_t, 1> const size{elements.size()};
        messages.send(peer, std::as_bytes(std::span{size}));
        messages.send(peer, std::as_bytes(std::span{elements}));
    }
    template <class Elements>
    [[nodiscard]] static Elements receive(channel& messages, int peer) {
        std::array<std::uint64_t, 1> size{};
        messages.receive(peer, std::as_writable_bytes(std::span{size}));
        Elements elements(size[0], {});
        messages.receive(peer, std::as_writable_bytes(std::span{elements}));
        return elements;
    }

    void write(site_table const& table) const {
        auto const ranks = world().size();
        auto const seconds = static_cast<double>(mpi::communicator::now() - begun_.nanoseconds) * 1e-9;
        if (!file_) {
            auto const text = table.text(ranks, seconds);
            std::fwrite(text.data(), 1, text.size(), stderr);
            return;
        }
        file_->write("report", file_->path.ends_with(".json")  ? table.json(ranks, seconds)
                               : file_->path.ends_with(".csv") ? table.csv()
                                                               : table.text(ranks, seconds));
    }

    std::optional<named_file> file_;
    reading begun_;
    std::optional<tick_rate> rate_;
};

}  // namespace tutti::watch
