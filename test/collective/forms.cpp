// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <array>
#include <concepts>
#include <span>
#include <string>
#include <vector>

#include <tutti/collective/forms.hpp>
#include <tutti/communicator/threads.hpp>

BOOST_AUTO_TEST_SUITE(collective_forms)

using namespace tutti;

namespace {

/// Call shapes that do nothing but say what was called.
struct recording {
    struct performed {
        std::string& result;
        int operand;
    };
    performed value(auto const& /*world*/, std::same_as<int> auto operand, std::string& result) const {
        return {result, operand};
    }
    performed value_on_root(auto const& /*world*/, std::same_as<long> auto operand, std::string& result) const {
        return {result, static_cast<int>(operand)};
    }
    static std::string first_result(auto operand) { return std::to_string(operand) + " as it was"; }
};

void perform(recording::performed call) { call.result = std::to_string(call.operand) + " alone"; }

}  // namespace

BOOST_AUTO_TEST_CASE(a_value_form_returns_its_result) {
    call_modes::blocking<recording> const call;
    threads::run(1, [&](auto& world) {
        BOOST_TEST(call(world, 7) == "7 alone");
        BOOST_TEST(call(world, 7L) == "7 alone");
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
