// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace support {

/// An expression that travels as bytes. Its sum is written down, not computed: it shows which operands were combined,
/// in which order and how bracketed.
class expression {
public:
    expression() = delete;
    explicit expression(std::string_view text) {
        if (text.size() > text_.size()) { throw std::length_error{"an expression is too long for its test"}; }
        std::copy(text.begin(), text.end(), text_.begin());
        length_ = text.size();
    }
    [[nodiscard]] std::string_view text() const { return {text_.data(), length_}; }

    friend bool operator==(expression const& a, expression const& b) { return a.text() == b.text(); }
    friend std::ostream& operator<<(std::ostream& out, expression const& e) { return out << e.text(); }

private:
    std::array<char, 248> text_{};
    std::size_t length_ = 0;
};

/// a ⊕ b = "(a+b)", with a state that must not get lost.
class bracketing {
public:
    explicit bracketing(char sign) : sign_{sign} {}
    expression operator()(expression const& left, expression const& right) const {
        std::string text = "(";
        text += left.text();
        text += sign_;
        text += right.text();
        return expression{text + ")"};
    }

private:
    char sign_;
};

}  // namespace support
