// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include <cxxabi.h>
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

namespace tutti::watch {

/// Where in the program an address of code is: the file of its module, and the offset in it, which are the same in all
/// processes of a program.
struct code_place {
    std::string module;
    std::uintptr_t offset = 0;

    [[nodiscard]] static code_place of(void const* address) {
        Dl_info found{};
        if (address == nullptr || dladdr(address, &found) == 0 || found.dli_fname == nullptr) { return {}; }
        auto const offset =
            reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(found.dli_fbase);
        return {found.dli_fname, offset};
    }

    /// The address in this process; null if it has not loaded the module.
    [[nodiscard]] void const* address() const {
        struct search {
            code_place const& asked;
            void const* found = nullptr;
        } all{*this};
        dl_iterate_phdr(
            [](dl_phdr_info* each, std::size_t, void* state) {
                auto& now = *static_cast<search*>(state);
                if (each->dlpi_phnum == 0) { return 0; }
                Dl_info its{};
                auto const* const inside = reinterpret_cast<void const*>(each->dlpi_addr + each->dlpi_phdr[0].p_vaddr);
                if (dladdr(inside, &its) == 0 || now.asked.module != its.dli_fname) { return 0; }
                now.found = static_cast<char const*>(its.dli_fbase) + now.asked.offset;
                return 1;
            },
            &all);
        return all.found;
    }

    [[nodiscard]] std::string text() const {
        std::array<char, 32> number{};
        std::snprintf(number.data(), number.size(), "+0x%jx", static_cast<std::uintmax_t>(offset));
        return module.substr(module.rfind('/') + 1) + number.data();
    }
};

/// A function of a library that may not be there, by its name: null if it is not.
struct library_function {
    void* library;
    char const* name;

    template <class F>
    operator F*() const {
        return reinterpret_cast<F*>(dlsym(library, name));
    }
};

/// Names functions and lines by the debug information of this process's modules, as libdw of the elfutils reads it
/// where the system has that; else by the symbols that modules export.
class source_lines {
public:
    source_lines() {
        if (library_ == nullptr) { return; }
        session_ = begin_(&how_);
        if (session_ != nullptr && report_(session_, getpid()) == 0) { reported_(session_, nullptr, nullptr); }
    }
    source_lines(source_lines const&) = delete;
    source_lines& operator=(source_lines const&) = delete;
    ~source_lines() {
        if (session_ != nullptr) { end_(session_); }
    }

    /// The call that returns to an address: "main, solver.c:88", or as much of that as is known.
    [[nodiscard]] std::string of(void const* returns_to) const {
        if (returns_to == nullptr) { return "an unknown place"; }
        auto const place = code_place::of(returns_to);
        auto const at = reinterpret_cast<std::uintptr_t>(returns_to) - 1;
        std::string function;
        if (auto* const found_in = session_ != nullptr ? module_(session_, at) : nullptr) {
            if (auto const* const name = name_(found_in, at)) { function = demangled(name); }
            int number = 0;
            auto const* const file = file_and_line(found_in, at, number);
            if (file != nullptr && number > 0) {
                std::string_view const path{file};
                return (function.empty() ? "" : function + ", ") + std::string{path.substr(path.rfind('/') + 1)} + ":" +
                       std::to_string(number);
            }
        } else {
            Dl_info symbol{};
            if (dladdr(returns_to, &symbol) != 0 && symbol.dli_sname != nullptr) {
                function = demangled(symbol.dli_sname);
            }
        }
        return (function.empty() ? "" : function + ", ") + place.text();
    }

private:
    struct dwfl;
    struct module;
    struct line;
    struct unit;
    struct unit_line;
    struct callbacks {
        int (*find_elf)(module*, void**, char const*, std::uint64_t, char**, void**) = nullptr;
        // debug information beside the modules alone: none is fetched from servers
        int (*find_debuginfo)(module*, void**, char const*, std::uint64_t, char const*, char const*, std::uint32_t,
                              char**) = [](module*, void**, char const*, std::uint64_t, char const*, char const*,
                                           std::uint32_t, char**) { return -1; };
        int (*section_address)(module*, void**, char const*, std::uint64_t, char const*, std::uint32_t, void const*,
                               std::uint64_t*) = nullptr;
        char** debuginfo_path = nullptr;
    };

    /// A function's name without namespaces that have none, result and parameters; of a procedure of a Fortran
    /// module without the module.
    [[nodiscard]] static std::string demangled(char const* name) {
        int status = 0;
        std::unique_ptr<char, void (*)(void*)> const text{abi::__cxa_demangle(name, nullptr, nullptr, &status),
                                                          &std::free};
        std::string result = status == 0 && text ? text.get() : name;
        if (auto const module = result.find("_MOD_"); result.starts_with("__") && module != std::string::npos) {
            return result.substr(module + std::string_view{"_MOD_"}.size());
        }
        constexpr std::string_view unnamed = "(anonymous namespace)::";
        for (auto at = result.find(unnamed); at != std::string::npos; at = result.find(unnamed)) {
            result.erase(at, unnamed.size());
        }
        int depth = 0;
        std::size_t begin = 0;
        for (std::size_t i = 0; i != result.size(); ++i) {
            char const each = result[i];
            depth += each == '<' ? 1 : each == '>' ? -1 : 0;
            if (depth == 0 && each == ' ') { begin = i + 1; }
            if (depth == 0 && each == '(') { return result.substr(begin, i - begin); }
        }
        return result;
    }

    /// clang++ writes no index of addresses, so all compilation units are searched.
    [[nodiscard]] char const* file_and_line(module* in, std::uint64_t at, int& number) const {
        if (auto* const found = line_(in, at)) { return info_(found, nullptr, &number, nullptr, nullptr, nullptr); }
        std::uint64_t bias = 0;
        for (auto* each = next_unit_(in, nullptr, &bias); each != nullptr; each = next_unit_(in, each, &bias)) {
            if (has_address_(each, at - bias) != 1) { continue; }
            auto* const found = line_in_unit_(each, at - bias);
            if (found == nullptr || number_of_line_(found, &number) != 0) { return nullptr; }
            return file_of_line_(found, nullptr, nullptr);
        }
        return nullptr;
    }

    [[nodiscard]] library_function named(char const* name) const { return {library_, name}; }

    // all in the first version of libdw's interface
    void* library_ = dlopen("libdw.so.1", RTLD_LAZY | RTLD_LOCAL);
    dwfl* (*begin_)(callbacks const*) = named("dwfl_begin");
    int (*report_)(dwfl*, pid_t) = named("dwfl_linux_proc_report");
    int (*reported_)(dwfl*, void*, void*) = named("dwfl_report_end");
    void (*end_)(dwfl*) = named("dwfl_end");
    module* (*module_)(dwfl*, std::uint64_t) = named("dwfl_addrmodule");
    char const* (*name_)(module*, std::uint64_t) = named("dwfl_module_addrname");
    line* (*line_)(module*, std::uint64_t) = named("dwfl_module_getsrc");
    char const* (*info_)(line*, std::uint64_t*, int*, int*, std::uint64_t*, std::uint64_t*) = named("dwfl_lineinfo");
    unit* (*next_unit_)(module*, unit*, std::uint64_t*) = named("dwfl_module_nextcu");
    int (*has_address_)(unit*, std::uint64_t) = named("dwarf_haspc");
    unit_line* (*line_in_unit_)(unit*, std::uint64_t) = named("dwarf_getsrc_die");
    char const* (*file_of_line_)(unit_line*, std::uint64_t*, std::uint64_t*) = named("dwarf_linesrc");
    int (*number_of_line_)(unit_line*, int*) = named("dwarf_lineno");
    callbacks how_{named("dwfl_linux_proc_find_elf")};
    dwfl* session_ = nullptr;
};

}  // namespace tutti::watch
