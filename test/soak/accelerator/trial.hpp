// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpi.h>

#include "../random.hpp"
#include "datatype.hpp"
#include "memory.hpp"
#include "operators.hpp"
#include "perform.hpp"

namespace soak {

/// A communicator, and this rank of it. Of an intercommunicator the other group is what data come from.
struct team {
    MPI_Comm comm;
    int rank;
    int size;
    bool is_inter;
    int side;         ///< this rank's group of an intercommunicator
    int remote_size;  ///< of the other one
};

/// What calls have in common that come again and again: the function, the number and signature of elements, the
/// operator.
struct kind_of_call {
    enum use { any, often, broadcast };  ///< `often`: mostly one of those that tutti performs where that pays

    std::uint64_t seed;
    use of = any;
};

/// A random call: its arguments on this rank, and what its memory is to be afterwards, known without MPI but for
/// MPI_Reduce_local. Of a kind and a seed, each rank draws for itself all that ranks may have each in their own way.
class trial {
public:
    trial(kind_of_call const& of, std::uint64_t seed, team const& on)
        : seed_{seed}, on_{on}, from_{mixed(of.seed, 1)}, own_{mixed(seed, 1000U + static_cast<unsigned>(on.rank))} {
        a_.comm = on.comm;
        constexpr std::array inter{routine::barrier, routine::bcast, routine::allreduce, routine::allgather};
        which_ = on.is_inter ? inter[from_.below(inter.size())] : static_cast<routine>(from_.below(routines));
        bool const is_often = of.of != kind_of_call::any;
        constexpr std::array usual{routine::allreduce, routine::allreduce, routine::allreduce, routine::bcast,
                                   routine::allgather, routine::reduce,     routine::scan,       routine::gather,
                                   routine::scatter};
        if (is_often && !on.is_inter && !from_.one_in(6)) { which_ = usual[from_.below(usual.size())]; }
        if (which_ == routine::barrier && from_.one_in(2)) { which_ = routine::allreduce; }
        how_ = from_.one_in(is_often ? 20 : 4) ? form::nonblocking : form::blocking;
        int const roots = on.is_inter ? std::min(on.size, on.remote_size) : on.size;  // as many on both sides
        draw each_time{mixed(seed, 3)};
        a_.root = static_cast<int>((from_.one_in(3) ? each_time : from_).below(static_cast<std::size_t>(roots)));
        double const longest = is_often ? 16e3 : 300e3;
        bytes_ = static_cast<std::size_t>(std::exp(static_cast<double>(from_.below(1000)) / 1000 * std::log(longest)));
        if (is_often && bytes_ < 1024 && from_.one_in(2)) { bytes_ = from_.from(1024, 8192); }
        if (from_.one_in(is_often ? 40 : 12)) { bytes_ = 0; }
        if (of.of == kind_of_call::broadcast) {
            which_ = routine::bcast;
            how_ = form::blocking;
            bytes_ = 4096;
        }
#if MPI_VERSION >= 4
        if (!on.is_inter && from_.one_in(is_often ? 20 : 8)) { how_ = form::persistent; }
        large_ = own_.one_in(4);
#endif
        in_place_ = !on.is_inter && from_.one_in(4);
        // An allreduce in place on some ranks alone is beyond the standard; only nonblocking ones of Open MPI do not
        // perform it
        bool const may_differ = which_ <= routine::exscan && which_ != routine::reduce &&
                                (which_ != routine::allreduce || how_ == form::blocking);
        if (may_differ && !on.is_inter && from_.one_in(2)) { in_place_ = own_.one_in(2); }
        // MPICH 4.0 reads from MPI_IN_PLACE where the root of MPI_Reduce is not rank 0
        if (which_ == routine::reduce && !is_open_mpi) { in_place_ = false; }
        if (which_ <= routine::exscan) {
            reduction();
        } else if (which_ != routine::barrier) {
            movement();
        }
#if MPI_VERSION >= 4
        a_.large_counts.assign(a_.counts.begin(), a_.counts.end());
        a_.large_displacements.assign(a_.displacements.begin(), a_.displacements.end());
#endif
    }
    trial(trial const&) = delete;
    trial& operator=(trial const&) = delete;
    ~trial() {
        if (request_ != MPI_REQUEST_NULL) { MPI_Request_free(&request_); }
        free_operator();
    }

    [[nodiscard]] std::string words() const {
        constexpr char const* forms[] = {"MPI_", "MPI_I", "persistent MPI_"};
        return forms[static_cast<int>(how_)] + std::string{names_of_routines[static_cast<int>(which_)]} +
               (large_ ? "_c" : "") + (in_place_ ? ", in place" : "") + (on_.is_inter ? ", between groups" : "") +
               ", root " + std::to_string(a_.root) + ", rank " + std::to_string(on_.rank) + " of " +
               std::to_string(on_.size) + words_;
    }
    [[nodiscard]] bool is_blocking() const { return how_ == form::blocking; }

    void begin(std::size_t site) {
        code_ = perform(site, which_, how_, large_, a_, &request_);
#if MPI_VERSION >= 4
        if (how_ == form::persistent) { MPI_Start(&request_); }
#endif
        if (how_ == form::nonblocking && own_.one_in(3)) {  // what the call still needs, MPI keeps
            free_operator();
            if (owner_) { owner_->free(); }
            for (auto* const each : {&in_, &out_}) {
                if (*each) {
                    (*each)->type.free();
                    if ((*each)->absolute) { (*each)->absolute->free(); }
                }
            }
        }
    }
    [[nodiscard]] bool test() {
        int done = 0;
        MPI_Test(&request_, &done, MPI_STATUS_IGNORE);
        return done != 0;
    }
    void wait() { MPI_Wait(&request_, MPI_STATUS_IGNORE); }
    void begin_by_mpi() { code_ = perform_by_mpi(which_, how_, a_); }

    /// What differs in memory from what it should be.
    [[nodiscard]] std::optional<std::string> flaw() {
        if (code_ != MPI_SUCCESS) { return "error " + std::to_string(code_); }
        for (auto* const each : {&in_, &out_}) {
            if (!*each) { continue; }
            if (auto const wrong = (*each)->flaw()) { return (each == &in_ ? "what is sent" : "the result") + *wrong; }
        }
        return std::nullopt;
    }

private:
    struct buffer {
        datatype type;
        memory where;
        bytes due;
        std::optional<datatype> absolute;
        std::vector<entry> padding;  ///< in an element of a pair, which has any value
        entry undefined{0, 0};       ///< from the address on

        [[nodiscard]] void* address() const { return absolute ? MPI_BOTTOM : where.base(); }
        [[nodiscard]] MPI_Datatype handle() const { return absolute ? absolute->handle() : type.handle(); }

        [[nodiscard]] std::optional<std::string> flaw() {
            auto const& all = where.all();
            auto const ignore = [&](std::byte const* from, std::size_t n) {
                std::copy_n(from, n, due.begin() + (from - all.data()));
            };
            where.for_each_element(type.extent(), [&](std::byte const* element) {
                for (auto const& gap : padding) { ignore(element + gap.at, gap.bytes); }
            });
            ignore(where.base() + undefined.at, undefined.bytes);
            if (all == due) { return std::nullopt; }
            std::size_t different = 0;
            MPI_Aint first = 0;
            for (auto i = all.size(); i-- != 0;) {
                if (all[i] != due[i]) {
                    ++different;
                    first = all.data() + i - where.base();
                }
            }
            return " differs in " + std::to_string(different) + " bytes, the first at " + std::to_string(first);
        }
    };

    [[nodiscard]] std::uint64_t seed_of(int rank, int what) const {
        return mixed(seed_, static_cast<std::uint64_t>(rank) * 16 + static_cast<std::uint64_t>(what));
    }
    void free_operator() {
        if (a_.op != MPI_OP_NULL && is_users_ && !keeps_operator_) { MPI_Op_free(&a_.op); }
    }
    /// What is not significant may be anything.
    template <class T>
    [[nodiscard]] T any(T one, T other) {
        return own_.one_in(2) ? one : other;
    }

    /// Whether MPI itself may perform the call, whose own faults are not to be met.
    [[nodiscard]] bool by_mpi_perhaps() const { return how_ != form::blocking || on_.is_inter || !tutti_has("all!"); }

    /// Whether a word is in the environment variable TUTTI.
    [[nodiscard]] static bool tutti_has(std::string_view what) {
        char const* const says = std::getenv("TUTTI");
        auto const words = ',' + std::string{says != nullptr ? says : ""} + ',';
        return words.find(',' + std::string{what} + ',') != std::string::npos;
    }

#if defined(OPEN_MPI)
    static constexpr bool is_open_mpi = true;
#else
    static constexpr bool is_open_mpi = false;
#endif

    // ---- movements -------------------------------------------------------------------------------------------------

    /// Units of the signature that a rank gives or gets, `factor_` or a multiple of it.
    [[nodiscard]] std::vector<std::size_t> draw_units(std::size_t ranks, bool equal) {
        auto const unit = std::accumulate(unit_.begin(), unit_.end(), std::size_t{0},
                                          [](std::size_t sum, basic const& each) { return sum + each.bytes; });
        auto const mean = bytes_ / unit / factor_ / ranks;
        std::vector<std::size_t> result(ranks, factor_ * mean);
        if (!equal) {
            for (auto& each : result) { each = from_.one_in(4) ? 0 : factor_ * from_.below(2 * mean + 2); }
        }
        return result;
    }
    [[nodiscard]] bytes data_of(int rank, std::size_t units) const {
        std::size_t unit = 0;
        for (auto const& each : unit_) { unit += each.bytes; }
        return noise(seed_of(rank, 1), units * unit);
    }

    /// Memory for parts of so many units, where `displacements`, if any, get where the parts begin.
    void make(std::optional<buffer>& to, std::vector<std::size_t> const& units, std::vector<int>* counts,
              std::vector<int>* displacements) {
        std::size_t k = factor_;
        if (!same_sizes_) {
            k = 1 + own_.below(factor_);
            while (factor_ % k != 0) { --k; }
        }
        signature whole;
        for (std::size_t i = 0; i != k; ++i) { whole.insert(whole.end(), unit_.begin(), unit_.end()); }
        if (own_.one_in(3)) {
            for (auto& each : whole) { each.handle = alias(each.handle, false, own_); }
        }
        std::vector<memory::range> ranges(units.size());
        for (std::size_t r = 0; r != units.size(); ++r) { ranges[r].count = units[r] / k; }
        std::vector<std::size_t> order(units.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        MPI_Aint at = 0;
        if (displacements != nullptr) {
            if (own_.one_in(2)) { own_.shuffle(order); }
            at = own_.one_in(6) ? -static_cast<MPI_Aint>(own_.below(5)) : static_cast<MPI_Aint>(own_.below(3));
        }
        bool const has_gaps = displacements != nullptr && own_.one_in(2);
        for (auto const r : order) {
            if (has_gaps) { at += static_cast<MPI_Aint>(own_.below(3)); }
            ranges[r].first = at;
            at += static_cast<MPI_Aint>(ranges[r].count);
        }
        if (counts != nullptr) {
            for (auto const& each : ranges) { counts->push_back(static_cast<int>(each.count)); }
        }
        if (displacements != nullptr) {
            for (auto const& each : ranges) { displacements->push_back(static_cast<int>(each.first)); }
        }
        auto const elements = static_cast<std::size_t>(std::max<MPI_Aint>(at + 5, 0));
        datatype type = on_.is_inter ? datatype_maker::leaf(whole[0]) : datatype_maker{own_}.make(whole, elements);
        if (!is_open_mpi && same_sizes_ && !on_.is_inter) {
            draw common{mixed(seed_, 2)};
            type = datatype_maker{common}.make(whole, 1);
        }
        memory where{type, ranges, own_.bits()};
        to.emplace(buffer{std::move(type), std::move(where), {}, {}, {}, {0, 0}});
        // MPICH 4.0 takes MPI_BOTTOM for a null pointer in some of its algorithms
        if (own_.one_in(8) && (is_open_mpi || !by_mpi_perhaps() || which_ == routine::bcast)) {
            to->absolute.emplace(datatype_maker::absolute(to->type, reinterpret_cast<MPI_Aint>(to->where.base())));
        }
        words_ += ", " + std::to_string(ranges[0].count) + (ranges.size() > 1 ? ".. of " : " of ") +
                  (to->absolute ? to->absolute->words() : to->type.words());
    }

    void movement() {
        static basic const basics[] = {{MPI_BYTE, 1},  {MPI_CHAR, 1},   {MPI_SHORT, 2}, {MPI_INT, 4},
                                       {MPI_FLOAT, 4}, {MPI_DOUBLE, 8}, {MPI_LONG, 8}};
        auto const one = basics[from_.below(std::size(basics))];
        bool const mixes = from_.one_in(3);
        for (auto n = 1 + from_.below(4); n != 0; --n) {
            unit_.push_back(mixes ? basics[from_.below(std::size(basics))] : one);
        }
        factor_ = std::array<std::size_t, 6>{1, 2, 3, 4, 6, 12}[from_.below(6)];
        if (on_.is_inter) {
            unit_.resize(1);
            factor_ = 1;
        }
        if (by_mpi_perhaps()) {
            // Open MPI 4.1 takes the size of the type that is sent for that of the one that is received, and chooses
            // another algorithm on each rank; so does MPICH 4.0 with its extent, and truncates messages between groups,
            // of types with gaps.
            same_sizes_ = which_ == routine::allgatherv;
        }
        switch (which_) {
        case routine::bcast: broadcast(); break;
        case routine::gather:
        case routine::gatherv: gather(); break;
        case routine::scatter:
        case routine::scatterv: scatter(); break;
        default: all_gather(); break;
        }
    }

    void broadcast() {
        in_place_ = false;
        auto const units = draw_units(1, true);
        bool gives = on_.rank == a_.root;
        bool takes = true;
        if (on_.is_inter) {
            gives = on_.side == 0 && on_.rank == a_.root;
            takes = on_.side == 1 || gives;
            if (on_.side == 0) { a_.root = gives ? MPI_ROOT : MPI_PROC_NULL; }
        }
        make(out_, units, &a_.counts, nullptr);
        auto const data = data_of(0, units[0]);
        if (gives) { out_->where.put(out_->type, data); }
        out_->due = takes ? out_->where.all_after_put(out_->type, data) : out_->where.all();
        give_out(a_.counts[0]);
        a_.counts.clear();
    }

    /// Of no elements memory need not be given.
    [[nodiscard]] bool gives_null(int count) { return count == 0 && a_.displacements.empty() && own_.one_in(2); }

    void give_in(int count) {
        a_.in = gives_null(count) ? nullptr : in_->address();
        a_.in_count = count;
        a_.type = in_->handle();
    }
    void give_out(int count) {
        a_.out = gives_null(count) ? nullptr : out_->address();
        a_.out_count = count;
        a_.out_type = out_->handle();
    }

    [[nodiscard]] bytes data_of_all(std::vector<std::size_t> const& units, int first) const {
        bytes all;
        for (std::size_t r = 0; r != units.size(); ++r) {
            auto const part = data_of(first + static_cast<int>(r), units[r]);
            all.insert(all.end(), part.begin(), part.end());
        }
        return all;
    }

    /// Of this rank's part as a vector.
    [[nodiscard]] std::vector<std::size_t> only(std::vector<std::size_t> const& units) const {
        return {units[static_cast<std::size_t>(on_.rank)]};
    }

    void gather() {
        bool const is_root = on_.rank == a_.root;
        bool const varies = which_ == routine::gatherv;
        auto const units = draw_units(static_cast<std::size_t>(on_.size), !varies);
        std::vector<int> count;
        if (is_root) {
            make(out_, units, &a_.counts, varies ? &a_.displacements : nullptr);
            auto const all = data_of_all(units, 0);
            if (in_place_) { put_own_part(units); }
            out_->due = out_->where.all_after_put(out_->type, all);
            give_out(a_.counts[0]);
        } else {
            a_.out_count = any(0, -1);
        }
        if (is_root && in_place_) {
            a_.in = MPI_IN_PLACE;
            return;
        }
        make(in_, only(units), &count, nullptr);
        in_->where.put(in_->type, data_of(on_.rank, only(units)[0]));
        in_->due = in_->where.all();
        give_in(count[0]);
    }

    /// Writes this rank's part of a vector of all, alone.
    void put_own_part(std::vector<std::size_t> const& units) {
        auto all = out_->where.get(out_->type);
        auto const first = data_of_all({units.begin(), units.begin() + on_.rank}, 0).size();
        auto const own = data_of(on_.rank, only(units)[0]);
        std::copy(own.begin(), own.end(), all.begin() + static_cast<std::ptrdiff_t>(first));
        out_->where.put(out_->type, all);
    }

    void scatter() {
        bool const is_root = on_.rank == a_.root;
        bool const varies = which_ == routine::scatterv;
        auto const units = draw_units(static_cast<std::size_t>(on_.size), !varies);
        std::vector<int> count;
        if (is_root) {
            make(in_, units, &a_.counts, varies ? &a_.displacements : nullptr);
            in_->where.put(in_->type, data_of_all(units, 0));
            in_->due = in_->where.all();
            give_in(a_.counts[0]);
        } else {
            a_.in_count = any(0, -1);
        }
        if (is_root && in_place_) {
            a_.out = MPI_IN_PLACE;
            return;
        }
        make(out_, only(units), &count, nullptr);
        out_->due = out_->where.all_after_put(out_->type, data_of(on_.rank, only(units)[0]));
        give_out(count[0]);
    }

    void all_gather() {
        bool const varies = which_ == routine::allgatherv;
        auto const units =
            draw_units(static_cast<std::size_t>(on_.is_inter ? on_.size + on_.remote_size : on_.size), !varies);
        std::vector<std::size_t> parts = units;
        if (on_.is_inter) { parts.resize(static_cast<std::size_t>(on_.remote_size)); }
        auto const first_of = [](int side) { return side * 64; };
        make(out_, parts, &a_.counts, varies ? &a_.displacements : nullptr);
        if (in_place_) {
            put_own_part(units);
            a_.in = MPI_IN_PLACE;
            a_.in_count = any(0, 7);
            a_.type = any(MPI_DATATYPE_NULL, MPI_INT);
        } else {
            std::vector<int> count;
            make(in_, only(units), &count, nullptr);
            in_->where.put(in_->type, data_of(on_.is_inter ? first_of(on_.side) + on_.rank : on_.rank, only(units)[0]));
            in_->due = in_->where.all();
            give_in(count[0]);
        }
        out_->due =
            out_->where.all_after_put(out_->type, data_of_all(parts, on_.is_inter ? first_of(1 - on_.side) : 0));
        give_out(a_.counts[0]);
    }

    // ---- reductions ------------------------------------------------------------------------------------------------

    enum class kind { integer, floating, complex, truth, pair };
    struct number {
        MPI_Datatype handle;
        kind of;
        char code;  ///< of the value, as it is written
        std::size_t bytes;
        MPI_Aint index;  ///< of a pair
    };

    static number draw_number(draw& from) {
        static number const all[] = {
            {MPI_SIGNED_CHAR, kind::integer, 'i', 1, 0},
            {MPI_UNSIGNED_CHAR, kind::integer, 'i', 1, 0},
            {MPI_SHORT, kind::integer, 'i', 2, 0},
            {MPI_UNSIGNED_SHORT, kind::integer, 'i', 2, 0},
            {MPI_INT, kind::integer, 'i', 4, 0},
            {MPI_UNSIGNED, kind::integer, 'i', 4, 0},
            {MPI_LONG, kind::integer, 'i', 8, 0},
            {MPI_UINT64_T, kind::integer, 'i', 8, 0},
            {MPI_FLOAT, kind::floating, 'f', 4, 0},
            {MPI_DOUBLE, kind::floating, 'd', 8, 0},
            {MPI_LONG_DOUBLE, kind::floating, 'l', 10, 0},
            {MPI_C_FLOAT_COMPLEX, kind::complex, 'f', 8, 0},
            {MPI_C_DOUBLE_COMPLEX, kind::complex, 'd', 16, 0},
            {MPI_C_BOOL, kind::truth, 'i', 1, 0},
            {MPI_FLOAT_INT, kind::pair, 'f', 4, 4},
            {MPI_DOUBLE_INT, kind::pair, 'd', 8, 8},
            {MPI_LONG_INT, kind::pair, 'i', 8, 8},
            {MPI_2INT, kind::pair, 'i', 4, 4},
            {MPI_SHORT_INT, kind::pair, 'i', 2, 4},
            {MPI_LONG_DOUBLE_INT, kind::pair, 'l', 10, 16},
        };
        number const& often = all[from.one_in(2) ? 9 : 6];
        return from.one_in(2) ? often : all[from.below(std::size(all))];
    }

    void reduction() {
        is_users_ = from_.one_in(4);
        datatype type = is_users_ ? draw_users() : draw_predefined();
        if (is_users_ && own_.one_in(4)) { type = datatype_maker::dup(type); }
        auto const elements = is_users_ ? bytes_ / type.bytes() : bytes_ / static_cast<std::size_t>(type.extent());
        bool const scatters = which_ == routine::reduce_scatter || which_ == routine::reduce_scatter_block;
        auto const ranks = static_cast<std::size_t>(on_.size);
        std::vector<std::size_t> parts(ranks, elements / ranks);
        if (which_ == routine::reduce_scatter) {
            for (auto& each : parts) { each = from_.one_in(4) ? 0 : from_.below(2 * each + 2); }
            for (auto const each : parts) { a_.counts.push_back(static_cast<int>(each)); }
        }
        n_ = scatters ? std::accumulate(parts.begin(), parts.end(), std::size_t{0}) : elements;
        a_.in_count = static_cast<int>(which_ == routine::reduce_scatter_block ? parts[0] : n_);
        words_ += ", " + std::to_string(n_) + " of " + type.words();
        if (is_users_) { known_types::get().add(type); }
        words_in_element_ = type.entries().size();

        auto const mine = static_cast<std::size_t>(on_.rank);
        std::size_t first = 0;
        std::size_t results = n_;
        bool takes = which_ != routine::reduce || on_.rank == a_.root;
        if (which_ == routine::exscan && on_.rank == 0) { takes = false; }
        if (scatters) {
            first = std::accumulate(parts.begin(), parts.begin() + on_.rank, std::size_t{0});
            results = parts[mine];
        }
        int terms = on_.size;
        if (which_ == routine::scan) { terms = on_.rank + 1; }
        if (which_ == routine::exscan) { terms = on_.rank; }
        if (on_.is_inter) { terms = on_.remote_size; }
        int const begin = on_.is_inter ? (1 - on_.side) * 64 : 0;
        int const self = on_.is_inter ? on_.side * 64 + on_.rank : on_.rank;
        bytes result;
        if (takes) { result = part_of(fold(type, begin, terms), type, first, results); }

        bool const here = in_place_ && (which_ != routine::reduce || takes);
        auto const shares = [&](std::size_t count) {
            memory where{type, {{0, count}}, own_.bits()};
            return buffer{type, std::move(where), {}, {}, padding_, {0, 0}};
        };
        out_.emplace(shares(here ? n_ : results));
        if (here) {
            out_->where.put(type, operand(self));
            a_.in = MPI_IN_PLACE;
        } else {
            in_.emplace(shares(n_));
            in_->where.put(type, operand(self));
            in_->due = in_->where.all();
            a_.in = in_->where.base();
        }
        out_->due = takes ? out_->where.all_after_put(type, result) : out_->where.all();
        if (here && scatters && by_mpi_perhaps()) {  // Open MPI leaves other results behind this rank's
            auto const extent = static_cast<std::size_t>(type.extent());
            out_->undefined = {static_cast<MPI_Aint>(results * extent), (n_ - results) * extent};
        }
        a_.out = takes || here               ? out_->where.base()
                 : which_ == routine::exscan ? out_->where.base()
                                             : any<void*>(nullptr, out_->where.base());
        if (n_ == 0 && !here && own_.one_in(2)) { a_.in = nullptr; }
        a_.type = type.handle();
        owner_.emplace(std::move(type));
    }

    [[nodiscard]] datatype draw_predefined() {
        element_ = draw_number(from_);
        static MPI_Op const sums[] = {MPI_SUM, MPI_PROD, MPI_MAX,  MPI_MIN, MPI_LAND,
                                      MPI_LOR, MPI_LXOR, MPI_BAND, MPI_BOR, MPI_BXOR};
        static char const* const names[] = {"sum",        "product",     "maximum",  "minimum", "logical and",
                                            "logical or", "logical xor", "bits and", "bits or", "bits xor"};
        std::size_t op = 0;
        switch (element_.of) {
        case kind::integer: op = from_.below(10); break;
        case kind::floating: op = from_.below(4); break;
        case kind::complex: op = from_.below(2); break;
        case kind::truth: op = from_.from(4, 6); break;
        case kind::pair: break;
        }
        if (element_.of != kind::truth && from_.one_in(2)) { op = 0; }
        least_ = op == 1 ? 1 : 0;
        most_ = op == 1 ? 2 : element_.of == kind::truth ? 1 : element_.of == kind::complex ? 2 : 9;
        std::vector<entry> entries{{0, element_.bytes}};
        if (element_.of == kind::pair) {
            most_ = 3;
            entries.push_back({element_.index, 4});
            bool const least = from_.one_in(2);
            a_.op = least ? MPI_MINLOC : MPI_MAXLOC;
            words_ += least ? ", minloc" : ", maxloc";
        } else {
            a_.op = sums[op];
            words_ += std::string{", "} + names[op];
        }
        // MPI demands one datatype of all ranks, and combines numbers whose type has another name in another language
        if (!tutti_has("check")) { element_.handle = alias(element_.handle, op >= 4 && op <= 6, own_); }
        std::array<char, MPI_MAX_OBJECT_NAME> name{};
        int length = 0;
        MPI_Type_get_name(element_.handle, name.data(), &length);
        datatype type{element_.handle, std::move(entries), name.data(), true};
        auto const second = element_.of == kind::pair ? element_.index : type.extent();
        auto const add = [&](MPI_Aint from, MPI_Aint to) {
            if (from < to) { padding_.push_back({from, static_cast<std::size_t>(to - from)}); }
        };
        add(static_cast<MPI_Aint>(element_.bytes), second);
        if (element_.of == kind::pair) { add(element_.index + 4, type.extent()); }
        return type;
    }

    [[nodiscard]] datatype draw_users() {
        users_ = static_cast<users_operator>(from_.below(4));
        bool const cuts = tutti_has("cut");
        // Open MPI's own MPI_Allreduce cuts vectors if the operator commutes.
        bool const whole = !cuts && !on_.is_inter && which_ != routine::reduce_scatter &&
                           which_ != routine::reduce_scatter_block &&
                           !(is_open_mpi && which_ == routine::allreduce && is_commutative(users_));
        if (is_of_whole_vector(users_) && !whole) {
            users_ = users_ == users_operator::merge ? users_operator::add : users_operator::compose;
        }
        keeps_operator_ = own_.one_in(2);
        a_.op = keeps_operator_ ? kept_operator(users_, own_.one_in(20)) : make_operator(users_, own_.one_in(3));
        constexpr char const* names[] = {"add", "compose", "merge", "append"};
        words_ += std::string{", "} + names[static_cast<int>(users_)];
        // What the accelerator leaves to MPI must not meet MPI's own faults: both write outside of memory where
        // elements reach beyond their extents; where they have gaps, so does MPICH 4.0 in reduce_scatters and
        // nonblocking calls, and Open MPI 4.1 in these and in the ring of its MPI_Allreduce.
        signature const of(2 * (1 + from_.below(4)), basic{MPI_INT, 4});
        bool const must_be_dense = (by_mpi_perhaps() || !cuts) &&
                                   (is_open_mpi || how_ != form::blocking || which_ == routine::reduce_scatter ||
                                    which_ == routine::reduce_scatter_block);
        for (int tries = 0; !must_be_dense && tries != 8; ++tries) {
            auto made = datatype_maker{from_}.make(of, 1);
            if (made.lower() == 0 && made.first() >= 0 && made.end() <= made.extent()) { return made; }
        }
        MPI_Datatype dense = MPI_DATATYPE_NULL;
        MPI_Type_contiguous(static_cast<int>(of.size()), MPI_INT, &dense);
        MPI_Type_commit(&dense);
        std::vector<entry> entries;
        for (std::size_t i = 0; i != of.size(); ++i) { entries.push_back({static_cast<MPI_Aint>(4 * i), 4}); }
        return {dense, std::move(entries), "contiguous" + std::to_string(of.size()) + "(4)"};
    }

    /// The numbers that a rank gives.
    [[nodiscard]] bytes operand(int rank) const {
        auto const length = is_users_ ? n_ * words_in_element_ * sizeof(word)
                                      : n_ * (element_.bytes + (element_.of == kind::pair ? 4U : 0U));
        auto result = noise(seed_of(rank, 2), length);
        if (is_users_) {
            shape(result);
            return result;
        }
        if (a_.op == MPI_BAND || a_.op == MPI_BOR || a_.op == MPI_BXOR) { return result; }
        auto* to = result.data();
        auto const value = [&](std::size_t i, std::size_t least, std::size_t most) {
            return static_cast<long>(least + std::to_integer<std::size_t>(result[i]) % (most - least + 1));
        };
        for (std::size_t i = 0; i != n_; ++i) {
            auto const at = static_cast<std::size_t>(to - result.data());
            long first = value(at, least_, most_);
            if (element_.of == kind::complex) {
                long second = value(at + 1 < length ? at + 1 : at, least_, most_);
                if (a_.op ==
                    MPI_PROD) {  // 1 + 2i and 1 + 4i: no product of them has a zero, whose sign the order decides
                    second = 2 * first;
                    first = 1;
                }
                write(to, element_.code, first, element_.bytes / 2);
                write(to + element_.bytes / 2, element_.code, second, element_.bytes / 2);
            } else {
                write(to, element_.code, first, element_.bytes);
            }
            to += element_.bytes;
            if (element_.of == kind::pair) {
                int const index = rank * 10 + static_cast<int>(value(at, 0, 9));
                std::memcpy(to, &index, sizeof index);
                to += sizeof index;
            }
        }
        return result;
    }

    static void write(std::byte* to, char code, long value, std::size_t n) {
        auto const copy = [&](auto number) { std::memcpy(to, &number, n); };
        switch (code) {
        case 'f': copy(static_cast<float>(value)); break;
        case 'd': copy(static_cast<double>(value)); break;
        case 'l': copy(static_cast<long double>(value)); break;
        default: copy(value); break;  // little-endian
        }
    }

    /// Makes of noise what the user's operator takes.
    void shape(bytes& numbers) const {
        if (!is_of_whole_vector(users_) || numbers.empty()) { return; }
        std::vector<word> words(numbers.size() / sizeof(word));
        std::memcpy(words.data(), numbers.data(), numbers.size());
        if (users_ == users_operator::merge) {
            std::sort(words.begin(), words.end());
        } else {
            words[0] = static_cast<word>(words[0] % words.size());
            std::fill(words.begin() + 1 + words[0], words.end(), word{0});
        }
        std::memcpy(numbers.data(), words.data(), numbers.size());
    }

    /// The terms of `count` ranks, combined in rank order.
    [[nodiscard]] bytes fold(datatype const& type, int first, int count) const {
        std::vector<memory::range> const all{{0, n_}};
        memory left{type, all, seed_};
        left.put(type, operand(first));
        for (int r = 1; r < count; ++r) {
            memory right{type, all, seed_};
            right.put(type, operand(first + r));
            if (n_ != 0) { PMPI_Reduce_local(left.base(), right.base(), static_cast<int>(n_), type.handle(), a_.op); }
            std::swap(left, right);
        }
        return left.get(type);
    }
    [[nodiscard]] static bytes part_of(bytes const& all, datatype const& type, std::size_t first, std::size_t count) {
        auto const begin = all.begin() + static_cast<std::ptrdiff_t>(first * type.bytes());
        return {begin, begin + static_cast<std::ptrdiff_t>(count * type.bytes())};
    }

    std::uint64_t seed_;
    team on_;
    draw from_;  ///< as all ranks draw
    draw own_;   ///< as this rank draws
    arguments a_;
    routine which_;
    form how_;
    bool large_ = false;
    bool in_place_;
    std::size_t bytes_;
    std::string words_;
    int code_ = MPI_SUCCESS;
    MPI_Request request_ = MPI_REQUEST_NULL;

    signature unit_;
    std::size_t factor_ = 1;
    bool same_sizes_ = false;  ///< all types of a call have as many bytes

    bool is_users_ = false;
    bool keeps_operator_ = false;
    users_operator users_ = users_operator::add;
    number element_{};
    std::size_t least_ = 0;
    std::size_t most_ = 0;
    std::size_t n_ = 0;
    std::size_t words_in_element_ = 0;
    std::vector<entry> padding_;
    std::optional<datatype> owner_;  ///< of the type of a reduction

    std::optional<buffer> in_;
    std::optional<buffer> out_;
};

}  // namespace soak
