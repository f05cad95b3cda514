// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tutti/communicator.hpp>
#include <tutti/element.hpp>
#include <tutti/error.hpp>
#include <tutti/execution/buffers.hpp>
#include <tutti/execution/progress_engine.hpp>
#include <tutti/execution/transport.hpp>
#include <tutti/program.hpp>
#include <tutti/text.hpp>

template <class T>
struct tutti::packing::packing_is_included {};

namespace tutti::engine {

/// The types whose elements this program may send packed, so that errors can name the type of a message.
class packed_type {
public:
    explicit packed_type(std::string_view name) noexcept
        : name_{name}, hash_{text::hash_of_name(name)}, next_{std::exchange(first_, this)} {}

    [[nodiscard]] static std::string_view name_of(std::uint64_t hash) noexcept {
        for (auto const* each = first_; each != nullptr; each = each->next_) {
            if (each->hash_ == hash) { return each->name_; }
        }
        return "elements of a type that this rank does not know";
    }

private:
    inline static packed_type const* first_ = nullptr;  // of a list that is complete before main begins

    std::string_view name_;
    std::uint64_t hash_;
    packed_type const* next_;
};

template <class T>
inline packed_type const known_packed_type{text::type_name<T>()};

/// What a packed message begins with. Ranks that expect another type or number of elements must not take it for theirs:
/// nothing in it is believed before it has been checked.
struct packet_header {
    std::uint64_t bytes = 0;  ///< of the whole, this included
    std::uint64_t elements = 0;
    std::uint64_t type = 0;   ///< hash of its name
};

/// What a receiver expects of a packet.
struct packet_expectation {
    int peer = 0;
    std::size_t elements = 0;
    std::string_view type;
    std::uint64_t hash = 0;  ///< of the type's name
    int rank = 0;            ///< that receives
    int tag = 0;             ///< of the call
    control::supervisor const* calls = nullptr;

    [[noreturn, gnu::cold]] void refuse(std::string_view received) const {
        auto const call = calls != nullptr ? calls->text_of_call(tag) : "a message";
        throw control::packet_mismatch{call, peer, received, rank, elements, type};
    }
};

/// The header of a packet whose first message is `first`; a longer packet has first messages of `longest` bytes. Throws
/// packet_mismatch if it is no header, or not the expected one.
[[nodiscard]] inline packet_header checked_header(std::span<std::byte const> first, std::size_t longest,
                                                  packet_expectation const& expected) {
    packet_header header;
    if (first.size() < sizeof header) {
        expected.refuse(text::joined({text::word(first.size(), "byte"), " that are no packed elements"}));
    }
    std::memcpy(&header, first.data(), sizeof header);
    if (header.type != expected.hash || header.elements != expected.elements) {
        bool const known = header.type == expected.hash;
        auto const received = known ? expected.type : packed_type::name_of(header.type);
        expected.refuse(text::joined(
            {header.elements, " ", text::public_name(received), " in ", text::word(header.bytes, "byte")}));
    }
    if (header.bytes < sizeof header || first.size() != std::min<std::uint64_t>(header.bytes, longest)) {
        expected.refuse(text::joined(
            {"a packed message of ", text::word(header.bytes, "byte"), " that begins with ", first.size()}));
    }
    return header;
}

/// Throws packet_mismatch unless a packet consists of its header and `ranges` ranges, each of its size and this many
/// bytes.
inline void check_ranges(std::span<std::byte const> packet, std::size_t ranges, packet_expectation const& expected) {
    auto rest = packet.subspan(sizeof(packet_header));
    for (std::size_t range = 0; range != ranges; ++range) {
        std::size_t size = 0;
        bool const has_size = rest.size() >= sizeof size;
        if (has_size) {
            std::memcpy(&size, rest.data(), sizeof size);
            rest = rest.subspan(sizeof size);
        }
        if (!has_size || size > rest.size()) {
            expected.refuse(
                text::joined({text::word(packet.size(), "byte"), " that end in part ", range + 1, " of ", ranges}));
        }
        rest = rest.subspan(size);
    }
    if (!rest.empty()) {
        expected.refuse(text::joined(
            {text::word(packet.size(), "byte"), ", ", rest.size(), " more than their ", text::word(ranges, "part")}));
    }
}

/// The messages of a program whose elements must be serialised: each range of a message is packed by itself.
///
/// The receiver cannot know how long a packed message is. Its beginning travels in a first message of at most
/// `head` bytes, which starts with the length of the whole, see `packet_header`; the rest, if any, follows. So there is
/// no ready mode, in which all receives are posted before the first send.
template <communicator C, class T>
class packed_messages {
public:
    packed_messages(C& world, program const& run, buffers<T>& where, completion_handler& owner)
        : world_{world},
          run_{run},
          buffers_{where},
          owner_{owner},
          limit_{static_cast<std::size_t>(world.message_limit())},
          head_{std::min(limit_, longest_head)},
          packets_(run.instructions.size()) {
        if (head_ < sizeof(packet_header)) {
            throw std::invalid_argument{"tutti: serialised elements need messages of at least " +
                                        std::to_string(sizeof(packet_header)) + " bytes; let the limit be larger"};
        }
        static_cast<void>(&known_packed_type<T>);  // registers the type
        std::size_t most = 0;
        for (auto const& range : run.ranges) { most = std::max(most, range.count); }
        unpacked_ = workspace<T>{most};
    }

    [[nodiscard]] bool reset(progress_engine<C>& engine, int tag) {
        if (limit_ != static_cast<std::size_t>(world_.message_limit())) { return false; }
        engine_ = &engine;
        tag_ = tag;
        for (auto& packet : packets_) { packet.stage = stages::idle, packet.under_way = 0; }
        return true;
    }

    /// Serialises what is sent: the user's code, which may throw.
    void prepare(std::uint32_t index) {
        packets_[index].bytes.clear();
        pack(index, packets_[index].bytes);
    }

    [[nodiscard]] sending send(std::uint32_t index, bool missing) {
        auto& packet = packets_[index];
        if (packet.stage == stages::idle) {
            if (missing) { packet.bytes.clear(); }
            packet.posted = std::min(head_, packet.bytes.size());
            post_send(index, 0, packet.posted);
            packet.under_way = 1;
            packet.stage = stages::rest;
        }
        for (; packet.posted != packet.bytes.size(); ++packet.under_way) {
            auto const count = std::min(limit_, packet.bytes.size() - packet.posted);
            post_send(index, packet.posted, count);
            packet.posted += count;
        }
        return sending::posted;
    }

    [[nodiscard]] static constexpr bool lends(instruction const& /*what*/) { return false; }

    [[nodiscard]] bool receive(std::uint32_t index) {
        auto& packet = packets_[index];
        if (packet.stage == stages::idle) {
            packet.bytes.resize(head_);
            packet.posted = head_;
            packet.under_way = 1;
            packet.stage = stages::head;
            post_receive(index, 0, head_);
        }
        return packet.stage == stages::rest;
    }

    [[nodiscard]] std::size_t under_way(std::uint32_t index) const { return packets_[index].under_way; }

    /// The number of messages of a packet is known late; the elements count as sent with the last of them.
    [[nodiscard]] bool sent(fragment const& what) {
        auto& packet = packets_[what.instruction];
        if (--packet.under_way != 0) { return false; }
        clear(packet.bytes);
        return true;
    }

    /// The packet, once the whole of it has arrived.
    [[nodiscard]] std::optional<received_fragment<T>> arrived(fragment const& what, completion const& how) {
        auto& packet = packets_[what.instruction];
        --packet.under_way;
        if (packet.stage == stages::head) {
            packet.stage = stages::rest;
            if (how.bytes == 0) {
                packet.bytes.clear();
            } else {
                auto const first = std::span<std::byte const>{packet.bytes}.first(std::min(how.bytes, head_));
                auto const size =
                    static_cast<std::size_t>(engine::checked_header(first, head_, expected(what.instruction)).bytes);
                packet.bytes.resize(size);
                packet.posted = std::min(head_, size);
                for (; packet.posted != size; ++packet.under_way) {
                    auto const count = std::min(limit_, size - packet.posted);
                    post_receive(what.instruction, packet.posted, count);
                    packet.posted += count;
                }
            }
        }
        if (packet.under_way != 0) { return std::nullopt; }
        if (!packet.bytes.empty()) {
            auto const& into = run_.instructions[what.instruction];
            engine::check_ranges(packet.bytes, into.last_range - into.first_range, expected(what.instruction));
        }
        auto whole = what;
        whole.first = 0;
        whole.count = run_.instructions[what.instruction].elements;
        return received_fragment<T>{whole, how, nullptr, packet.bytes.empty()};
    }

    /// The elements of a range, unpacked into objects that are copies of `*like` at first: serialisation writes to
    /// objects that exist, and the type need not have a default constructor, unless there is nothing to copy.
    [[nodiscard]] T const* incoming(received_fragment<T> const& from, std::size_t first, std::size_t count,
                                    T const* like) {
        auto const& what = run_.instructions[from.what.instruction];
        std::span<std::byte const> rest =
            std::span{packets_[from.what.instruction].bytes}.subspan(sizeof(packet_header));
        std::size_t begin = 0;
        for (auto p = what.first_range;; ++p) {
            std::size_t size = 0;
            std::memcpy(&size, rest.data(), sizeof size);
            auto const packed = rest.subspan(sizeof size, size);
            if (begin == first) {
                make_objects(count, like);
                serialization<T>::load(packed, std::span{unpacked_.data(), count});
                if (p + 1 == what.last_range) { clear(packets_[from.what.instruction].bytes); }
                return unpacked_.data();
            }
            begin += run_.ranges[p].count;
            rest = rest.subspan(sizeof size + size);
        }
    }

    void release(received_fragment<T> const& done) {
        clear(packets_[done.what.instruction].bytes);
        if constexpr (replaces) { make_objects(unpacked_.size(), nullptr); }
    }

private:
    static constexpr std::size_t longest_head = 4096;
    static constexpr std::size_t longest_kept = 64 * 1024;
    static constexpr std::uint64_t hash = text::hash_of_name(text::type_name<T>());

    enum class stages : std::uint8_t { idle, head, rest };

    struct parcel {
        stages stage = stages::idle;
        std::vector<std::byte> bytes;
        std::size_t posted = 0;
        std::size_t under_way = 0;
    };

    /// Whether `load` leaves nothing of what an object has been: then none is copied for it, nor kept.
    static constexpr bool replaces = requires { serialization<T>::replaces; };

    /// Long packets are given back: a program may have many.
    static void clear(std::vector<std::byte>& packet) {
        if (packet.capacity() > longest_kept) {
            packet = {};
        } else {
            packet.clear();
        }
    }

    void make_objects(std::size_t count, T const* like) {
        if constexpr (replaces) { like = nullptr; }
        auto const fill = [&](T const& model) {
            for (std::size_t i = 0; i != count; ++i) { unpacked_.assign(i, 1, &model); }
        };
        if (like != nullptr) {
            fill(*like);
        } else if constexpr (std::default_initializable<T>) {
            fill(T{});
        } else {
            throw std::logic_error{
                "tutti: a rank without elements of its own can receive those of others only if their type has a "
                "default constructor; give it one"};
        }
    }

    void pack(std::uint32_t index, std::vector<std::byte>& bytes) {
        auto const& what = run_.instructions[index];
        bytes.resize(sizeof(packet_header));
        for (auto p = what.first_range; p != what.last_range; ++p) {
            auto const& range = run_.ranges[p];
            auto const at = reserve_size(bytes);
            serialization<T>::save(std::span<T const>{buffers_.at(range.left), range.count}, bytes);
            write_size(bytes, at, bytes.size() - at - sizeof(std::size_t));
        }
        packet_header const header{bytes.size(), what.elements, hash};
        std::memcpy(bytes.data(), &header, sizeof header);
    }

    [[nodiscard]] packet_expectation expected(std::uint32_t index) const {
        auto const& what = run_.instructions[index];
        return {what.peer, what.elements, text::type_name<T>(), hash, world_.rank(), tag_, &world_.supervisor()};
    }

    static std::size_t reserve_size(std::vector<std::byte>& bytes) {
        bytes.resize(bytes.size() + sizeof(std::size_t));
        return bytes.size() - sizeof(std::size_t);
    }

    static void write_size(std::vector<std::byte>& bytes, std::size_t at, std::size_t size) {
        std::memcpy(bytes.data() + at, &size, sizeof size);
    }

    void post_send(std::uint32_t index, std::size_t first, std::size_t count) {
        auto const bytes = std::span<std::byte const>{packets_[index].bytes}.subspan(first, count);
        engine_->post(world_.send(run_.instructions[index].peer, tag_, bytes), owner_, {index, true, first, count, 0});
    }

    void post_receive(std::uint32_t index, std::size_t first, std::size_t count) {
        auto const bytes = std::span{packets_[index].bytes}.subspan(first, count);
        engine_->post(world_.receive(run_.instructions[index].peer, tag_, bytes), owner_,
                    {index, false, first, count, 0});
    }

    C& world_;
    progress_engine<C>* engine_ = nullptr;
    int tag_ = 0;
    program const& run_;
    buffers<T>& buffers_;
    completion_handler& owner_;
    std::size_t limit_;
    std::size_t head_;
    std::vector<parcel> packets_;
    workspace<T> unpacked_;
};

}  // namespace tutti::engine
