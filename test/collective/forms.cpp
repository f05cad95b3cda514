// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/forms.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/communicator/threads.hpp>

BOOST_AUTO_TEST_SUITE(collective_forms)

using namespace tutti;

BOOST_AUTO_TEST_CASE(a_value_form_returns_its_result) {
    call_modes::blocking<overloads::whole_vectors<collective::all_reduce>> const everywhere;
    call_modes::blocking<overloads::reduce> const on_root;
    threads::run(3, [&](auto& world) {
        BOOST_TEST(everywhere(world, 7, std::plus<>{}) == 21);
        std::optional<long> const sum = on_root(world, 7L, std::plus<>{}, 1);
        BOOST_TEST(sum.has_value() == (world.rank() == 1));
        BOOST_TEST(sum.value_or(21) == 21);
    });
}

BOOST_AUTO_TEST_CASE(plans_refer_to_what_stays) {
    using call_modes::outlives_call;
    static_assert(outlives_call<std::vector<int>&> && outlives_call<std::vector<int> const&> && outlives_call<int&>);
    static_assert(outlives_call<std::span<int>> && outlives_call<int*> && outlives_call<int const*>);
    static_assert(outlives_call<argument::in_place<int>> && outlives_call<argument::in_place_pointer<int>>);
    static_assert(outlives_call<argument::as_value<int>> && outlives_call<argument::as_elements<std::string>>);
    static_assert(!outlives_call<std::vector<int>> && !outlives_call<std::array<int, 2>> && !outlives_call<int>);
    BOOST_TEST(true);
}

BOOST_AUTO_TEST_SUITE_END()
