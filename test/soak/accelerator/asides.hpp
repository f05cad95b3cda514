// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <chrono>
#include <clocale>
#include <cstddef>
#include <cstdlib>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include <mpi.h>

#include "../random.hpp"
#include "operators.hpp"

namespace soak {

/// What a rank does by itself between calls of all: it makes and frees, uses up what MPI has, is late.
class asides {
public:
    explicit asides(draw& from) : from_{from} {}
    asides(asides const&) = delete;
    asides& operator=(asides const&) = delete;
    ~asides() { end(); }

    void next() {
        if (calls_until_end_ != 0 && --calls_until_end_ == 0) { give_back(); }
        if (from_.one_in(200)) { use_up(); }
        if (!from_.one_in(4)) { return; }
        switch (from_.below(7)) {
        case 0: call_alone(); break;
        case 1:
            while (types_.size() > from_.below(6)) {
                MPI_Type_free(&types_.back());
                types_.pop_back();
            }
            types_.push_back(MPI_DATATYPE_NULL);
            MPI_Type_contiguous(1 + static_cast<int>(from_.below(9)), MPI_INT, &types_.back());
            MPI_Type_commit(&types_.back());
            break;
        case 2:
            while (operators_.size() > from_.below(6)) {
                MPI_Op_free(&operators_.back());
                operators_.pop_back();
            }
            operators_.push_back(make_operator(static_cast<users_operator>(from_.below(4))));
            break;
        case 3: {
            int key = MPI_KEYVAL_INVALID;
            MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, nullptr);
            MPI_Comm_set_attr(MPI_COMM_SELF, key, this);
            MPI_Comm_delete_attr(MPI_COMM_SELF, key);
            MPI_Comm_free_keyval(&key);
            break;
        }
        case 4: std::this_thread::sleep_for(std::chrono::microseconds{from_.below(2000)}); break;
        case 5: {
            int sent = 1;
            int received = 0;
            MPI_Sendrecv(&sent, 1, MPI_INT, 0, 0, &received, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
            break;
        }
        default: std::setlocale(LC_ALL, from_.one_in(2) ? "C.UTF-8" : "C"); break;
        }
    }

    /// MPI and the system have again what they had.
    void give_back() {
        calls_until_end_ = 0;
        for (auto& each : many_) { MPI_Comm_free(&each); }
        many_.clear();
        for (auto& each : keys_) { MPI_Comm_free_keyval(&each); }
        keys_.clear();
        for (int const each : files_) { close(each); }
        files_.clear();
    }

    void end() {
        give_back();
        for (auto& each : types_) { MPI_Type_free(&each); }
        types_.clear();
        for (auto& each : operators_) { MPI_Op_free(&each); }
        operators_.clear();
        for (auto& each : alone_) { MPI_Comm_free(&each); }
        alone_.clear();
    }

private:
    static constexpr std::size_t most = 2100;  // communicators and keys of each rank: MPICH 4.0 has 2048 communicators

    /// Calls on a communicator of this rank's own, some of which begin with others.
    void call_alone() {
        while (alone_.size() > from_.below(6)) {
            MPI_Comm_free(&alone_.back());
            alone_.pop_back();
        }
        if (!many_.empty()) { return; }
        alone_.push_back(MPI_COMM_NULL);
        MPI_Comm_dup(MPI_COMM_SELF, &alone_.back());
        std::vector<double> one(1 + from_.below(600));
        auto const count = static_cast<int>(one.size());
        for (auto calls = from_.below(100); calls != 0; --calls) {
            MPI_Bcast(one.data(), count, MPI_DOUBLE, 0, alone_.back());
            MPI_Allreduce(MPI_IN_PLACE, one.data(), count, MPI_DOUBLE, MPI_SUM, alone_.back());
        }
    }

    void use_up() {
        give_back();
        calls_until_end_ = from_.from(1, 80);
        switch (from_.below(4)) {
        case 0: {
            MPI_Comm self = MPI_COMM_NULL;
            MPI_Comm_dup(MPI_COMM_SELF, &self);
            MPI_Comm_set_errhandler(self, MPI_ERRORS_RETURN);
            many_.push_back(self);
            while (many_.size() != most && MPI_Comm_dup(self, &self) == MPI_SUCCESS) {
                many_.push_back(self);
                self = many_.front();
            }
            break;
        }
        case 1:
            while (keys_.size() != most) {
                keys_.push_back(MPI_KEYVAL_INVALID);
                MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keys_.back(), nullptr);
            }
            break;
        case 2:
            for (int file = 0; files_.size() != most && (file = open("/dev/null", O_RDONLY)) >= 0;) {
                files_.push_back(file);
            }
            break;
        default: break;
        }
    }

    draw& from_;
    std::vector<MPI_Comm> alone_;
    std::vector<MPI_Datatype> types_;
    std::vector<MPI_Op> operators_;
    std::size_t calls_until_end_ = 0;
    std::vector<MPI_Comm> many_;
    std::vector<int> keys_;
    std::vector<int> files_;
};

}  // namespace soak
