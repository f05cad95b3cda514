// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include <tutti/analysis/draw/svg_page.hpp>

#include "sheet.hpp"

/// Pieces of a page of HTML that needs no other file and no script.
namespace tutti::charts {

/// Everything up to the body; `style` is added to what all pages have.
[[nodiscard]] inline std::string document_head(std::string_view title, std::string_view style) {
    constexpr std::string_view of_all_pages =
        R"(body { max-width: 62rem; margin: 0 auto; padding: 1.5rem; color: #20262e; background: #fff;
       font: 16px/1.5 Helvetica, Arial, sans-serif; }
h1 { font-size: 1.7rem; }
h2 { margin-top: 3.2rem; padding-top: 1rem; border-top: 1px solid #d4d8de; font-size: 1.3rem; }
a { color: #1d4675; }
figure { margin: 1.2rem 0; }
figure svg { display: block; max-width: 100%; height: auto; }
figcaption { color: #4a5260; font-size: .9rem; }
nav ul { padding-left: 1.2rem; columns: 2 24rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin: .8rem 0; font-size: .88rem; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid #e3e6ea; text-align: left; vertical-align: top; }
th { border-bottom: 2px solid #b7bec8; white-space: nowrap; }
summary { cursor: pointer; color: #1d4675; }
)";
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
           draw::escaped(title) + "</title>\n<style>\n" + std::string{of_all_pages} + std::string{style} +
           "</style>\n</head>\n<body>\n";
}

/// `text` inside of `tag`, which may have attributes.
[[nodiscard]] inline std::string tagged(std::string_view tag, std::string_view text) {
    auto const end = tag.substr(0, tag.find(' '));
    return '<' + std::string{tag} + '>' + draw::escaped(text) + "</" + std::string{end} + ">";
}

[[nodiscard]] inline std::string link_to(std::string_view address, std::string_view text) {
    return "<a href=\"" + draw::escaped(address) + "\">" + draw::escaped(text) + "</a>";
}

/// The first `shown` rows.
[[nodiscard]] inline std::string table_of(sheet const& one, std::size_t shown) {
    std::string result = "<div class=\"scroll\"><table>\n<tr>";
    for (auto const& each : one.columns()) { result += tagged("th", each); }
    result += "</tr>\n";
    for (std::size_t i = 0; i < std::min(shown, one.rows().size()); ++i) {
        result += "<tr>";
        for (auto const& each : one.rows()[i]) { result += tagged("td", each); }
        result += "</tr>\n";
    }
    return result + "</table></div>\n";
}

[[nodiscard]] inline std::string table_of(sheet const& one) { return table_of(one, one.rows().size()); }

}  // namespace tutti::charts
