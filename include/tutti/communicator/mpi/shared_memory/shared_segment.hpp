// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

#include <tutti/communicator/mpi/declarations.hpp>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <tutti/communicator/mpi/agreement.hpp>
#include <tutti/communicator/mpi/error.hpp>
#include <tutti/communicator/mpi/liveness.hpp>
#include <tutti/communicator/mpi/private_communicator.hpp>
#include <tutti/communicator/mpi/running.hpp>
#include <tutti/communicator/mpi/shared_memory/pages.hpp>
#include <tutti/communicator/mpi/shared_memory/segment_layout.hpp>
#include <tutti/communicator/mpi/shared_memory/shared_file.hpp>
#include <tutti/communicator/mpi/shared_memory/single_copies.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/text.hpp>

namespace tutti::mpi::node {

/// Memory that the ranks of a node share, one part of each, laid out and ready. All of them make it, and each ends its
/// own object when it likes: the memory of the others stays mapped, and messages in it can still be read there. Errors
/// call rank r `global_ranks[r]`, where it is a rank of a larger communicator.
class shared_segment {
public:
    [[gnu::cold]] shared_segment(MPI_Comm ranks, std::size_t most_slots, dynamic_array<int> global_ranks = {})
        : begun_{std::uncaught_exceptions()}, global_ranks_{std::move(global_ranks)} {
        own_ = private_communicator(ranks);
        try {
            ensure("MPI_Comm_set_errhandler", MPI_Comm_set_errhandler(own_, MPI_ERRORS_RETURN));
            ensure("MPI_Comm_rank", MPI_Comm_rank(own_, &rank_));
            ensure("MPI_Comm_size", MPI_Comm_size(own_, &size_));
            layout_ = {static_cast<std::size_t>(size_), most_slots};
            allocate();
            find_single_copies();
        } catch (...) {
            if (memory_ != nullptr) { ::munmap(memory_, bytes()); }
            MPI_Comm_free(&own_);
            throw;
        }
    }

    shared_segment(shared_segment const&) = delete;
    shared_segment& operator=(shared_segment const&) = delete;

    /// A rank that leaves by an exception tells the others.
    [[gnu::cold]] ~shared_segment() {
        if (is_finalised()) { return; }
        if (ends_by_exception()) {
            auto const first = failed_rank();
            leave(rank_, stage::failed, first != size_ ? first : rank_);
        } else {
            presence_of(rank_).now.store(stage::ended, std::memory_order_release);
        }
        ::munmap(memory_, bytes());
        MPI_Comm_free(&own_);
    }

    /// Whether the destructor would be called by one, now.
    [[nodiscard]] bool ends_by_exception() const noexcept { return std::uncaught_exceptions() > begun_; }

    [[nodiscard]] int rank() const noexcept { return rank_; }
    [[nodiscard]] int size() const noexcept { return size_; }

    /// The memory of `rank`, as the layout divides it.
    [[nodiscard]] std::byte* of(int rank) const noexcept {
        return memory_ + static_cast<std::size_t>(rank) * layout_.bytes();
    }

    [[nodiscard]] int global_rank(int rank) const noexcept {
        return global_ranks_.empty() ? rank : global_ranks_[static_cast<std::size_t>(rank)];
    }

    [[nodiscard]] doorbell& bell_of(int rank) const noexcept { return presence_of(rank).bell; }

    /// How the memory of each rank is divided.
    [[nodiscard]] segment_layout const& layout() const noexcept { return layout_; }

    /// Whether ranks can read each other's own memory, and whether that pays.
    [[nodiscard]] single_copies const& copies() const noexcept { return *single_copies_; }

    /// The rank that has left first by an exception, or was killed; `size` if none has.
    [[nodiscard]] int failed_rank() const noexcept {
        for (int rank = 0; rank != size_; ++rank) {
            auto const now = presence_of(rank).now.load(std::memory_order_acquire);
            if (now == stage::failed || now == stage::killed) {
                return presence_of(rank).because_of.load(std::memory_order_relaxed);
            }
        }
        return size_;
    }

    /// Whether that rank was killed.
    [[nodiscard]] bool was_killed(int rank) const noexcept {
        return presence_of(rank).now.load(std::memory_order_acquire) == stage::killed;
    }

    /// Finds out whether ranks are there that have not left but whose processes are gone.
    void look_for_the_dead() const noexcept {
        auto const dead = deaths_.find();
        if (dead == death_watch::no_rank) { return; }
        if (presence_of(dead).now.load(std::memory_order_acquire) == stage::present) {
            leave(dead, stage::killed, dead);
        }
        deaths_.forget(dead);
    }

    /// Lets other messages of the process move.
    void progress() const {
        int found = 0;
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, own_, &found, MPI_STATUS_IGNORE);
    }

private:
    [[nodiscard]] std::size_t bytes() const noexcept { return layout_.bytes() * static_cast<std::size_t>(size_); }

    // Also where pages are made later, when they are first written.
    [[gnu::cold]] void require_room() const {
        struct statvfs room {};
        bool const known = statvfs("/dev/shm", &room) == 0;
        if (on_all(own_, !known || std::uint64_t{room.f_bavail} * room.f_frsize >= bytes())) { return; }
        throw std::runtime_error{
            text::joined({"tutti: /dev/shm has no room for the ", bytes(),
                          " bytes that the ranks of a node would share; make it larger, or let messages go by MPI"})};
    }

    [[gnu::cold]] void allocate() {
        auto const& where = layout_;
        require_room();
        auto name = static_cast<std::uint64_t>(MPI_Wtime() * 1e9) ^ reinterpret_cast<std::uintptr_t>(&where) << 16U ^
                    static_cast<std::uint64_t>(getpid()) << 40U;
        ensure("MPI_Bcast", PMPI_Bcast(&name, 1, MPI_UINT64_T, 0, own_));
        shared_file file{name};
        bool const is_made = rank_ != 0 || file.make(bytes());
        auto const why = errno;
        ensure("MPI_Barrier", PMPI_Barrier(own_));  // before others open it
        require_on_all(own_, [&] {
            errno = why;
            auto const used = where.keeps_budget() ? where.bytes() : where.slots_at(0);
            if (is_made && file.open() && file.take_room(static_cast<std::size_t>(rank_) * where.bytes(), used)) {
                memory_ = static_cast<std::byte*>(file.map(bytes()));
            }
            if (memory_ == nullptr) {
                throw std::runtime_error{text::joined({"tutti: /dev/shm gives this rank no memory to share with the "
                                                       "others of its node: ",
                                                       std::strerror(errno), "; messages can go by MPI"})};
            }
            deaths_.expect(size_);
        });
        make_own_pages(where);
        begin(where);
        ensure("MPI_Barrier", PMPI_Barrier(own_));
        forget_hidden_processes();
        make_pages_of_others(where);
    }

    void begin(segment_layout const& where) const {
        auto* const mine = of(rank_);
        new (mine) presence;
        presence_of(rank_).own = this_process();
        for (std::size_t receiver = 0; receiver != static_cast<std::size_t>(size_); ++receiver) {
            new (mine + where.ack_at(receiver)) ack;
            for (std::size_t i = 0; i != where.ring_entries(); ++i) {
                new (mine + where.ring_at(receiver) + i * where.entry_bytes()) queue_entry;
            }
        }
    }

    // Pages are made here, so that no collective has to: of what this rank sends, before it is written, and of what it
    // receives.
    void make_own_pages(segment_layout const& where) const {
        make_pages(of(rank_), where.slots_at(0), first_use::written);
        if (!where.keeps_budget()) { return; }
        for (int receiver = 0; receiver != size_; ++receiver) {
            if (receiver != rank_) { make_pages_of_pair(where, rank_, receiver, first_use::written); }
        }
    }
    void make_pages_of_others(segment_layout const& where) const {
        if (!where.keeps_budget()) { return; }
        for (int sender = 0; sender != size_; ++sender) {
            if (sender != rank_) { make_pages_of_pair(where, sender, rank_, first_use::read); }
        }
    }
    void make_pages_of_pair(segment_layout const& where, int sender, int receiver, first_use how) const {
        auto const first = where.slots_at(static_cast<std::size_t>(receiver));
        auto const last = where.slots_at(static_cast<std::size_t>(receiver) + 1);
        make_pages(of(sender) + first, last - first, how);
    }

    // Ranks in containers may have numbers of their own for processes.
    [[gnu::cold]] void forget_hidden_processes() {
        bool seen = true;
        for (int rank = 0; rank != size_; ++rank) { seen = seen && is_alive(presence_of(rank).own); }
        if (!on_all(own_, seen)) { presence_of(rank_).own = {}; }
        ensure("MPI_Barrier", PMPI_Barrier(own_));
        for (int rank = 0; rank != size_; ++rank) {
            if (rank != rank_) { deaths_.watch(rank, presence_of(rank).own); }
        }
    }

    // A rank times the slots that it fills for the next one, and those that the previous one has filled for it.
    void find_single_copies() {
        auto const next = static_cast<std::size_t>((rank_ + 1) % size_);
        auto const previous = (rank_ + size_ - 1) % size_;
        auto const bytes = layout_.slots() * layout_.slot_bytes();
        single_copies_.emplace(own_, std::span{of(rank_) + layout_.slots_at(next), bytes},
                               std::span{of(previous) + layout_.slots_at(static_cast<std::size_t>(rank_)), bytes},
                               layout_.longest_copied(), layout_.slot_bytes());
    }

    void leave(int rank, stage how, int because_of) const noexcept {
        auto& left = presence_of(rank);
        left.because_of.store(because_of, std::memory_order_relaxed);
        left.now.store(how, std::memory_order_release);
    }

    [[nodiscard]] presence& presence_of(int rank) const noexcept { return *reinterpret_cast<presence*>(of(rank)); }

    int begun_;
    dynamic_array<int> global_ranks_;
    MPI_Comm own_ = MPI_COMM_NULL;
    std::byte* memory_ = nullptr;  // of all ranks
    int rank_ = 0;
    int size_ = 0;
    segment_layout layout_{1, segment_layout::fewest_slots};
    std::optional<single_copies> single_copies_;
    mutable death_watch deaths_;
};

}  // namespace tutti::mpi::node
