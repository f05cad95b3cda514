// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <mpi.h>

#include "../random.hpp"

/// Random nested datatypes of MPI's, of which it is known without MPI where their numbers lie.
namespace soak {

/// A basic type of MPI's.
struct basic {
    MPI_Datatype handle;
    std::size_t bytes;
};

/// A number of an element, by its place.
struct entry {
    MPI_Aint at;
    std::size_t bytes;
};

/// A committed datatype with its map; the last copy frees it.
class datatype {
public:
    datatype(MPI_Datatype handle, std::vector<entry> entries, std::string words, bool is_basic = false)
        : handle_{handle}, entries_{std::move(entries)}, words_{std::move(words)} {
        if (!is_basic) { owner_ = std::make_shared<owner>(handle_); }
        MPI_Type_get_extent(handle_, &lower_, &extent_);
        first_ = end_ = entries_.front().at;
        for (auto const& each : entries_) {
            first_ = std::min(first_, each.at);
            end_ = std::max(end_, each.at + static_cast<MPI_Aint>(each.bytes));
            bytes_ += each.bytes;
        }
    }
    /// Before calls with it have ended, too.
    void free() { owner_.reset(); }

    [[nodiscard]] MPI_Datatype handle() const { return handle_; }
    [[nodiscard]] std::vector<entry> const& entries() const { return entries_; }
    [[nodiscard]] std::string const& words() const { return words_; }
    [[nodiscard]] MPI_Aint lower() const { return lower_; }
    [[nodiscard]] MPI_Aint extent() const { return extent_; }
    /// Bytes from the address of an element to its first byte of data and to the end of its last.
    [[nodiscard]] MPI_Aint first() const { return first_; }
    [[nodiscard]] MPI_Aint end() const { return end_; }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

private:
    struct owner {
        explicit owner(MPI_Datatype made) : type{made} {}
        owner(owner const&) = delete;
        owner& operator=(owner const&) = delete;
        ~owner() { MPI_Type_free(&type); }
        MPI_Datatype type;
    };

    MPI_Datatype handle_;
    std::vector<entry> entries_;
    std::string words_;
    std::shared_ptr<owner> owner_;
    MPI_Aint lower_ = 0;
    MPI_Aint extent_ = 0;
    MPI_Aint first_ = 0;
    MPI_Aint end_ = 0;
    std::size_t bytes_ = 0;
};

using signature = std::vector<basic>;

/// A type of MPI's own with the same values: `of_c` if one of C's it has to be.
[[nodiscard]] inline MPI_Datatype alias(MPI_Datatype of, bool of_c, draw& from) {
    struct group {
        std::vector<MPI_Datatype> of_c, of_fortran;
    };
    static std::vector<group> const all = [] {
        MPI_Datatype whole = MPI_DATATYPE_NULL;
        MPI_Datatype real = MPI_DATATYPE_NULL;
        MPI_Type_create_f90_integer(18, &whole);
        MPI_Type_create_f90_real(15, 307, &real);
        std::vector<group> result{
            {{MPI_LONG, MPI_LONG_LONG, MPI_INT64_T}, {MPI_INTEGER8, whole}},
            {{MPI_INT, MPI_INT32_T}, {MPI_INTEGER, MPI_INTEGER4}},
            {{MPI_SHORT, MPI_INT16_T}, {MPI_INTEGER2}},
            {{MPI_SIGNED_CHAR, MPI_INT8_T}, {MPI_INTEGER1}},
            {{MPI_UNSIGNED_CHAR, MPI_UINT8_T}, {}},
            {{MPI_UNSIGNED_SHORT, MPI_UINT16_T}, {}},
            {{MPI_UNSIGNED, MPI_UINT32_T}, {}},
            {{MPI_UINT64_T, MPI_UNSIGNED_LONG, MPI_UNSIGNED_LONG_LONG}, {}},
            {{MPI_FLOAT}, {MPI_REAL, MPI_REAL4}},
            {{MPI_DOUBLE}, {MPI_DOUBLE_PRECISION, MPI_REAL8, real}},
            {{MPI_C_FLOAT_COMPLEX, MPI_C_COMPLEX}, {MPI_COMPLEX, MPI_COMPLEX8}},
            {{MPI_C_DOUBLE_COMPLEX}, {MPI_DOUBLE_COMPLEX, MPI_COMPLEX16}},
            {{MPI_2INT}, {MPI_2INTEGER}},
        };
        for (auto& each : result) { std::erase(each.of_fortran, MPI_DATATYPE_NULL); }
        return result;
    }();
    for (auto const& each : all) {
        if (std::find(each.of_c.begin(), each.of_c.end(), of) == each.of_c.end()) { continue; }
        auto const i = from.below(each.of_c.size() + (of_c ? 0 : each.of_fortran.size()));
        return i < each.of_c.size() ? each.of_c[i] : each.of_fortran[i - each.of_c.size()];
    }
    return of;
}

/// Draws datatypes of given signatures. Their elements do not overlap, nor do neighbours in a vector.
class datatype_maker {
public:
    explicit datatype_maker(draw& from) : from_{from} {}

    /// Of a signature; `elements` of it follow each other in a vector.
    [[nodiscard]] datatype make(signature const& of, std::size_t elements) {
        auto const depth = static_cast<int>(from_.below(4));
        auto const parts = repetitions(of, 2);
        if (elements > 1 && !parts.empty() && from_.one_in(8)) {
            auto const rows = parts[from_.below(parts.size())];
            return column(build(std::span{of}.first(of.size() / rows), depth), rows, elements);
        }
        return of.size() == 1 && from_.one_in(3) ? leaf(of[0]) : build(of, depth);
    }

    /// The same elements from the address 0 on, for MPI_BOTTOM.
    [[nodiscard]] static datatype absolute(datatype const& from, MPI_Aint address) {
        int const one = 1;
        MPI_Datatype made = MPI_DATATYPE_NULL;
        MPI_Type_create_hindexed(1, &one, &address, from.handle(), &made);
        MPI_Type_commit(&made);
        auto entries = from.entries();
        for (auto& each : entries) { each.at += address; }
        return {made, std::move(entries), "absolute(" + from.words() + ')'};
    }

    [[nodiscard]] static datatype dup(datatype const& from) {
        MPI_Datatype made = MPI_DATATYPE_NULL;
        MPI_Type_dup(from.handle(), &made);
        return repeated(from, made, {0}, "dup");
    }

    [[nodiscard]] static datatype leaf(basic const& of) {
        return {of.handle, {{0, of.bytes}}, std::to_string(of.bytes), true};
    }

private:
    [[nodiscard]] int below(int end) { return static_cast<int>(from_.below(static_cast<std::size_t>(end))); }

    /// Bytes from an element to the next one that do not let them overlap.
    [[nodiscard]] static MPI_Aint pitch(datatype const& of) { return std::max(of.extent(), of.end() - of.first()); }

    /// `child` at each of these places, in bytes, if `made` is what MPI made of it.
    [[nodiscard]] static datatype repeated(datatype const& child, MPI_Datatype made,
                                           std::vector<MPI_Aint> const& places, std::string const& words) {
        std::vector<entry> entries;
        for (auto const place : places) {
            for (auto const& each : child.entries()) { entries.push_back({each.at + place, each.bytes}); }
        }
        MPI_Type_commit(&made);
        return {made, std::move(entries), words + '(' + child.words() + ')'};
    }

    [[nodiscard]] datatype build(std::span<basic const> of, int depth) {
        auto result = of.size() == 1 && depth <= 0 ? leaf(of[0]) : inner(of, depth);
        while (from_.one_in(4)) { result = wrapped(std::move(result)); }
        return result;
    }

    /// Into how many equal parts a signature can be divided, at least `least`.
    [[nodiscard]] static std::vector<std::size_t> repetitions(std::span<basic const> of, std::size_t least) {
        std::vector<std::size_t> result;
        for (auto parts = least; parts <= of.size(); ++parts) {
            auto const part = of.size() / parts;
            bool same = of.size() % parts == 0;
            for (std::size_t i = part; same && i != of.size(); ++i) { same = of[i].handle == of[i - part].handle; }
            if (same) { result.push_back(parts); }
        }
        return result;
    }

    [[nodiscard]] datatype inner(std::span<basic const> of, int depth) {
        auto const divisors = repetitions(of, depth > 0 ? 1 : 2);
        if (divisors.empty() || (of.size() > 1 && from_.one_in(4))) { return structure(of, depth); }
        auto const parts = divisors[from_.below(divisors.size())];
        auto const child = build(of.first(of.size() / parts), depth - 1);
        return replicated(child, static_cast<int>(parts));
    }

    [[nodiscard]] datatype wrapped(datatype from) {
        if (from_.one_in(2)) { return dup(from); }
        MPI_Datatype made = MPI_DATATYPE_NULL;
        MPI_Aint const lower = from_.one_in(2) ? 0 : from.first() - below(20);
        MPI_Aint const extent = pitch(from) + (from_.one_in(2) ? 0 : 4 * below(6));
        MPI_Type_create_resized(from.handle(), lower, extent, &made);
        return repeated(from, made, {0}, "resized");
    }

    /// A column of a matrix, whose columns are elements that lie side by side.
    [[nodiscard]] static datatype column(datatype const& cell, std::size_t rows, std::size_t columns) {
        auto const step = pitch(cell);
        auto const row = step * static_cast<MPI_Aint>(columns);
        MPI_Datatype apart = MPI_DATATYPE_NULL;
        MPI_Type_create_hvector(static_cast<int>(rows), 1, row, cell.handle(), &apart);
        MPI_Datatype made = MPI_DATATYPE_NULL;
        MPI_Type_create_resized(apart, 0, step, &made);
        MPI_Type_free(&apart);
        std::vector<MPI_Aint> places;
        for (std::size_t i = 0; i != rows; ++i) { places.push_back(static_cast<MPI_Aint>(i) * row); }
        return repeated(cell, made, places, "column" + std::to_string(rows));
    }

    /// Lengths of blocks, some of which are empty.
    [[nodiscard]] std::vector<int> blocks_of(int count) {
        std::vector<int> result;
        while (count > 0) {
            int const length = from_.one_in(5) ? 0 : 1 + below(count);
            result.push_back(length);
            count -= length;
        }
        return result;
    }

    /// Where blocks of these lengths begin: in any order, with gaps, some before the address.
    [[nodiscard]] std::vector<MPI_Aint> places_of(std::vector<MPI_Aint> const& lengths, MPI_Aint gap) {
        std::vector<std::size_t> order(lengths.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        if (from_.one_in(2)) { from_.shuffle(order); }
        bool const has_gaps = from_.one_in(2);
        std::vector<MPI_Aint> result(lengths.size());
        MPI_Aint at = from_.one_in(4) ? -gap * below(8) : 0;
        for (auto const i : order) {
            if (has_gaps) { at += gap * below(3); }
            result[i] = at;
            at += lengths[i];
        }
        return result;
    }

    [[nodiscard]] datatype structure(std::span<basic const> of, int depth) {
        std::vector<datatype> children;
        std::vector<int> lengths;
        std::vector<MPI_Aint> sizes;
        for (std::size_t first = 0; first != of.size();) {
            auto const n = 1 + from_.below(of.size() - first);
            children.push_back(build(of.subspan(first, n), depth - 1));
            lengths.push_back(1);
            sizes.push_back(children.back().end() - children.back().first());
            first += n;
            if (from_.one_in(8)) {  // an empty block
                children.push_back(leaf(of[0]));
                lengths.push_back(0);
                sizes.push_back(0);
            }
        }
        auto places = places_of(sizes, 4);
        std::vector<MPI_Datatype> handles;
        std::vector<entry> entries;
        std::string words = "struct(";
        for (std::size_t i = 0; i != children.size(); ++i) {
            places[i] -= children[i].first();
            handles.push_back(children[i].handle());
            words += (i == 0 ? "" : " ") + std::to_string(lengths[i]) + '@' + std::to_string(places[i]) + ':' +
                     children[i].words();
            if (lengths[i] == 0) { continue; }
            for (auto const& each : children[i].entries()) { entries.push_back({each.at + places[i], each.bytes}); }
        }
        MPI_Datatype made = MPI_DATATYPE_NULL;
        MPI_Type_create_struct(static_cast<int>(handles.size()), lengths.data(), places.data(), handles.data(), &made);
        MPI_Type_commit(&made);
        return enlarged({made, std::move(entries), words + ')'});
    }

    /// As it is or, if neighbours would overlap, resized.
    [[nodiscard]] static datatype enlarged(datatype from) {
        if (pitch(from) == from.extent()) { return from; }
        MPI_Datatype larger = MPI_DATATYPE_NULL;
        MPI_Type_create_resized(from.handle(), from.first(), pitch(from), &larger);
        return repeated(from, larger, {0}, "resized");
    }

    /// -1 or 1. Open MPI 4.1 takes single bytes one before the other for bytes one after the other.
    [[nodiscard]] int backwards(MPI_Aint bytes_of_block) {
        bool const goes_back = from_.one_in(4);
#ifdef OPEN_MPI
        if (bytes_of_block == 1) { return 1; }
#endif
        return goes_back && bytes_of_block != 0 ? -1 : 1;
    }

    [[nodiscard]] datatype replicated(datatype const& child, int count) {
        auto const step = pitch(child);
        MPI_Datatype made = MPI_DATATYPE_NULL;
        std::vector<MPI_Aint> places;
        auto const number = std::to_string(count);
        std::vector<int> divisors;
        for (int i = 1; i <= count; ++i) {
            if (count % i == 0) { divisors.push_back(i); }
        }
        int const block = divisors[from_.below(divisors.size())];
        int const blocks = count / block;
        auto const in_blocks = [&](auto place_of_block) {
            for (int i = 0; i != count; ++i) { places.push_back(place_of_block(i / block) + i % block * step); }
        };
        auto const in_blocks_of = [&](std::vector<int> const& lengths, auto place_of_block) {
            for (std::size_t i = 0; i != lengths.size(); ++i) {
                for (int j = 0; j != lengths[i]; ++j) { places.push_back(place_of_block(i) + j * step); }
            }
        };
        auto const sizes_of = [&](std::vector<int> const& lengths) {
            std::vector<MPI_Aint> sizes;
            for (int const each : lengths) { sizes.push_back(each * step); }
            return sizes;
        };
        auto const done = [&](char const* words) { return enlarged(repeated(child, made, places, words + number)); };
        switch (below(11)) {
        case 0:
            MPI_Type_contiguous(count, child.handle(), &made);
            for (int i = 0; i != count; ++i) { places.push_back(i * step); }
            return done("contiguous");
        case 1: {
            int const stride = backwards(block * step) * (block + below(3));
            MPI_Type_vector(blocks, block, stride, child.handle(), &made);
            in_blocks([&](int i) { return i * stride * step; });
            return done("vector");
        }
        case 2: {
            MPI_Aint const stride = backwards(block * step) * (block * step + 4 * below(5));
            MPI_Type_create_hvector(blocks, block, stride, child.handle(), &made);
            in_blocks([&](int i) { return i * stride; });
            return done("hvector");
        }
        case 3: {
            auto const lengths = blocks_of(count);
            auto const at = places_of({lengths.begin(), lengths.end()}, 1);
            std::vector<int> const displacements(at.begin(), at.end());
            MPI_Type_indexed(static_cast<int>(lengths.size()), lengths.data(), displacements.data(), child.handle(),
                             &made);
            in_blocks_of(lengths, [&](std::size_t i) { return at[i] * step; });
            return done("indexed");
        }
        case 4: {
            auto const lengths = blocks_of(count);
            auto const at = places_of(sizes_of(lengths), 4);
            MPI_Type_create_hindexed(static_cast<int>(lengths.size()), lengths.data(), at.data(), child.handle(),
                                     &made);
            in_blocks_of(lengths, [&](std::size_t i) { return at[i]; });
            return done("hindexed");
        }
        case 5: {
            auto const at = places_of(std::vector<MPI_Aint>(static_cast<std::size_t>(blocks), block), 1);
            std::vector<int> const displacements(at.begin(), at.end());
            MPI_Type_create_indexed_block(blocks, block, displacements.data(), child.handle(), &made);
            in_blocks([&](int i) { return at[static_cast<std::size_t>(i)] * step; });
            return done("indexed_block");
        }
        case 6: {
            auto const at = places_of(std::vector<MPI_Aint>(static_cast<std::size_t>(blocks), block * step), 4);
            MPI_Type_create_hindexed_block(blocks, block, at.data(), child.handle(), &made);
            in_blocks([&](int i) { return at[static_cast<std::size_t>(i)]; });
            return done("hindexed_block");
        }
        case 7: {
            int const part[] = {blocks, block};
            int const first[] = {below(3), below(3)};
            int const whole[] = {blocks + first[0] + below(3), block + first[1] + below(3)};
            MPI_Type_create_subarray(2, whole, part, first, MPI_ORDER_C, child.handle(), &made);
            in_blocks([&](int i) { return ((i + first[0]) * whole[1] + first[1]) * step; });
            return done("subarray");
        }
        case 8: {  // the first dimension is the fastest
            int const part[] = {block, blocks};
            int const first[] = {below(3), below(3)};
            int const whole[] = {block + first[0] + below(3), blocks + first[1] + below(3)};
            MPI_Type_create_subarray(2, whole, part, first, MPI_ORDER_FORTRAN, child.handle(), &made);
            in_blocks([&](int i) { return ((i + first[1]) * whole[0] + first[0]) * step; });
            return done("subarray");
        }
        case 9: {
            int const processes = 1 + below(3);
            int const process = below(processes);
            int const whole = count * processes;
            int const how = MPI_DISTRIBUTE_CYCLIC;
            MPI_Type_create_darray(processes, process, 1, &whole, &how, &block, &processes, MPI_ORDER_C, child.handle(),
                                   &made);
            in_blocks([&](int i) { return (i * processes + process) * block * step; });
            return done("darray");
        }
        default: {
            auto const lengths = blocks_of(count);
            auto const at = places_of(sizes_of(lengths), 4);
            std::vector<MPI_Datatype> const handles(lengths.size(), child.handle());
            MPI_Type_create_struct(static_cast<int>(lengths.size()), lengths.data(), at.data(), handles.data(), &made);
            in_blocks_of(lengths, [&](std::size_t i) { return at[i]; });
            return done("struct");
        }
        }
    }

    draw& from_;
};

}  // namespace soak
