// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <functional>
#include <iostream>
#include <iterator>
#include <limits>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

/// The command line of every program here: a table of options, each with what it is called, what it means and what
/// reads its value. Headers only, so that a program is still one translation unit.
namespace tutti::command_line {

/// What is asked for cannot be done: one clause that says why and, where possible, what to write instead.
class usage_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

inline constexpr int refused = 2;

/// Thrown where --help is given: what to print instead of running.
struct help {
    std::string text;
};

/// One line on standard error. The library's messages begin with its name already.
inline void complain(std::string_view message, std::string_view program = {}) {
    constexpr std::string_view library = "tutti: ";
    if (message.starts_with(library)) { message.remove_prefix(library.size()); }
    std::cerr << library << program << (program.empty() ? "" : ": ") << message << std::endl;
}

/// What main returns, for a program without ranks.
template <class Run>
[[nodiscard]] int status_of(std::string_view program, Run const& run) {
    try {
        run();
        return EXIT_SUCCESS;
    } catch (help const& asked) {
        std::cout << asked.text;
        return EXIT_SUCCESS;
    } catch (usage_error const& mistake) {
        complain(mistake.what(), program);
        return refused;
    } catch (std::exception const& failure) {
        std::cerr << failure.what() << '\n';
        return EXIT_FAILURE;
    }
}

// ---- words ---------------------------------------------------------------------------------------------------------

/// "a, b, c"
template <class Range>
[[nodiscard]] std::string listed(Range const& names) {
    std::string result;
    for (auto const& name : names) { result += std::string{result.empty() ? "" : ", "} + std::string{name}; }
    return result;
}

/// "1 rank", "2 ranks"
[[nodiscard]] inline std::string counted(std::size_t count, std::string_view noun) {
    return std::to_string(count) + ' ' + std::string{noun} + (count == 1 ? "" : "s");
}

/// Letters to insert, remove or replace to turn `a` into `b`.
[[nodiscard]] inline std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        auto diagonal = row[0]++;
        for (std::size_t j = 0; j < b.size(); ++j) {
            auto const replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

/// The one of `known` that `typed` was most likely meant to be; `typed` itself if none is near.
[[nodiscard]] inline std::string nearest(std::string const& typed, std::vector<std::string> const& known) {
    auto best = typed;
    auto least = typed.size() / 2 + 1;
    for (auto const& name : known) {
        auto const far = distance(typed, name);
        if (far < least) {
            least = far;
            best = name;
        }
    }
    return best;
}

// ---- values --------------------------------------------------------------------------------------------------------

template <class Number>
inline constexpr Number largest = std::numeric_limits<Number>::max();

/// The number that `text` is, all of it; `what` names it in the message if it is none, below `least` or above `most`.
template <class Number>
[[nodiscard]] Number read_number(std::string const& what, std::string_view text, Number least = 0,
                                 Number most = largest<Number>) {
    constexpr bool whole = std::integral<Number>;
    Number result{};
    auto const end = text.data() + text.size();
    auto const [stop, code] = std::from_chars(text.data(), end, result);
    if (code == std::errc::result_out_of_range && stop == end) {
        throw usage_error{what + ": " + std::string{text} + " is too large"};
    }
    bool finite = true;
    if constexpr (!whole) { finite = std::isfinite(result); }
    if (text.empty() || code != std::errc{} || stop != end || !finite || result < least) {
        throw usage_error{what + " needs a " + (whole ? "whole " : "") + "number that is " +
                          (least == 0 ? "not negative" : "at least " + std::to_string(least)) + ", not '" +
                          std::string{text} + "'"};
    }
    if (result > most) { throw usage_error{what + " can be " + std::to_string(most) + " at most"}; }
    return result;
}

/// What `read` makes of the parts of "3,0,5"; nothing for an empty text.
template <class Value, class Read>
[[nodiscard]] std::vector<Value> read_list(std::string_view text, Read read) {
    std::vector<Value> result;
    for (std::size_t first = 0; !text.empty() && first <= text.size();) {
        auto const last = std::min(text.find(',', first), text.size());
        result.push_back(read(text.substr(first, last - first)));
        first = last + 1;
    }
    return result;
}

[[nodiscard]] inline std::vector<std::string> items(std::string_view text) {
    return read_list<std::string>(text, [](std::string_view each) { return std::string{each}; });
}

/// The position of `text` among `names`; `what` is asked for.
template <class Names>
[[nodiscard]] std::size_t read_name(std::string const& what, std::string_view text, Names const& names) {
    auto const found = std::find(names.begin(), names.end(), text);
    if (found == names.end()) {
        throw usage_error{what + " knows " + listed(names) + ", not '" + std::string{text} + "'"};
    }
    return static_cast<std::size_t>(found - names.begin());
}

// ---- options -------------------------------------------------------------------------------------------------------

/// Does what an option says; its name is for messages.
using reader = std::function<void(std::string const& name, std::string const& value)>;

struct option {
    std::string name;   ///< empty: a heading of the help
    std::string value;  ///< what stands for it in the help; empty: it takes none
    std::string meaning;
    reader read = {};
    bool repeats = false;
};

/// Of whole numbers.
struct bounds {
    std::size_t least = 0;
    std::size_t most = largest<std::size_t>;
};

/// A text, a flag, a number or a list of numbers, or any of these that may be missing.
template <class T>
[[nodiscard]] reader into(T& where, bounds within = {}) {
    return [&where, within](std::string const& name, std::string const& value) {
        auto const number = [&]<class Number>(std::string_view text, Number) {
            if constexpr (std::integral<Number>) {
                return read_number<Number>(name, text, within.least, within.most);
            } else {
                return read_number<Number>(name, text);
            }
        };
        auto const read = [&]<class Value>(Value& to) {
            if constexpr (std::same_as<Value, bool>) {
                to = true;
            } else if constexpr (std::is_arithmetic_v<Value>) {
                to = number(value, Value{});
            } else if constexpr (std::same_as<Value, std::string>) {
                to = value;
            } else {
                using each = typename Value::value_type;
                to = read_list<each>(value, [&](std::string_view text) { return number(text, each{}); });
            }
        };
        if constexpr (requires { *where; }) {
            read(where.emplace());
        } else {
            read(where);
        }
    };
}

/// One of `names`: itself, or the value 0, 1, ... of an enumeration.
template <class T, class Names>
[[nodiscard]] reader one_of(T& where, Names names) {
    return [&where, names = std::move(names)](std::string const& name, std::string const& value) {
        auto const at = read_name(name, value, names);
        if constexpr (std::same_as<T, std::string>) {
            where = names[at];
        } else if constexpr (requires { typename T::value_type; }) {
            where = static_cast<typename T::value_type>(at);
        } else {
            where = static_cast<T>(at);
        }
    };
}

/// Some of `known`, separated by commas: each once, in the order in which they are known.
[[nodiscard]] inline reader some_of(std::vector<std::string>& where, std::vector<std::string> known) {
    return [&where, known = std::move(known)](std::string const& name, std::string const& value) {
        auto const wanted = items(value);
        for (auto const& each : wanted) { static_cast<void>(read_name(name, each, known)); }
        where.clear();
        std::copy_if(known.begin(), known.end(), std::back_inserter(where), [&](std::string const& each) {
            return std::find(wanted.begin(), wanted.end(), each) != wanted.end();
        });
    };
}

/// `read` where it is allowed; otherwise the option is refused, and `why` says what to do.
[[nodiscard]] inline reader only_if(bool allowed, std::string why, reader read) {
    if (allowed) { return read; }
    return [why = std::move(why)](std::string const& name, std::string const&) { throw usage_error{name + ' ' + why}; };
}

/// What ./dev reads, which starts the ranks.
[[nodiscard]] inline option number_of_ranks(std::string meaning = "for ./dev, which starts the ranks") {
    return {"--ranks", "N", std::move(meaning), [](std::string const& name, std::string const& value) {
                static_cast<void>(read_number<std::size_t>(name, value, 1));
            }};
}

/// What --help prints of a table: a meaning of several lines is indented.
[[nodiscard]] inline std::string usage_of(std::vector<option> const& known) {
    constexpr std::size_t widest = 38;
    auto const left = [](option const& each) {
        return "  " + each.name + (each.value.empty() ? "" : " ") + each.value;
    };
    std::size_t column = 0;
    for (auto const& each : known) {
        if (each.read && left(each).size() < widest) { column = std::max(column, left(each).size() + 2); }
    }
    std::string result;
    for (auto const& each : known) {
        if (!each.read) {
            result += '\n' + each.meaning + '\n';
            continue;
        }
        auto line = left(each);
        if (line.size() + 2 > column && !each.meaning.empty()) {
            result += line + '\n';
            line.clear();
        }
        for (std::size_t first = 0; first < each.meaning.size();) {
            auto const last = std::min(each.meaning.find('\n', first), each.meaning.size());
            line.resize(column, ' ');
            result += line + each.meaning.substr(first, last - first) + '\n';
            line.clear();
            first = last + 1;
        }
        if (!line.empty()) { result += line + '\n'; }
    }
    return result;
}

[[nodiscard]] inline option const& find(std::vector<option> const& known, std::string const& name) {
    std::vector<std::string> names;
    for (auto const& each : known) {
        if (each.read && each.name == name) { return each; }
        if (each.read) { names.push_back(each.name); }
    }
    auto const meant = nearest(name, names);
    throw usage_error{"there is no option " + name + "; " +
                      (meant == name ? "--help lists them" : "did you mean " + meant + "?")};
}

/// Reads `--name value`, `--name=value` and `--name`. What begins with no dash is appended to `operands`, if there may
/// be any. Throws `usage_error` for what it does not understand, and `help`, which begins with `about`, for --help.
inline void read(std::vector<std::string> const& arguments, std::string const& about, std::vector<option> known,
                 std::vector<std::string>* operands = nullptr) {
    bool wants_help = false;
    known.push_back({"--help", "", "this text", into(wants_help)});
    std::set<std::string> given;
    for (auto at = arguments.begin(); at != arguments.end(); ++at) {
        if (operands != nullptr && !at->starts_with('-')) {
            operands->push_back(*at);
            continue;
        }
        if (!at->starts_with("--") && *at != "-h") {
            throw usage_error{"'" + *at + "' is no option; options begin with --, and --help lists them"};
        }
        auto const equals = at->find('=');
        auto const name = *at == "-h" ? "--help" : at->substr(0, equals);
        auto const& found = find(known, name);
        if (!given.insert(name).second && !found.repeats) { throw usage_error{name + " is given twice; give it once"}; }
        bool const takes_value = !found.value.empty();
        std::string value;
        if (equals != std::string::npos) {
            if (!takes_value) { throw usage_error{name + " takes no value"}; }
            value = at->substr(equals + 1);
        } else if (takes_value && at + 1 != arguments.end() && !(at + 1)->starts_with("--")) {
            value = *++at;
        }
        if (takes_value && value.empty()) {
            throw usage_error{name + " needs a value, such as " + name + ' ' + found.value};
        }
        found.read(name, value);
    }
    if (wants_help) { throw help{about + '\n' + usage_of(known)}; }
}

}  // namespace tutti::command_line
