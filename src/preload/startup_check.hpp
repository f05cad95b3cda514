// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cctype>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include <link.h>

#include <preload/kvs.hpp>
#include <tutti/communicator/agreement.hpp>
#include <tutti/communicator/mpi/declarations.hpp>

namespace tutti::preload {

/// Writes to standard error what this rank waits for, if it lives longer than 5 s.
class wait_warning {
public:
    wait_warning() {
        try {
            thread_ = std::thread{[this] { look_at_the_clock(); }};
        } catch (std::system_error const&) {  // then nothing is said
        }
    }
    wait_warning(wait_warning const&) = delete;
    wait_warning& operator=(wait_warning const&) = delete;
    ~wait_warning() {
        {
            auto const lock = std::lock_guard{guard_};
            is_over_ = true;
        }
        changed_.notify_all();
        if (thread_.joinable()) { thread_.join(); }
    }

private:
    void look_at_the_clock() {
        auto lock = std::unique_lock{guard_};
        if (changed_.wait_for(lock, std::chrono::seconds{5}, [this] { return is_over_; })) { return; }
        std::fputs(
            "tutti: a rank has waited for others in MPI_Init for 5 s; if some run without libtutti_mpi.so, load it on "
            "every rank, as in mpiexec -n 4 env LD_PRELOAD=$LIBRARY PROGRAM\n",
            stderr);
    }

    std::mutex guard_;
    std::condition_variable changed_;
    bool is_over_ = false;
    std::thread thread_;
};

/// Checks in MPI_Init that all ranks of MPI_COMM_WORLD have the same build of this library and the same TUTTI in their
/// environment. Else MPI performs all calls on all ranks, and the lowest rank that has the library writes why.
///
/// Each rank puts one value into the launcher's key-value space, and reads those of its parent and children in the
/// binomial tree over the ranks. Ranks of the same value then agree by messages along the tree; a rank without the
/// library, or with another value, is sent none. Where the launcher has no key-value space the values are sent, too,
/// and ranks wait for those that have no library.
class startup_check {
public:
    [[nodiscard]] static startup_check& get() {
        static auto& one = *new startup_check;
        return one;
    }

    /// Before MPI_Init.
    void publish() noexcept {
        all_are_alike_ = true;
        try {
            value_ = build() + ';' + settings();
            kvs_ = std::make_unique<pmix_kvs>();
            if (!kvs_->find_launcher()) { kvs_ = std::make_unique<pmi_kvs>(); }
            if (!kvs_->find_launcher()) {
                kvs_.reset();
            } else {
                all_are_alike_ = kvs_->put(value_);  // else the others find none
            }
        } catch (...) { all_are_alike_ = false; }
    }

    /// After it.
    void compare() noexcept {
        int rank = 0;
        int size = 1;
        PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
        PMPI_Comm_size(MPI_COMM_WORLD, &size);
        try {
            if (size > 1 && all_are_alike_) {
                int const different = agree(rank, size);
                all_are_alike_ = different == size;
                if (!all_are_alike_ && find_none_below(rank)) { explain(rank, different); }
            }
        } catch (...) { all_are_alike_ = false; }
        kvs_.reset();
    }

    [[nodiscard]] bool all_are_alike() const { return all_are_alike_; }

private:
    static constexpr int tag = 32767;  // which every MPI has

    startup_check() = default;

    /// The name that the linker has given to this build of the library.
    [[nodiscard]] static std::string build() {
        std::string name;
        dl_iterate_phdr(
            [](dl_phdr_info* library, std::size_t, void* result) {
                auto const here = reinterpret_cast<std::uintptr_t>(&startup_check::get);
                auto const* const begin = library->dlpi_phdr;
                auto const* const end = begin + library->dlpi_phnum;
                bool const is_this = std::any_of(begin, end, [&](auto const& each) {
                    auto const from = library->dlpi_addr + each.p_vaddr;
                    return each.p_type == PT_LOAD && here >= from && here - from < each.p_memsz;
                });
                if (!is_this) { return 0; }
                for (auto const* each = begin; each != end; ++each) {
                    if (each->p_type == PT_NOTE) { read_notes(*library, *each, *static_cast<std::string*>(result)); }
                }
                return 1;
            },
            &name);
        return name;
    }

    static void read_notes(dl_phdr_info const& library, ElfW(Phdr) const& notes, std::string& result) {
        auto const* at = reinterpret_cast<unsigned char const*>(library.dlpi_addr + notes.p_vaddr);
        auto const* const end = at + notes.p_memsz;
        while (end - at >= static_cast<std::ptrdiff_t>(sizeof(ElfW(Nhdr)))) {
            ElfW(Nhdr) note{};
            std::memcpy(&note, at, sizeof note);
            auto const* const text = at + sizeof note + (note.n_namesz + 3) / 4 * 4;
            if (note.n_type == NT_GNU_BUILD_ID && end - text >= static_cast<std::ptrdiff_t>(note.n_descsz)) {
                constexpr std::string_view digits = "0123456789abcdef";
                for (auto const* each = text; each != text + note.n_descsz; ++each) {
                    result += digits[*each / 16U];
                    result += digits[*each % 16U];
                }
            }
            at = text + (note.n_descsz + 3) / 4 * 4;
        }
    }

    /// TUTTI, in characters that launchers keep.
    [[nodiscard]] static std::string settings() {
        auto const* const text = std::getenv("TUTTI");
        std::string_view rest{text != nullptr ? text : ""};
        std::vector<std::string> words;
        while (!rest.empty()) {
            auto word = std::string{rest.substr(0, rest.find(','))};
            rest.remove_prefix(std::min(word.size() + 1, rest.size()));
            auto const is_kept = [](char each) { return std::isalnum(static_cast<unsigned char>(each)) != 0; };
            std::replace_if(
                word.begin(), word.end(), [&](char each) { return !is_kept(each) && each != '_' && each != '>'; }, '.');
            if (!word.empty()) { words.push_back(word); }
        }
        std::sort(words.begin(), words.end());
        std::string all;
        for (auto const& each : words) { all += (all.empty() ? "" : ",") + each; }
        constexpr std::size_t longest = 400;
        return all.size() <= longest ? all : std::to_string(std::hash<std::string>{}(all));
    }

    /// Which of `ranks` have the same word; they ask this one, too.
    [[nodiscard]] std::vector<bool> have_same_value(std::vector<int> const& ranks) {
        std::vector<bool> result;
        if (kvs_ != nullptr) {
            for (int const each : ranks) { result.push_back(kvs_->confirm(each, value_)); }
            return result;
        }
        wait_warning const warns;
        std::uint64_t const mine = std::hash<std::string>{}(value_);
        std::vector<std::uint64_t> theirs(ranks.size());
        std::vector<MPI_Request> requests(2 * ranks.size());
        for (std::size_t i = 0; i != ranks.size(); ++i) {
            PMPI_Isend(&mine, 1, MPI_UINT64_T, ranks[i], tag, MPI_COMM_WORLD, &requests[2 * i]);
            PMPI_Irecv(&theirs[i], 1, MPI_UINT64_T, ranks[i], tag, MPI_COMM_WORLD, &requests[2 * i + 1]);
        }
        PMPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
        for (auto const each : theirs) { result.push_back(each == mine); }
        return result;
    }

    /// The lowest rank found with another value or none; `size` if there is none. The same on all ranks of the same
    /// value that are connected in the tree.
    [[nodiscard]] int agree(int rank, int size) {
        control::binomial_tree const tree{rank, size};
        auto const below = tree.children();
        std::vector<int> neighbours(below.begin(), below.end());
        int const parent = tree.parent();
        if (tree.has_parent()) { neighbours.push_back(parent); }
        auto const same = have_same_value(neighbours);
        int different = size;
        std::vector<int> children;
        bool has_parent = false;
        for (std::size_t i = 0; i != neighbours.size(); ++i) {
            if (!same[i]) {
                different = std::min(different, neighbours[i]);
            } else if (neighbours[i] < rank) {
                has_parent = true;
            } else {
                children.push_back(neighbours[i]);
            }
        }
        for (int const each : children) {
            int found = size;
            PMPI_Recv(&found, 1, MPI_INT, each, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            different = std::min(different, found);
        }
        if (has_parent) {
            PMPI_Send(&different, 1, MPI_INT, parent, tag, MPI_COMM_WORLD);
            PMPI_Recv(&different, 1, MPI_INT, parent, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        for (int const each : children) { PMPI_Send(&different, 1, MPI_INT, each, tag, MPI_COMM_WORLD); }
        return different;
    }

    /// Whether no lower rank has the library: that rank would write the same.
    [[nodiscard]] bool find_none_below(int rank) {
        for (int lower = 0; lower != rank; ++lower) {
            if (kvs_ == nullptr || kvs_->get(lower)) { return false; }
        }
        return true;
    }

    void explain(int rank, int different) {
        if (kvs_ == nullptr) {
            std::fprintf(
                stderr,
                "tutti: rank %d has another build of libtutti_mpi.so than rank %d, or other words in TUTTI, so "
                "MPI performs all calls; give every rank the same\n",
                different, rank);
            return;
        }
        auto const theirs = kvs_->get(different);
        auto const name_end = value_.find(';');
        if (!theirs) {
            std::fprintf(stderr,
                         "tutti: rank %d runs without libtutti_mpi.so, which rank %d has, so MPI performs all calls; "
                         "load it on every rank, as in mpiexec -n 4 env LD_PRELOAD=$LIBRARY PROGRAM\n",
                         different, rank);
        } else if (theirs->substr(0, theirs->find(';')) != value_.substr(0, name_end)) {
            std::fprintf(stderr,
                         "tutti: rank %d has another build of libtutti_mpi.so than rank %d, so MPI performs all calls; "
                         "load one file on every rank\n",
                         different, rank);
        } else {
            std::fprintf(
                stderr,
                "tutti: rank %d has TUTTI=%.80s where rank %d has TUTTI=%.80s, so MPI performs all calls; give every "
                "rank the same, as in mpiexec -n 4 env LD_PRELOAD=$LIBRARY TUTTI=%.80s PROGRAM\n",
                different, theirs->substr(theirs->find(';') + 1).c_str(), rank, value_.c_str() + name_end + 1,
                value_.c_str() + name_end + 1);
        }
    }

    std::string value_;
    std::unique_ptr<kvs> kvs_;
    bool all_are_alike_ = false;  // until compare(): MPI_Init may have gone to another library
};

}  // namespace tutti::preload
