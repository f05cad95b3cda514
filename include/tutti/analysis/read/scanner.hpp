// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <tutti/analysis/broken_schedule.hpp>
#include <tutti/analysis/schedule_table.hpp>
#include <tutti/text.hpp>

namespace tutti::analysis {

/// Files of schedules have no more ranks, and no more blocks of all ranks together: they would take memory without end.
inline constexpr std::size_t most_ranks = 65'536;
inline constexpr std::size_t most_cells = 10'000'000;

/// A line of a file of schedules, whose name outlives it.
struct file_line {
    std::string_view file;
    std::size_t number = 1;

    [[noreturn]] void refuse(std::string_view why) const {
        throw broken_schedule{text::joined({file, ":", number, ": ", why})};
    }
    [[noreturn]] void refuse_word(std::string_view word, std::string_view wanted) const {
        refuse(text::joined({"expected ", wanted, ", not '", text::printable(word), "'"}));
    }
    [[nodiscard]] std::size_t number_in(std::string_view word, std::string_view name, std::size_t most) const {
        std::size_t result = 0;
        auto const [end, error] = std::from_chars(word.data(), word.data() + word.size(), result);
        bool const is_number = error == std::errc{} && end == word.data() + word.size() && result <= most;
        if (!is_number) { refuse_word(word, text::joined({name, ", a whole number up to ", most})); }
        return result;
    }

    void set_size(schedule_table& of, std::size_t ranks, partition cut) const {
        if (ranks == 0 || cut.blocks() > most_cells / ranks) {
            refuse(text::joined({text::word(ranks, "rank"), " cannot have ", text::word(cut.blocks(), "block")}));
        }
        of.size = ranks;
        of.cut = std::move(cut);
        of.steps.resize(ranks);
    }
    /// Refuses a step that no rank could carry out.
    void add(schedule_table& to, std::size_t rank, step it) const {
        if (auto const why = symbolic::malformed(it, rank, to.size, to.cut); !why.empty()) {
            auto const index = to.steps[rank].size();
            refuse(text::joined({"rank ", rank, ", step ", index, " (", step_text::step(it), "): ", why}));
        }
        to.steps[rank].push_back(std::move(it));
    }
};

/// The words of a file, and the characters between them.
class scanner {
public:
    scanner(std::string_view text, std::string_view file) : text_{text}, at_{file} {}

    [[nodiscard]] file_line const& at() const { return at_; }
    /// What follows, without spaces; '\0' at the end.
    [[nodiscard]] char next() {
        for (; !text_.empty(); text_.remove_prefix(1)) {
            auto const each = text_.front();
            if (each == '\n') { ++at_.number; }
            if (each != '\n' && each != ' ' && each != '\t' && each != '\r') { return each; }
        }
        return '\0';
    }
    [[nodiscard]] bool take_if(char wanted) {
        bool const is_there = next() == wanted && wanted != '\0';
        if (is_there) { text_.remove_prefix(1); }
        return is_there;
    }
    [[nodiscard]] bool take_word(std::string_view wanted) {
        static_cast<void>(next());
        bool const is_there = text_.substr(0, text_.find_first_of(between_words)) == wanted;
        if (is_there) { text_.remove_prefix(wanted.size()); }
        return is_there;
    }
    void take(char wanted) {
        if (!take_if(wanted)) { at_.refuse_word(text_.substr(0, text_.find('\n')), std::string_view{&wanted, 1}); }
    }
    [[nodiscard]] std::string_view word() { return until(between_words); }
    [[nodiscard]] std::size_t number(std::string_view name, std::size_t most = most_cells) {
        return at_.number_in(word(), name, most);
    }
    /// What comes before one of these characters.
    [[nodiscard]] std::string_view until(std::string_view ends) {
        static_cast<void>(next());
        auto const result = text_.substr(0, text_.find_first_of(ends));
        text_.remove_prefix(result.size());
        return result;
    }
    /// Leaves out all before the last occurrence of this text, and it, if there is one.
    [[nodiscard]] bool find_last(std::string_view wanted) {
        auto const found = text_.rfind(wanted);
        if (found != text_.npos) { text_.remove_prefix(found + wanted.size()); }
        return found != text_.npos;
    }

private:
    static constexpr std::string_view between_words = " \t\r\n,:[]{}\"";

    std::string_view text_;
    file_line at_;
};

}  // namespace tutti::analysis
