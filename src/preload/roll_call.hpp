// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
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

#include <preload/bulletin.hpp>
#include <tutti/communicator/agreement.hpp>
#include <tutti/communicator/mpi/declarations.hpp>

namespace tutti::preload {

/// Says on standard error what this rank waits for, if it still does after 5 s.
class patience {
public:
    patience() {
        try {
            thread_ = std::thread{[this] { look_at_the_clock(); }};
        } catch (std::system_error const&) {  // then nothing is said
        }
    }
    patience(patience const&) = delete;
    patience& operator=(patience const&) = delete;
    ~patience() {
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

/// Whether all ranks of MPI_COMM_WORLD have this library, the same build of it and the same TUTTI in their environment:
/// else MPI performs all calls on all ranks, and the lowest rank that has the library writes why to standard error. It
/// is known when MPI_Init returns.
///
/// A rank reads the words of its parent and its children in the binomial tree over the ranks. Those that have the same
/// word agree by messages along the tree; a rank that has not, or no library, is never sent one. Where the launcher
/// keeps no words they are sent, in MPI_Init, and ranks wait for those that have no library.
class roll_call {
public:
    [[nodiscard]] static roll_call& get() {
        static auto& one = *new roll_call;
        return one;
    }

    /// Before MPI_Init.
    void announce() noexcept {
        all_are_alike_ = true;
        try {
            word_ = build() + ';' + settings();
            board_ = std::make_unique<pmix_bulletin>();
            if (!board_->find_launcher()) { board_ = std::make_unique<pmi_bulletin>(); }
            if (!board_->find_launcher()) {
                board_.reset();
            } else {
                all_are_alike_ = board_->put(word_);  // else the others find none
            }
        } catch (...) { all_are_alike_ = false; }
    }

    /// After it.
    void hold() noexcept {
        int rank = 0;
        int size = 1;
        PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
        PMPI_Comm_size(MPI_COMM_WORLD, &size);
        try {
            if (size > 1 && all_are_alike_) {
                int const odd = agree(rank, size);
                all_are_alike_ = odd == size;
                if (!all_are_alike_ && find_none_below(rank)) { explain(rank, odd); }
            }
        } catch (...) { all_are_alike_ = false; }
        board_.reset();
    }

    [[nodiscard]] bool all_are_alike() const { return all_are_alike_; }

private:
    static constexpr int tag = 32767;  // which every MPI has

    roll_call() = default;

    /// The name that the linker has given to this build of the library.
    [[nodiscard]] static std::string build() {
        std::string name;
        dl_iterate_phdr(
            [](dl_phdr_info* library, std::size_t, void* result) {
                auto const here = reinterpret_cast<std::uintptr_t>(&roll_call::get);
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
    [[nodiscard]] std::vector<bool> are_like_this(std::vector<int> const& ranks) {
        std::vector<bool> result;
        if (board_ != nullptr) {
            for (int const each : ranks) { result.push_back(board_->of(each) == word_); }
            return result;
        }
        patience const waits;
        std::uint64_t const mine = std::hash<std::string>{}(word_);
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

    /// On all ranks with the same word, in one part of the tree: a rank with another word or none, or `size`.
    [[nodiscard]] int agree(int rank, int size) {
        control::binomial_tree const tree{rank, size};
        auto const below = tree.children();
        std::vector<int> neighbours(below.begin(), below.end());
        int const parent = tree.parent();
        if (tree.has_parent()) { neighbours.push_back(parent); }
        auto const likeness = are_like_this(neighbours);
        int odd = size;
        std::vector<int> children;
        bool has_parent = false;
        for (std::size_t i = 0; i != neighbours.size(); ++i) {
            if (!likeness[i]) {
                odd = std::min(odd, neighbours[i]);
            } else if (neighbours[i] < rank) {
                has_parent = true;
            } else {
                children.push_back(neighbours[i]);
            }
        }
        for (int const each : children) {
            int found = size;
            PMPI_Recv(&found, 1, MPI_INT, each, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            odd = std::min(odd, found);
        }
        if (has_parent) {
            PMPI_Send(&odd, 1, MPI_INT, parent, tag, MPI_COMM_WORLD);
            PMPI_Recv(&odd, 1, MPI_INT, parent, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        for (int const each : children) { PMPI_Send(&odd, 1, MPI_INT, each, tag, MPI_COMM_WORLD); }
        return odd;
    }

    /// Whether no lower rank has the library, which would say the same.
    [[nodiscard]] bool find_none_below(int rank) {
        for (int lower = 0; lower != rank; ++lower) {
            if (board_ == nullptr || board_->of(lower)) { return false; }
        }
        return true;
    }

    void explain(int rank, int odd) {
        if (board_ == nullptr) {
            std::fprintf(
                stderr,
                "tutti: rank %d has another build of libtutti_mpi.so than rank %d, or other words in TUTTI, so "
                "MPI performs all calls; give every rank the same\n",
                odd, rank);
            return;
        }
        auto const theirs = board_->of(odd);
        auto const name_end = word_.find(';');
        if (!theirs) {
            std::fprintf(stderr,
                         "tutti: rank %d runs without libtutti_mpi.so, which rank %d has, so MPI performs all calls; "
                         "load it on every rank, as in mpiexec -n 4 env LD_PRELOAD=$LIBRARY PROGRAM\n",
                         odd, rank);
        } else if (theirs->substr(0, theirs->find(';')) != word_.substr(0, name_end)) {
            std::fprintf(stderr,
                         "tutti: rank %d has another build of libtutti_mpi.so than rank %d, so MPI performs all calls; "
                         "load one file on every rank\n",
                         odd, rank);
        } else {
            std::fprintf(
                stderr,
                "tutti: rank %d has TUTTI=%.80s where rank %d has TUTTI=%.80s, so MPI performs all calls; give every "
                "rank the same, as in mpiexec -n 4 env LD_PRELOAD=$LIBRARY TUTTI=%.80s PROGRAM\n",
                odd, theirs->substr(theirs->find(';') + 1).c_str(), rank, word_.c_str() + name_end + 1,
                word_.c_str() + name_end + 1);
        }
    }

    std::string word_;
    std::unique_ptr<bulletin> board_;
    bool all_are_alike_ = false;  // unless it has been held: MPI_Init may go to another library
};

}  // namespace tutti::preload
