// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <ranges>
#include <type_traits>
#include <vector>

#include <tutti/collective.hpp>
#include <tutti/collective/arguments.hpp>
#include <tutti/communicator/world.hpp>
#include <tutti/element.hpp>
#include <tutti/operation.hpp>
#include <tutti/selection/algorithm.hpp>

namespace tutti::threads {
struct options;
}

/// Wrong calls stop the compilation with one sentence: the first error names the mistake and the remedy, and nothing
/// more of the call is compiled that could fail too.
namespace tutti::engine {

struct execution;

/// In place of the invocation of a call whose mistake `Mistake::refuse()` explains. It is reported by the function
/// that would perform the call: while overloads are looked through, compilers would list all that they have tried.
template <class Mistake>
struct refused_call {};

/// In place of the result, the plan or the pending value of such a call.
struct refused_result {
    template <class T>
        requires(!std::is_same_v<T, std::vector<bool>::reference>)  // flags[0] = result assigns a bool
    operator T() const;
    void start() const;
    bool test() const;
    void wait() const;
    refused_result get() const;
    refused_result explain() const;
};

template <class Mistake>
refused_result perform(refused_call<Mistake>) {
    Mistake::refuse();
    return {};
}

template <class Mistake, class... Arguments>
[[nodiscard]] refused_call<Mistake> with_extent(refused_call<Mistake> refused, Arguments const&...) {
    return refused;
}

template <auto... Use, class Mistake>
[[nodiscard]] refused_result make_plan(refused_call<Mistake>) {
    Mistake::refuse();
    return {};
}

}  // namespace tutti::engine

namespace tutti::argument {

/// False, but only known when a template is instantiated.
template <class...>
inline constexpr bool never = false;

template <class T>
inline constexpr bool is_vector_of_bool = false;
template <class Allocator>
inline constexpr bool is_vector_of_bool<std::vector<bool, Allocator>> = true;

/// What an argument's elements cannot be read from: MPI_IN_PLACE and other pointers to void, nullptr, flags[0] of a
/// std::vector<bool>, an array whose length or an object whose class is not known here, or an abstract class.
template <class X>
concept no_object = std::is_class_v<X> &&
    (!requires { sizeof(X); } || (std::is_abstract_v<X> && !requires { &X::operator(); }));
template <class X>
inline constexpr bool is_no_argument =
    std::is_void_v<std::remove_pointer_t<X>> || std::is_null_pointer_v<X> || std::is_unbounded_array_v<X> ||
    std::is_same_v<X, std::vector<bool>::reference> || no_object<X>;
template <class X>
    requires std::is_const_v<X> || std::is_reference_v<X>
inline constexpr bool is_no_argument<X> = is_no_argument<std::remove_cvref_t<X>>;
template <class T>
inline constexpr bool is_no_argument<in_place_pointer<T>> = std::is_void_v<T>;

/// Whether elements of type T can be copied as users' own code does it.
template <class T>
concept copied = std::is_convertible_v<T const&, T> && std::is_copy_assignable_v<T>;

/// Whether elements of type T can be handed from rank to rank of a communicator C.
template <class C, class T>
concept elements_fit = !is_no_argument<T> && copied<T> && !std::is_volatile_v<T> && !is_vector_of_bool<T> &&
                       !is_in_place<T> && (control::in_one_process<C> || packing::element<T>);

/// What a value may be copied from that is given alone.
template <class In>
concept single_operand = !is_in_place<In> && copied<element_of<In const&>>;

/// Whether a call over C may have an input and outputs of these element types.
template <class C, class In, class... Out>
inline constexpr bool data_fits =
    (std::is_same_v<std::remove_const_t<In>, Out> && ...) && elements_fit<C, std::remove_const_t<In>>;

/// A range whose elements lie here and there, so that it is one element.
template <class T>
concept scattered_range = std::ranges::range<T> && !range_of_elements<T> && !is_string<T> && !is_vector_of_bool<T>;

template <class T>
constexpr void refuse_scattered_range() {
    static_assert(never<T>,
                  "tutti: a range that does not lie in memory in one piece (a list, a deque, a lazy view) is one "
                  "element here; copy its elements to a std::vector first");
}

template <class T>
constexpr void refuse_copies() {
    static_assert(never<T>, "tutti: elements are copied from rank to rank and assigned, which their type does not "
                            "allow; it must not be abstract, nor have const or reference members or an explicit copy "
                            "constructor, and in place of a std::atomic or std::unique_ptr put the value that it "
                            "holds into the elements, or use std::shared_ptr in threads");
}

/// What is wrong with an argument, if it is one of `is_no_argument`.
template <class X, class... Rest>
constexpr void refuse_argument() {
    using plain = std::remove_cvref_t<X>;
    if constexpr (std::is_null_pointer_v<plain>) {
        static_assert(never<X>, "tutti: nullptr has no elements of any type; where a rank gives or takes nothing, pass "
                                "an empty std::span of the elements' type, or the form without that argument");
    } else if constexpr (std::is_unbounded_array_v<plain>) {
        static_assert(never<X>, "tutti: how many elements this array has is not known here; pass &x[0] and a count");
    } else if constexpr (std::is_same_v<plain, std::vector<bool>::reference>) {
        static_assert(never<X>, "tutti: an element of a std::vector<bool> is no bool in memory; write bool{flags[0]}, "
                                "and where it is changed, give a bool of your own");
    } else if constexpr (no_object<plain> && requires { sizeof(plain); }) {
        argument::refuse_copies<X>();
    } else if constexpr (no_object<plain>) {
        static_assert(never<X>, "tutti: the type of the elements is only declared here; include what defines it");
    } else if constexpr (is_no_argument<X>) {
        static_assert(never<X>, "tutti: a pointer to void does not say what its elements are; write tutti::inplace(x), "
                                "and no out, for MPI_IN_PLACE, and cast other pointers to their elements' type");
    } else if constexpr (sizeof...(Rest) != 0) {
        argument::refuse_argument<Rest...>();
    }
}

/// What is wrong where `data_fits` is false.
template <class C, class In, class... Out>
constexpr void refuse_data() {
    using T = std::remove_const_t<In>;
    if constexpr (is_in_place<T> || (is_in_place<std::remove_const_t<Out>> || ...)) {
        static_assert(never<T>, "tutti: inplace(x) takes the place of both in and out; pass no out with it");
    } else if constexpr ((is_no_argument<T> || ... || is_no_argument<Out>)) {
        argument::refuse_argument<T, Out...>();
    } else if constexpr ((std::is_volatile_v<T> || ... || std::is_volatile_v<Out>)) {
        static_assert(never<T>, "tutti: elements must not be volatile; pass a variable that is not, with their value");
    } else if constexpr (scattered_range<T> && (!(std::is_same_v<T, Out> && ...) || std::ranges::enable_view<T>)) {
        argument::refuse_scattered_range<T>();
    } else if constexpr (!(std::is_same_v<T, Out> && ...)) {
        static_assert(never<T>, "tutti: in and out must hold elements of the same type, and out, or x in inplace(x), "
                                "must be neither const nor a temporary");
    } else if constexpr (is_vector_of_bool<T>) {
        static_assert(never<T>,
                      "tutti: std::vector<bool> does not store its elements one by one; use std::vector<char>");
    } else if constexpr (!copied<T>) {
        argument::refuse_copies<T>();
    } else if constexpr (!means_the_same_elsewhere<T>) {
        static_assert(never<T>, "tutti: an address (a pointer, reference, view, iterator or handle, alone or in an "
                                "object) means nothing in another process; pass the elements to which it refers, a "
                                "pointer with their number, or specialise tutti::means_the_same_elsewhere");
    } else {
        static_assert(never<T>, "tutti: elements of this type cannot travel between processes; make the type trivially "
                                "copyable, or include <tutti/boost_mpi.hpp> and give it Boost.Serialization's "
                                "serialize(), which a std::map has by <boost/serialization/map.hpp>");
    }
}

/// What a list in braces at the end of a call is taken for: the members of `execution` and of `threads::options`.
struct options_in_braces {
    struct anything {
        anything() = default;
        template <class X>
        anything(X const&) {}
    } ready_mode{}, check_calls{}, shared_memory{}, reproducible{}, timeout{}, perturb{}, message_limit{}, nodes{};
};
template <class X>
inline constexpr bool is_options = std::is_same_v<std::remove_cvref_t<X>, engine::execution> ||
                                   std::is_same_v<std::remove_cvref_t<X>, threads::options>;

template <class X>
constexpr void refuse_options() {
    static_assert(never<X>, "tutti: a call takes no options; write tutti::configure(world, "
                            "tutti::execution{.check_calls = true}) before it, or tutti::threads::run(size, body, "
                            "{.timeout = 10s}) around it");
}

/// The argument in the last place is no algorithm.
template <class X>
constexpr void refuse_algorithm() {
    if constexpr (is_options<X>) { argument::refuse_options<X>(); }
    static_assert(is_options<X>, "tutti: the last argument is no algorithm, which is an object such as tutti::ring{} "
                                 "of <tutti/generators.hpp>, or of your own type with the functions describe and "
                                 "generate beside it, in its namespace");
}

/// What is wrong where an operator is none on elements of type T.
template <class T, class Op>
constexpr void refuse_operator() {
    using plain = std::remove_cvref_t<Op>;
    if constexpr (std::ranges::range<plain> || std::is_same_v<plain, T>) {
        static_assert(never<Op>, "tutti: the operator is missing, or not in its place: it follows in and out, as "
                                 "std::plus<>{} in all_reduce(world, in, out, std::plus<>{})");
    } else if constexpr (std::is_scalar_v<plain> && !std::is_function_v<std::remove_pointer_t<plain>>) {
        static_assert(never<Op>, "tutti: a number or a handle such as MPI_SUM is no operator; pass a functor in its "
                                 "place, such as std::plus<>{} or tutti::maximum<>{}, before the root if there is one");
    } else if constexpr (std::is_const_v<std::remove_reference_t<Op>> && operators::operator_on<plain, T>) {
        static_assert(never<Op>, "tutti: the operator is const here, and its operator() is not, as that of a mutable "
                                 "lambda; make operator() const, or pass a variable that is not const");
    } else if constexpr (range_of_elements<T>) {
        static_assert(never<Op>,
                      "tutti: each element is itself a range and is combined as a whole, which this operator "
                      "cannot do; pass one that takes two such ranges, or put all numbers into one vector "
                      "(tutti::elements(x) says of a string, not of nested ranges, that its parts are "
                      "combined)");
    } else {
        static_assert(never<Op>, "tutti: the operator cannot be applied to these elements; op(a, b) must take two "
                                 "elements and give one");
    }
}

/// The types of a call without an operator are wrong.
template <class C, class In, class... Out>
struct wrong_data {
    static constexpr void refuse() { argument::refuse_data<C, In, Out...>(); }
};

/// The types of a call with an operator are wrong.
template <class C, class Op, class In, class... Out>
struct wrong_types {
    static constexpr void refuse() {
        using T = std::remove_const_t<In>;
        if constexpr (scattered_range<T> && !operators::operator_on<std::remove_reference_t<Op>, T>) {
            argument::refuse_scattered_range<T>();
        } else if constexpr ((!std::is_same_v<T, Out> && ...) && (operators::operator_on<Out, T> && ...)) {
            argument::refuse_algorithm<Op>();  // (world, x, op, algorithm), not (world, in, out, op)
        } else if constexpr (!data_fits<C, In, Out...>) {
            argument::refuse_data<C, In, Out...>();
        } else {
            argument::refuse_operator<T, Op>();
        }
    }
};

/// Whether a call over C with an operator may have these types.
template <class C, class Op, class In, class... Out>
inline constexpr bool types_fit =
    data_fits<C, In, Out...> && operators::operator_on<std::remove_reference_t<Op>, std::remove_const_t<In>>;

/// Whether an argument can be meant as an operator. A functor is not called to find out: a generic lambda that does not
/// take the elements would be an error of its own.
template <class X>
inline constexpr bool may_be_operator = std::is_function_v<std::remove_pointer_t<std::remove_cvref_t<X>>> ||
                                        (std::is_class_v<std::remove_cvref_t<X>> && !std::ranges::range<X> &&
                                         !is_in_place<std::remove_cvref_t<X>> &&
                                         !is_annotation<std::remove_cvref_t<X>> && !algorithm<X>);

/// Whether a number is followed by what can only be the operator.
template <class... Arguments>
inline constexpr bool root_before_operator = false;
template <class First, class Second, class... Rest>
inline constexpr bool root_before_operator<First, Second, Rest...> =
    (std::integral<std::remove_cvref_t<First>> && may_be_operator<Second>) || root_before_operator<Second, Rest...>;

/// What the elements of an argument are, even of one that no call takes.
template <class X>
struct operand {
    using type = std::conditional_t<is_no_argument<X>, operators::no_operator, X>;
};
template <class X>
    requires(!is_no_argument<X>)
&&range_of_elements<X> struct operand<X> { using type = element_of<X&>; };
template <class X>
    requires std::is_object_v<X>
struct operand<X*> {
    using type = std::remove_cv_t<X>;
};
template <class T>
struct operand<in_place<T>> {
    using type = std::remove_cv_t<T>;
};
template <class T>
struct operand<in_place_pointer<T>> {
    using type = T;
};

/// Whether the first argument's elements cannot be copied.
template <class... Arguments>
inline constexpr bool is_first_not_copied = false;
template <class First, class... Rest>
inline constexpr bool is_first_not_copied<First, Rest...> = !copied<typename operand<std::remove_cvref_t<First>>::type>;

/// What is wrong with a call that has none of the forms of a collective, or none with its last argument.
template <class Overloads, bool lacks_algorithm, class World, class... Arguments>
constexpr void refuse_call() {
    using Collective = typename Overloads::collective_type;
    if constexpr (!tutti::world<World>) {
        static_assert(never<World>,
                      "tutti: the first argument must be a communicator whose header is included: MPI_Comm "
                      "by <tutti/mpi.hpp>, boost::mpi::communicator by <tutti/boost_mpi.hpp>, threads by "
                      "<tutti/threads.hpp>");
    } else if constexpr ((is_options<Arguments> || ...)) {
        argument::refuse_options<World>();
    } else if constexpr ((is_no_argument<Arguments> || ...)) {
        argument::refuse_argument<Arguments...>();
    } else if constexpr (collective::combines<Collective> && !(may_be_operator<Arguments> || ...)) {
        static_assert(never<World>, "tutti: the operator is missing, or not in its place: it follows in and out, as "
                                    "std::plus<>{} in all_reduce(world, in, out, std::plus<>{})");
    } else if constexpr (collective::combines<Collective> && collective::is_rooted<Collective> &&
                         root_before_operator<Arguments...>) {
        static_assert(never<World>, "tutti: the root follows the operator: reduce(world, in, out, op, root)");
    } else if constexpr (is_first_not_copied<Arguments...>) {
        argument::refuse_copies<World>();
    } else if constexpr (lacks_algorithm) {
        argument::refuse_algorithm<World>();
    } else {
        Overloads::template refuse<World>();
    }
}

/// What the name of several functions, or of a function template, converts to, if one of them is on elements of type T.
template <class T>
struct overloaded_function {
    overloaded_function(T (*)(T, T)) {}
    overloaded_function(T (*)(T const&, T const&)) {}
    overloaded_function(T const& (*)(T const&, T const&)) {}
};
template <class X>
using overloaded_function_on = overloaded_function<typename operand<std::remove_cvref_t<X>>::type>;

template <class T>
constexpr void refuse_list() {
    static_assert(never<T>, "tutti: a list in braces has no type here; write it before them, as std::array{1, 2, 3}");
}

template <class X>
constexpr void refuse_overloaded_function() {
    static_assert(never<X>, "tutti: the name of several functions, such as std::max, is no operator, since it does not "
                            "say which; pass tutti::maximum<>{}, tutti::minimum<>{} or a lambda that calls it");
}

}  // namespace tutti::argument
