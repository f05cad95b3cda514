// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <tutti/text.hpp>

namespace tutti::watch {

/// Where a process receives datagrams. Sent as bytes.
struct endpoint {
    std::uint64_t host = 0;  ///< the same for processes that reach each other by the loop-back interface
    std::int64_t process = 0;
    std::array<std::uint32_t, 4> addresses{};  ///< IPv4, in network byte order; 0: none
    std::uint16_t port = 0;                    ///< in network byte order; 0: it receives none
    std::uint16_t pad[3]{};
};

/// Short messages between processes whose threads all wait in MPI, or compute. They go by UDP and may get lost: another
/// thread may not call MPI unless the program has asked for MPI_THREAD_MULTIPLE. The socket stays open until the
/// process ends.
class datagrams {
public:
    datagrams() : socket_{::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)} {
        sockaddr_in any{};
        any.sin_family = AF_INET;
        socklen_t size = sizeof any;
        if (socket_ < 0 || ::bind(socket_, reinterpret_cast<sockaddr*>(&any), size) != 0 ||
            ::getsockname(socket_, reinterpret_cast<sockaddr*>(&any), &size) != 0) {
            return;
        }
        int const room = 1 << 22;  // bytes: answers of many ranks at once; the system gives what it can
        ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
        mine_.port = any.sin_port;
        mine_.host = host();
        mine_.process = ::getpid();
        add_addresses();
    }
    datagrams(datagrams const&) = delete;
    datagrams& operator=(datagrams const&) = delete;

    [[nodiscard]] endpoint const& mine() const { return mine_; }

    void send(endpoint const& to, void const* bytes, std::size_t size) const {
        if (to.port == 0 || socket_ < 0) { return; }
        if (to.host == mine_.host) { send(htonl(INADDR_LOOPBACK), to.port, bytes, size); }
        for (auto const address : to.addresses) {
            if (address != 0 && to.host != mine_.host) { send(address, to.port, bytes, size); }
        }
    }

    /// Waits for a message for this many milliseconds; its size, or 0.
    [[nodiscard]] std::size_t receive(void* bytes, std::size_t room, int milliseconds) const {
        pollfd one{socket_, POLLIN, 0};
        if (::poll(&one, 1, milliseconds) <= 0) { return 0; }
        auto const size = ::recv(socket_, bytes, room, MSG_DONTWAIT);
        return size > 0 ? static_cast<std::size_t>(size) : 0;
    }

private:
    void send(std::uint32_t address, std::uint16_t port, void const* bytes, std::size_t size) const {
        sockaddr_in there{};
        there.sin_family = AF_INET;
        there.sin_port = port;
        there.sin_addr.s_addr = address;
        ::sendto(socket_, bytes, size, MSG_DONTWAIT, reinterpret_cast<sockaddr*>(&there), sizeof there);
    }

    /// A hash of the machine's boot and of the network namespace of the process.
    [[nodiscard]] static std::uint64_t host() {
        std::string name;
        std::ifstream{"/proc/sys/kernel/random/boot_id"} >> name;
        std::array<char, 64> net{};
        if (::readlink("/proc/self/ns/net", net.data(), net.size() - 1) > 0) { name += net.data(); }
        return text::hash_of_name(name);
    }

    void add_addresses() {
        ifaddrs* all = nullptr;
        if (::getifaddrs(&all) != 0) { return; }
        std::size_t n = 0;
        for (auto* each = all; each != nullptr && n != mine_.addresses.size(); each = each->ifa_next) {
            if (each->ifa_addr == nullptr || each->ifa_addr->sa_family != AF_INET ||
                (each->ifa_flags & IFF_LOOPBACK) != 0 || (each->ifa_flags & IFF_UP) == 0) {
                continue;
            }
            sockaddr_in address{};
            std::memcpy(&address, each->ifa_addr, sizeof address);
            mine_.addresses[n++] = address.sin_addr.s_addr;
        }
        ::freeifaddrs(all);
    }

    int socket_;
    endpoint mine_;
};

}  // namespace tutti::watch
