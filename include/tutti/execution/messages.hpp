// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>

#include <tutti/communicator.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/error.hpp>
#include <tutti/text.hpp>
#include <tutti/execution/buffers.hpp>
#include <tutti/execution/pieces.hpp>
#include <tutti/execution/progress_engine.hpp>
#include <tutti/execution/transport.hpp>
#include <tutti/program.hpp>

namespace tutti::engine {

/// The messages of a program whose elements travel as they lie in memory.
///
/// A message longer than a piece is cut, on both sides alike, see `pieces`, so that combining a piece overlaps with the
/// transfer of the next, and no message exceeds the communicator's limit. A piece that is scattered in the sender's
/// memory is gathered first. Incoming pieces go right to their place, to a slot of scratch until they are combined, or
/// stay in the sender's memory where the communicator lends it. There are slots enough for the whole of any message
/// that must be received before what this rank sends can be overwritten.
template <communicator C, class T>
class messages {
    // Long messages leave one after the other, in program order; but none waits for another's receiver. The pieces
    // under way should stay in a processor's cache until they are combined, and be enough to keep a network busy.
    static constexpr std::size_t bytes_at_once = 256 * 1024;
    static constexpr std::size_t most_pieces_at_once = 8;
    static constexpr std::size_t fewest_pieces_at_once = 2;

    // Bytes. Fetched pieces are combined by slices, so that long pieces cost nothing; but sends that have to be
    // gathered need memory for whole pieces. Slices stay in a cache of 1 MiB with the operands.
    static constexpr std::size_t longest_fetched = std::size_t{4} << 20;
    static constexpr std::size_t slice_fetched = 256 * 1024;

    // A rank that looks for a short message does nothing else meanwhile: about 2 us.
    static constexpr std::size_t longest_at_once = std::size_t{8} << 10;  // bytes
    static constexpr std::size_t polls_at_once = 100;

public:
    [[gnu::cold]] messages(C& world, program const& run, buffers<T>& where, completion_handler& owner)
        : world_{world},
          run_{run},
          buffers_{where},
          owner_{owner},
          limit_{static_cast<std::size_t>(world.message_limit())},
          lent_limit_{longest_lent(world)} {
        if (limit_ < element_bytes()) {
            throw std::invalid_argument{text::joined({"tutti: an element of ", text::word(element_bytes(), "byte"),
                                                " exceeds the communicator's message limit of ", limit_,
                                                "; let that be larger"})};
        }
        auto const usual = how_to_cut(false);
        auto const where_lent = how_to_cut(true);
        std::size_t gathered = 0, received = 0, longest = 0, longest_gathered = 0, longest_received = 0,
                    longest_exchanged = 0, most_exchanged = 0;
        for (auto const& next : run.instructions) {
            auto const& how = lends_to(next.peer) ? where_lent : usual;
            auto const size = how.size(next.elements);
            auto const count = how.count(next.elements);
            longest = std::max(longest, size);
            if (next.waits_for_send) {
                longest_exchanged = std::max(longest_exchanged, next.elements);
                most_exchanged = std::max(most_exchanged, count);
            }
            cuts_.push_back({next.what == action::send ? gathered : received, size});
            if (cuts_.size() <= run.posted_first) { posted_first_ += count; }
            if (!is_staged(next)) { continue; }
            auto& users = next.what == action::send ? gathered : received;
            auto& longest_of_these = next.what == action::send ? longest_gathered : longest_received;
            users += count;
            longest_of_these = std::max(longest_of_these, size);
        }
        at_once_ = as_many_of(longest);
        gathered_ = {gathered, as_many_of(longest_gathered), longest_gathered};
        received_ = {received, std::max(as_many_of(longest_received), most_exchanged),
                     longest_received};
        if (lends()) { bounce_buffer_ = workspace<T>{longest_exchanged}; }
        if (C::fetches_memory && lends()) { fetched_ = workspace<T>{std::min(longest, fetched_at_once())}; }
        moved_.resize(run.instructions.size());
        are_short_ = C::fetches_memory && lends() &&
                     std::all_of(run.instructions.begin(), run.instructions.end(), [&](instruction const& each) {
                         bool const moves = each.what == action::send || each.receives();
                         return !moves || (lends_to(each.peer) && each.has_data() &&
                                           each.elements * sizeof(T) <= std::min(longest_at_once, lent_limit_));
                     });
    }

    /// Whether some messages, or those of an instruction, stay in the sender's memory until they have been combined, or
    /// copied to their place.
    [[nodiscard]] bool lends() const { return lent_limit_ != 0; }
    [[nodiscard]] bool lends(instruction const& what) const { return lends_to(what.peer); }

    [[nodiscard]] bool reset(progress_engine<C>& engine, int tag) {
        if (limit_ != static_cast<std::size_t>(world_.message_limit()) || lent_limit_ != longest_lent(world_)) {
            return false;
        }
        engine_ = &engine;
        tag_ = tag;
        std::fill(moved_.begin(), moved_.end(), movement{});
        outgoing_ = 0;
        gathered_.reset();
        received_.reset();
        if (posted_first_ != 0) { engine.expect(posted_first_); }
        return true;
    }

    /// Whether all messages are short and go through memory: sends end at once, and what has come can be taken at once.
    [[nodiscard]] bool are_short() const { return are_short_; }

    /// Sends all of an instruction without a request; false, and nothing is sent, if there is no room now.
    [[nodiscard]] bool send_at_once(instruction const& what) {
        auto const* const data = elements_.in_one_place(what, 0, what.elements);
        return data != nullptr && leaves_at_once(what.peer, std::as_bytes(std::span{data, what.elements}));
    }
    /// Receives all of an instruction without a request; null if its message does not come soon.
    [[nodiscard]] std::optional<completion> receive_at_once(std::uint32_t index) {
        if constexpr (C::fetches_memory) {
            auto const& what = run_.instructions[index];
            completion how;
            if (world_.receive_at_once(what.peer, tag_, what.elements * sizeof(T), polls_at_once, how)) {
                advance(index, whole(index));
                return how;
            }
        }
        return {};
    }
    [[nodiscard]] fragment whole(std::uint32_t index) const {
        return {index, false, 0, run_.instructions[index].elements, no_user};
    }

    void prepare(std::uint32_t /*index*/) {}

    /// A sender that misses its data sends messages of no bytes.
    [[nodiscard]] sending send(std::uint32_t index, bool missing) {
        auto const& what = run_.instructions[index];
        missing |= !what.has_data();
        while (moved_[index].posted != what.elements) {
            if (moved_[index].under_way != 0 && outgoing_ >= at_once_) { return sending::begun; }
            auto next = next_piece(index, true);
            T const* data = nullptr;
            if (!missing) { data = elements_.in_one_place(what, next.first, next.count); }
            if (next.user != no_user) {
                if (!gathered_.free_for(next.user)) { return sending::begun; }
                if (data == nullptr && !missing) {
                    data = gather(what, next);
                } else {
                    gathered_.release(next.user);
                    next.user = no_user;
                }
            }
            auto const bytes = missing ? std::span<std::byte const>{} : std::as_bytes(std::span{data, next.count});
            if (leaves_at_once(what.peer, bytes)) {
                if (next.user != no_user) { gathered_.release(next.user); }
                moved_[index].posted += next.count;
                continue;
            }
            engine_->post(begin_send(what, tag_of(what), bytes), owner_, next);
            ++outgoing_;
            advance(index, next);
        }
        return moved_[index].under_way == 0 ? sending::ended : sending::posted;
    }

    [[nodiscard]] bool receive(std::uint32_t index) {
        auto const& what = run_.instructions[index];
        while (moved_[index].posted != what.elements) {
            if (moved_[index].under_way == at_once_ && index >= run_.posted_first) { return false; }
            auto const next = next_piece(index, false);
            if (next.user != no_user && !received_.free_for(next.user)) { return false; }
            engine_->post(begin_receive(what, next), owner_, next);
            advance(index, next);
        }
        return true;
    }

    [[nodiscard]] std::size_t under_way(std::uint32_t index) const { return moved_[index].under_way; }

    [[nodiscard]] bool sent(fragment const& what) {
        if (what.user != no_user) { gathered_.release(what.user); }
        --outgoing_;
        auto& moving = moved_[what.instruction];
        --moving.under_way;
        return moving.under_way == 0 &&
               moving.posted == run_.instructions[what.instruction].elements;
    }

    [[nodiscard]] std::optional<received_fragment<T>> arrived(fragment const& what, completion const& how) {
        --moved_[what.instruction].under_way;
        auto const& into = run_.instructions[what.instruction];
        received_fragment<T> result{what, how, nullptr, how.bytes == 0 && into.has_data()};
        if (how.bytes != 0 && how.bytes != what.count * sizeof(T)) {
            throw control::count_mismatch{world_.supervisor().text_of_call(tag_), into.peer,
                                          how.bytes / element_bytes(), world_.rank(), what.count / run_.unit};
        }
        result.elements = lends_to(into.peer) ? reinterpret_cast<T const*>(how.lent) : scratch_for(what);
        return result;
    }

    /// Copies a lent message, which cannot be combined yet, so that its send completes. Two ranks that send to each
    /// other and then combine into what they sent would wait for each other forever.
    void keep(received_fragment<T>& early) {
        if (early.how.lease == nullptr) { return; }
        if (!early.missing) {
            if (!fetch(early, early.what.first, early.what.count, bounce_buffer_.data() + early.what.first)) {
                bounce_buffer_.assign(early.what.first, early.what.count, early.elements);
                require_unchanged(early);
            }
            early.elements = bounce_buffer_.data() + early.what.first;
        }
        world_.give_back(early.how);
        early.how.lease = nullptr;
    }

    /// Throws if elements that were lent may have changed while they were read.
    void require_unchanged(received_fragment<T> const& read) {
        if (read.how.may_change && read.how.lease != nullptr) { world_.fetch(read.how, 0, {}); }
    }

    /// The most elements of a remote fragment that `incoming` may be asked for at a time.
    [[nodiscard]] std::size_t fetched_at_once() const {
        return std::max<std::size_t>(slice_fetched / element_bytes(), 1) * run_.unit;
    }

    /// Copies elements of a remote fragment, from the message's element `first` on. False, without a copy, for others.
    bool fetch(received_fragment<T> const& from, std::size_t first, std::size_t count, T* into) {
        if (!C::fetches_memory || !from.is_remote()) { return false; }
        world_.fetch(from.how, (first - from.what.first) * sizeof(T), std::as_writable_bytes(std::span{into, count}));
        return true;
    }

    /// The elements of a fragment from the message's element `first` on.
    [[nodiscard]] T const* incoming(received_fragment<T> const& from, std::size_t first, std::size_t count,
                                    T const* /*like*/) {
        if (fetch(from, first, count, fetched_.data())) { return fetched_.data(); }
        return from.elements + (first - from.what.first);
    }

    void release(received_fragment<T> const& done) {
        if (done.how.lease != nullptr) { world_.give_back(done.how); }
        if (done.what.user != no_user) { received_.release(done.what.user); }
    }

private:
    struct cut {
        std::size_t first_user;
        std::size_t size;  // elements of a piece
    };
    struct movement {
        std::size_t posted = 0;     // elements
        std::size_t under_way = 0;  // pieces
    };

    static constexpr std::size_t no_user = static_cast<std::size_t>(-1);

    [[nodiscard]] bool leaves_at_once(int peer, std::span<std::byte const> bytes) {
        if constexpr (C::fetches_memory) { return world_.send_at_once(peer, tag_, bytes, run_.prefers_single_copies); }
        return world_.send_at_once(peer, tag_, bytes);
    }

    // In bytes; 0 if nothing is lent.
    [[nodiscard]] std::size_t longest_lent(C const& world) const {
        if (!world.lends()) { return 0; }
        std::size_t longest = 0;
        if constexpr (C::fetches_memory) {
            longest = world.lent_limit(run_.prefers_single_copies);
        } else {
            longest = world.lent_limit();
        }
        return longest >= element_bytes() ? longest : 0;
    }

    // The same on both sides of a message.
    [[nodiscard]] bool lends_to(int peer) const { return lends() && world_.lends(peer); }

    [[nodiscard]] pieces how_to_cut(bool lent) const {
        auto bytes = lent ? lent_limit_ : limit_;
        if (C::fetches_memory && lent) { bytes = std::min(bytes, std::max(longest_fetched, element_bytes())); }
        auto const most = bytes / element_bytes() * run_.unit;
        auto const longest = lent ? most : std::clamp(most, run_.unit, run_.longest_message);
        return {longest, run_.unit, most < longest + run_.unit};
    }

    [[nodiscard]] std::size_t element_bytes() const { return sizeof(T) * run_.unit; }

    // Whether pieces need a slot: sends of several ranges may have to be gathered, and receives wait to be combined or
    // scattered.
    [[nodiscard]] bool is_staged(instruction const& what) const {
        bool const scattered = what.last_range - what.first_range > 1;
        bool const stays = what.receives() && lends_to(what.peer);
        return what.what == action::send || what.what == action::receive ? scattered && !stays
                                                                         : what.receives() && !stays;
    }

    // How many pieces of `elements` elements may be under way.
    [[nodiscard]] static std::size_t as_many_of(std::size_t elements) {
        return std::clamp(bytes_at_once / std::max<std::size_t>(elements * sizeof(T), 1), fewest_pieces_at_once,
                          most_pieces_at_once);
    }

    [[nodiscard]] fragment next_piece(std::uint32_t index, bool outgoing) const {
        auto const& what = run_.instructions[index];
        auto const first = moved_[index].posted;
        auto const& pieces = cuts_[index];
        return {index, outgoing, first, std::min(pieces.size, what.elements - first),
                is_staged(what) ? pieces.first_user + first / pieces.size : no_user};
    }

    // That of the whole message in all its pieces; and of one that misses its data.
    [[nodiscard]] int tag_of(instruction const& what) const {
        return world_.tag_for(what.peer, tag_, what.has_data() ? what.elements * sizeof(T) : 0);
    }

    [[nodiscard]] typename C::request begin_send(instruction const& what, int tag, std::span<std::byte const> bytes) {
        if constexpr (C::fetches_memory) {
            return what.is_ready_send ? world_.send_ready(what.peer, tag, bytes, run_.prefers_single_copies)
                                      : world_.send(what.peer, tag, bytes, run_.prefers_single_copies);
        } else {
            return what.is_ready_send ? world_.send_ready(what.peer, tag, bytes) : world_.send(what.peer, tag, bytes);
        }
    }

    [[nodiscard]] typename C::request begin_receive(instruction const& what, fragment const& next) {
        if (!what.has_data()) { return world_.receive(what.peer, tag_, {}); }
        if constexpr (control::lends_memory<C>) {
            if (lends_to(what.peer)) { return world_.receive_lent(what.peer, tag_, next.count * sizeof(T)); }
        }
        auto* target = scratch_for(next);
        if (target == nullptr) { target = buffers_.at(run_.ranges[what.first_range].target) + next.first; }
        return world_.receive(what.peer, tag_of(what), std::as_writable_bytes(std::span{target, next.count}));
    }

    // The scratch that receives a piece; null if it goes right to its place.
    [[nodiscard]] T* scratch_for(fragment const& piece) {
        return piece.user != no_user ? received_.data(piece.user) : nullptr;
    }

    void advance(std::uint32_t index, fragment const& next) {
        moved_[index].posted += next.count;
        ++moved_[index].under_way;
    }

    [[nodiscard]] T const* gather(instruction const& what, fragment const& next) {
        std::size_t filled = 0;
        elements_.for_each_run(what, next.first, next.count, [&](T const* from, std::size_t count) {
            gathered_.fill(next.user, filled, count, from);
            filled += count;
        });
        return gathered_.data(next.user);
    }

    C& world_;
    progress_engine<C>* engine_ = nullptr;
    int tag_ = 0;
    program const& run_;
    buffers<T>& buffers_;
    send_gather<T> elements_{run_, buffers_};
    completion_handler& owner_;
    bool are_short_ = false;
    std::size_t posted_first_ = 0;  // messages
    std::size_t limit_;
    std::size_t lent_limit_;
    std::size_t at_once_ = 1;  // pieces
    dynamic_array<cut> cuts_;  // of each instruction
    dynamic_array<movement> moved_;  // of each instruction
    std::size_t outgoing_ = 0;
    staging_ring<T> gathered_;
    staging_ring<T> received_;
    workspace<T> bounce_buffer_;
    workspace<T> fetched_;  // the slice that is being combined
};

}  // namespace tutti::engine
