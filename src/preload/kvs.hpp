// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <dlfcn.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace tutti::preload {

/// The key-value space of a job, which its launcher keeps: by PMIx (Open MPI, Slurm) or PMI 1 (MPICH's mpiexec). Each
/// process puts one value before MPI_Init, in which all wait for each other; after it any process may get the value of
/// another one, or learn that it has put none, and that process takes no part.
class kvs {
public:
    virtual ~kvs() = default;

    /// Whether the launcher is of this kind.
    [[nodiscard]] virtual bool find_launcher() = 0;
    /// Puts this process's value, which has no spaces; false if the launcher refuses it.
    [[nodiscard]] virtual bool put(std::string const& word) = 0;
    /// The value of a rank of MPI_COMM_WORLD.
    [[nodiscard]] virtual std::optional<std::string> get(int rank) = 0;
    /// Whether the value of a rank is this one.
    [[nodiscard]] virtual bool confirm(int rank, std::string const& word) { return get(rank) == word; }

protected:
    kvs() = default;
    kvs(kvs const&) = default;
    kvs& operator=(kvs const&) = default;

    static constexpr char const* key = "tutti";
};

/// Calls the library of PMIx (standard 2 to 5) if it is the launcher's, which MPI then uses, too: two libraries
/// of one process would be two clients to the launcher. Some MPIs contain their own.
class pmix_kvs final : public kvs {
public:
    [[nodiscard]] bool find_launcher() override {
        auto const* const launcher = std::getenv("PMIX_VERSION");
        if (launcher == nullptr || std::getenv("PMIX_NAMESPACE") == nullptr) { return false; }
        library_ = dlopen("libpmix.so.2", RTLD_LAZY);
        auto const version = library_ != nullptr ? find<char const*()>("PMIx_Get_version") : nullptr;
        std::string_view const said{launcher};
        auto const number = said.substr(0, said.find_first_not_of("0123456789."));
        if (version == nullptr || std::string_view{version()}.find(number) == std::string_view::npos) { return false; }
        major_ = std::atoi(launcher);
        return major_ != untried;
    }

    [[nodiscard]] bool put(std::string const& word) override {
        auto const put_value = find<int(std::uint8_t, char const*, value*)>("PMIx_Put");
        auto const commit = find<int()>("PMIx_Commit");
        get_ = find<int(process const*, char const*, information const*, std::size_t, value**)>("PMIx_Get");
        finalize_ = find<int(void const*, std::size_t)>("PMIx_Finalize");
        if (put_value == nullptr || commit == nullptr || get_ == nullptr || finalize_ == nullptr || !open()) {
            return false;
        }
        std::string copy = word;
        value one{};
        one.type = string_type;
        one.text = copy.data();
        bool const is_put = put_value(everywhere, key, &one) == success && commit() == success;
        if (major_ >= closed_since) { close(); }
        return is_put;
    }

    [[nodiscard]] std::optional<std::string> get(int rank) override {
        if (!is_open_ && !open()) { return std::nullopt; }
        auto asked = self_;
        asked.rank = static_cast<std::uint32_t>(rank);
        // MPI_Init has waited for all words: else the library looks for one that is not there for 2 s
        information at_once{};
        std::strncpy(at_once.key.data(), "pmix.immediate", at_once.key.size() - 1);
        at_once.content.type = bool_type;
        at_once.content.flag = true;
        value* found = nullptr;
        if (get_(&asked, key, &at_once, 1, &found) != success || found == nullptr || found->type != string_type) {
            return std::nullopt;
        }
        std::string result = found->text;
        std::free(found->text);
        std::free(found);
        return result;
    }

    pmix_kvs() = default;
    pmix_kvs(pmix_kvs const&) = delete;
    pmix_kvs& operator=(pmix_kvs const&) = delete;
    ~pmix_kvs() override { close(); }  // MPI's own use of PMIx goes on

private:
    // MPI_Init of Open MPI 6.0.0rc2 with PMIx 6 fails if PMIx is in use already. The one of Open MPI 4.1 with PMIx 4
    // does if it has been used and ended; what PMIx 5 does has not been seen.
    static constexpr int closed_since = 6;
    static constexpr int untried = 5;

    [[nodiscard]] bool open() {
        auto const init = find<int(process*, void*, std::size_t)>("PMIx_Init");
        is_open_ = init != nullptr && init(&self_, nullptr, 0) == success;
        return is_open_;
    }
    void close() {
        if (std::exchange(is_open_, false)) { finalize_(nullptr, 0); }
    }

    static constexpr int success = 0;
    static constexpr std::uint8_t everywhere = 3;     // PMIX_GLOBAL
    static constexpr std::uint16_t bool_type = 1;     // PMIX_BOOL
    static constexpr std::uint16_t string_type = 3;   // PMIX_STRING
    static constexpr std::size_t longest_name = 255;  // PMIX_MAX_NSLEN
    static constexpr std::size_t longest_key = 511;   // PMIX_MAX_KEYLEN

    struct process {
        std::array<char, longest_name + 1> job{};
        std::uint32_t rank = 0;
    };
    struct value {
        std::uint16_t type;
        union {
            bool flag;
            char* text;
            std::array<std::byte, 64> others;
        };
    };
    struct information {
        std::array<char, longest_key + 1> key;
        std::uint32_t flags;
        value content;
    };

    template <class Function>
    [[nodiscard]] Function* find(char const* name) const {
        return reinterpret_cast<Function*>(dlsym(library_, name));
    }

    void* library_ = nullptr;
    int major_ = 0;  // version
    process self_;
    int (*get_)(process const*, char const*, information const*, std::size_t, value**) = nullptr;
    int (*finalize_)(void const*, std::size_t) = nullptr;
    bool is_open_ = false;
};

/// Speaks PMI 1 on the connection that Hydra, MPICH's mpiexec, has left open: lines of words such as cmd=get. (Others
/// that set PMI_FD may use PMI 2, or expect their own library to.)
class pmi_kvs final : public kvs {
public:
    pmi_kvs() = default;
    pmi_kvs(pmi_kvs const&) = delete;
    pmi_kvs& operator=(pmi_kvs const&) = delete;
    ~pmi_kvs() override {
        if (seen_on_node_ >= 0) { ::close(seen_on_node_); }
    }

    [[nodiscard]] bool find_launcher() override {
        auto const* const connection = std::getenv("PMI_FD");
        auto const* const rank = std::getenv("PMI_RANK");
        auto const* const of_hydra = std::getenv("MPI_LOCALNRANKS");
        if (connection == nullptr || rank == nullptr || of_hydra == nullptr) { return false; }
        connection_ = std::atoi(connection);
        rank_ = rank;
        return true;
    }

    [[nodiscard]] bool put(std::string const& word) override {
        if (word_of(ask("cmd=init pmi_version=1 pmi_subversion=1"), "rc") != "0") { return false; }
        auto const store = word_of(ask("cmd=get_my_kvsname"), "kvsname");
        if (!store) { return false; }
        name_ = *store;
        auto const own = entry_of(rank_);
        if (word_of(ask("cmd=put " + own + " value=" + word), "rc") != "0") { return false; }
        seen_on_node_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        bool const is_seen =
            is_done(&bind, seen_on_node_, address_of(own, word)) && listen(seen_on_node_, SOMAXCONN) == 0;
        static_cast<void>(is_seen);  // else the launcher is asked
        return true;
    }

    /// On one node a rank with this value listens to a socket of that name. To ask the launcher takes up to 12 ms if
    /// ranks that wait in MPI use all processors (2 ranks on two, AMD EPYC, 2026-12-01).
    [[nodiscard]] bool confirm(int rank, std::string const& word) override {
        int const one = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        bool const is_seen = is_done(&connect, one, address_of(entry_of(std::to_string(rank)), word));
        if (one >= 0) { ::close(one); }
        return is_seen || kvs::confirm(rank, word);
    }

    [[nodiscard]] std::optional<std::string> get(int rank) override {
        auto const answer = ask("cmd=get " + entry_of(std::to_string(rank)));
        return word_of(answer, "rc") == "0" ? word_of(answer, "value") : std::nullopt;
    }

private:
    static constexpr int longest_wait = 10'000;  // ms

    /// Where a rank listens: an address of no file, since it begins with a null character.
    [[nodiscard]] static sockaddr_un address_of(std::string const& entry, std::string const& word) {
        sockaddr_un result{.sun_family = AF_UNIX, .sun_path = {}};
        auto const name = std::string{key} + std::to_string(std::hash<std::string>{}(entry + word));
        name.copy(result.sun_path + 1, sizeof result.sun_path - 1);
        return result;
    }
    /// Applies bind or connect to a socket.
    [[nodiscard]] static bool is_done(int (*apply)(int, sockaddr const*, socklen_t), int to, sockaddr_un const& where) {
        return to >= 0 && apply(to, reinterpret_cast<sockaddr const*>(&where), sizeof where) == 0;
    }

    [[nodiscard]] std::string entry_of(std::string const& rank) const {
        return "kvsname=" + name_ + " key=" + key + '-' + rank;
    }

    /// The line that answers a line; empty if the connection is broken. The launcher sends nothing else.
    [[nodiscard]] std::string ask(std::string line) const {
        line += '\n';
        if (write(connection_, line.data(), line.size()) != static_cast<ssize_t>(line.size())) { return {}; }
        std::string answer;
        pollfd reading{connection_, POLLIN, 0};
        for (std::array<char, 256> part{}; answer.empty() || answer.back() != '\n';) {
            auto const size = poll(&reading, 1, longest_wait) == 1 ? read(connection_, part.data(), part.size()) : 0;
            if (size <= 0) { return {}; }
            answer.append(part.data(), static_cast<std::size_t>(size));
        }
        answer.pop_back();
        return answer;
    }

    [[nodiscard]] static std::optional<std::string> word_of(std::string const& line, std::string_view name) {
        auto const at = (' ' + line).find(' ' + std::string{name} + '=');
        if (at == std::string::npos) { return std::nullopt; }
        auto const begin = at + name.size() + 1;
        return line.substr(begin, line.find(' ', begin) - begin);
    }

    int connection_ = -1;
    int seen_on_node_ = -1;  // a socket
    std::string rank_;
    std::string name_;
};

}  // namespace tutti::preload
