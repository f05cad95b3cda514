// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <boost/archive/basic_archive.hpp>
#include <boost/archive/detail/common_iarchive.hpp>
#include <boost/archive/detail/common_oarchive.hpp>
#include <boost/archive/detail/register_archive.hpp>
#include <boost/archive/impl/archive_serializer_map.ipp>
#include <boost/mpl/bool.hpp>
#include <boost/serialization/array_optimization.hpp>
#include <boost/serialization/array_wrapper.hpp>
#include <boost/serialization/collection_size_type.hpp>
#include <boost/serialization/is_bitwise_serializable.hpp>
#include <boost/serialization/level.hpp>
#include <boost/serialization/string.hpp>

#include <tutti/element.hpp>
#include <tutti/text.hpp>

namespace tutti::packing {

/// Whether Boost.Serialization has a function for a class of the standard library, which has none of its own. That is
/// seen from inside a namespace with a function for all types, as Boost's own is: if there is no other, the call is
/// ambiguous.
namespace of_standard_library {

template <class Archive, class T>
void serialize(Archive&, T&, unsigned);

template <class Archive, class T>
inline constexpr bool is_known =
    !std::is_class_v<T> || !text::type_name<T>().starts_with("std::") ||
    boost::serialization::implementation_level<T>::value == boost::serialization::primitive_type ||
    requires(Archive& archive, T& value, boost::serialization::version_type version) {
    serialize(archive, value, version);
};

}  // namespace of_standard_library

/// An archive of Boost.Serialization that appends the bytes of primitive values to a vector, for readers on the same
/// kind of machine. There is neither a stream nor a header: Boost's binary archives take ten times as
/// long for one short string.
class output_archive : public boost::archive::detail::common_oarchive<output_archive> {
    using base = boost::archive::detail::common_oarchive<output_archive>;

public:
    explicit output_archive(std::vector<std::byte>& bytes) : base{boost::archive::no_header}, bytes_{bytes} {}

    void save_binary(void const* from, std::size_t count) {
        auto const* const first = static_cast<std::byte const*>(from);
        bytes_.insert(bytes_.end(), first, first + count);
    }

    template <class T>
    void save(T const& value) {
        static_assert(std::is_trivially_destructible_v<T>);
        save_binary(&value, sizeof value);
    }

    template <class Char>
    void save(std::basic_string<Char> const& text) {
        save(text.size());
        save_binary(text.data(), text.size() * sizeof(Char));
    }

    template <class T>
    void save_array(boost::serialization::array_wrapper<T> const& array, unsigned /*version*/) {
        save_binary(array.address(), array.count() * sizeof(T));
    }

    template <class T>
    void save_override(T const& value) {
        constexpr bool is_known = of_standard_library::is_known<output_archive, T>;
        static_assert(is_known, "tutti: Boost.Serialization needs a header for each type of the standard library, such "
                                "as #include <boost/serialization/map.hpp> for a std::map");
        if constexpr (is_known) { base::save_override(value); }
    }
    void save_override(boost::archive::class_id_optional_type const&) {}
    void save_override(boost::archive::class_name_type const& name) { save(std::string{name}); }

private:
    std::vector<std::byte>& bytes_;
};

/// Reads what `output_archive` wrote. Throws `std::runtime_error` where the bytes end too soon.
class input_archive : public boost::archive::detail::common_iarchive<input_archive> {
    using base = boost::archive::detail::common_iarchive<input_archive>;

public:
    explicit input_archive(std::span<std::byte const> bytes) : base{boost::archive::no_header}, rest_{bytes} {}

    /// What has not been read yet.
    [[nodiscard]] std::span<std::byte const> rest() const noexcept { return rest_; }

    void load_binary(void* to, std::size_t count) {
        require(count, 1);
        if (count != 0) { std::memcpy(to, rest_.data(), count); }
        rest_ = rest_.subspan(count);
    }

    template <class T>
    void load(T& value) {
        static_assert(std::is_trivially_destructible_v<T>);
        load_binary(&value, sizeof value);
    }

    template <class Char>
    void load(std::basic_string<Char>& text) {
        std::size_t count = 0;
        load(count);
        require(count, sizeof(Char));
        text.resize(count);
        load_binary(text.data(), count * sizeof(Char));
    }

    template <class T>
    void load_array(boost::serialization::array_wrapper<T>& array, unsigned /*version*/) {
        load_binary(array.address(), array.count() * sizeof(T));
    }

    template <class T>
    void load_override(T& value) {
        if constexpr (of_standard_library::is_known<input_archive, T>) { base::load_override(value); }
    }
    /// Memory for a collection is allocated before its elements are read: no more than there can be.
    void load_override(boost::serialization::collection_size_type& count) {
        base::load_override(count);
        if (std::size_t const number{std::as_const(count)}; number > without_bytes) { require(number, 1); }
    }
    void load_override(boost::archive::class_id_optional_type&) {}
    void load_override(boost::archive::class_name_type& name) {
        std::string text;
        load(text);
        if (text.size() >= BOOST_SERIALIZATION_MAX_KEY_SIZE) {
            throw std::runtime_error{"tutti: the class name in a packed message is too long; give every rank "
                                     "the same type"};
        }
        std::memcpy(name, text.c_str(), text.size() + 1);
    }

private:
    // Elements that take no bytes in a message are believed to be this many.
    static constexpr std::size_t without_bytes = std::size_t{1} << 20;

    void require(std::size_t count, std::size_t size) const {
        if (count > rest_.size() / size) {
            throw std::runtime_error{"tutti: a packed message ends before its last element; give every rank the same "
                                     "type and number of elements"};
        }
    }

    std::span<std::byte const> rest_;
};

}  // namespace tutti::packing

namespace boost::serialization {

// arrays of plain values, as in std::vector<double>, are copied at once
template <>
struct use_array_optimization<tutti::packing::output_archive> {
    template <class T>
    struct apply {
        using type = boost::mpl::bool_<is_bitwise_serializable<T>::value>;
    };
};

template <>
struct use_array_optimization<tutti::packing::input_archive>
    : use_array_optimization<tutti::packing::output_archive> {};

}  // namespace boost::serialization

BOOST_SERIALIZATION_REGISTER_ARCHIVE(tutti::packing::output_archive)
BOOST_SERIALIZATION_REGISTER_ARCHIVE(tutti::packing::input_archive)

namespace tutti {

/// Every type that does not travel as bytes is packed by Boost.Serialization. A type it does not know is a compile
/// error of its own, which names the missing serialize().
template <class T>
    requires(!travels_as_bytes<T> && packing::of_standard_library::is_known<packing::output_archive, T>)
struct serialization<T> {
    static void save(std::span<T const> in, std::vector<std::byte>& packed) {
        if (in.empty()) { return; }
        packing::output_archive archive{packed};
        for (auto const& value : in) { archive << value; }
    }

    static void load(std::span<std::byte const> packed, std::span<T> out) {
        if (!out.empty()) {
            packing::input_archive archive{packed};
            for (auto& value : out) { archive >> value; }
            packed = archive.rest();
        }
        if (!packed.empty()) {
            throw std::runtime_error{
                text::joined({"tutti: a packed message holds more than the ", text::word(out.size(), "element"),
                              " expected; give every rank the same type and number of elements"})};
        }
    }
};

}  // namespace tutti
