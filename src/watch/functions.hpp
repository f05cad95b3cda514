// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// Functions of MPI that are no collectives on data, and that libtutti_mpi.so takes where calls are watched: those in
// which a rank may wait, and those that make communicators; defined, for one translation unit, as in collectives.hpp.

#include <string>

#include <watch/observer.hpp>

extern "C" {

#define TUTTI_OBSERVER tutti::watch::observer
#define TUTTI_UNTIL tutti::watch::observer::until
#define TUTTI_WITH_ROOT(name, comm, root)                                                                              \
    { name, comm, -1, MPI_DATATYPE_NULL, MPI_OP_NULL, root }

// ---- messages ------------------------------------------------------------------------------------------------------

int tutti_watch_MPI_Send(void* site, void const* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    return TUTTI_OBSERVER::other({"MPI_Send", comm, count, type, MPI_OP_NULL, to, tag}, site,
                                 [&] { return PMPI_Send(data, count, type, to, tag, comm); });
}
int tutti_watch_MPI_Ssend(void* site, void const* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    return TUTTI_OBSERVER::other({"MPI_Ssend", comm, count, type, MPI_OP_NULL, to, tag}, site,
                                 [&] { return PMPI_Ssend(data, count, type, to, tag, comm); });
}
int tutti_watch_MPI_Recv(void* site, void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                         MPI_Status* status) {
    return TUTTI_OBSERVER::other({"MPI_Recv", comm, -1, type, MPI_OP_NULL, from, tag}, site,
                                 [&] { return PMPI_Recv(data, count, type, from, tag, comm, status); });
}
int tutti_watch_MPI_Sendrecv(void* site, void const* data, int count, MPI_Datatype type, int to, int tag, void* memory,
                             int in_count, MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm,
                             MPI_Status* status) {
    return TUTTI_OBSERVER::other({"MPI_Sendrecv", comm, -1, type, MPI_OP_NULL, from, in_tag}, site, [&] {
        return PMPI_Sendrecv(data, count, type, to, tag, memory, in_count, in_type, from, in_tag, comm, status);
    });
}
int tutti_watch_MPI_Probe(void* site, int from, int tag, MPI_Comm comm, MPI_Status* status) {
    return TUTTI_OBSERVER::other({"MPI_Probe", comm, -1, MPI_DATATYPE_NULL, MPI_OP_NULL, from, tag}, site,
                                 [&] { return PMPI_Probe(from, tag, comm, status); });
}

// ---- the ends of calls that go on ----------------------------------------------------------------------------------

int tutti_watch_MPI_Wait(void* site, MPI_Request* request, MPI_Status* status) {
    return TUTTI_OBSERVER::completion("MPI_Wait", TUTTI_UNTIL::all, 1, request, site,
                                      [&] { return PMPI_Wait(request, status); });
}
int tutti_watch_MPI_Waitall(void* site, int count, MPI_Request* requests, MPI_Status* statuses) {
    return TUTTI_OBSERVER::completion("MPI_Waitall", TUTTI_UNTIL::all, count, requests, site,
                                      [&] { return PMPI_Waitall(count, requests, statuses); });
}
int tutti_watch_MPI_Waitany(void* site, int count, MPI_Request* requests, int* index, MPI_Status* status) {
    return TUTTI_OBSERVER::completion("MPI_Waitany", TUTTI_UNTIL::any, count, requests, site,
                                      [&] { return PMPI_Waitany(count, requests, index, status); });
}
int tutti_watch_MPI_Waitsome(void* site, int count, MPI_Request* requests, int* done, int* indices,
                             MPI_Status* statuses) {
    return TUTTI_OBSERVER::completion("MPI_Waitsome", TUTTI_UNTIL::any, count, requests, site,
                                      [&] { return PMPI_Waitsome(count, requests, done, indices, statuses); });
}
int tutti_watch_MPI_Test(void* site, MPI_Request* request, int* flag, MPI_Status* status) {
    return TUTTI_OBSERVER::completion("MPI_Test", TUTTI_UNTIL::nothing, 1, request, site,
                                      [&] { return PMPI_Test(request, flag, status); });
}
int tutti_watch_MPI_Testall(void* site, int count, MPI_Request* requests, int* flag, MPI_Status* statuses) {
    return TUTTI_OBSERVER::completion("MPI_Testall", TUTTI_UNTIL::nothing, count, requests, site,
                                      [&] { return PMPI_Testall(count, requests, flag, statuses); });
}
int tutti_watch_MPI_Testany(void* site, int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status) {
    return TUTTI_OBSERVER::completion("MPI_Testany", TUTTI_UNTIL::nothing, count, requests, site,
                                      [&] { return PMPI_Testany(count, requests, index, flag, status); });
}
int tutti_watch_MPI_Testsome(void* site, int count, MPI_Request* requests, int* done, int* indices,
                             MPI_Status* statuses) {
    return TUTTI_OBSERVER::completion("MPI_Testsome", TUTTI_UNTIL::nothing, count, requests, site,
                                      [&] { return PMPI_Testsome(count, requests, done, indices, statuses); });
}
int tutti_watch_MPI_Request_free(void* site, MPI_Request* request) {
    return TUTTI_OBSERVER::completion("MPI_Request_free", TUTTI_UNTIL::nothing, 1, request, site,
                                      [&] { return PMPI_Request_free(request); });
}

// ---- communicators -------------------------------------------------------------------------------------------------

int tutti_watch_MPI_Ibarrier(void* site, MPI_Comm comm, MPI_Request* request) {
    return TUTTI_OBSERVER::begun({"MPI_Ibarrier", comm}, request, site, TUTTI_OBSERVER::none,
                                 [&] { return PMPI_Ibarrier(comm, request); });
}
int tutti_watch_MPI_Comm_dup(void* site, MPI_Comm comm, MPI_Comm* made) {
    return TUTTI_OBSERVER::making({"MPI_Comm_dup", comm}, made, site, [&] { return PMPI_Comm_dup(comm, made); });
}
int tutti_watch_MPI_Comm_dup_with_info(void* site, MPI_Comm comm, MPI_Info info, MPI_Comm* made) {
    return TUTTI_OBSERVER::making({"MPI_Comm_dup_with_info", comm}, made, site,
                                  [&] { return PMPI_Comm_dup_with_info(comm, info, made); });
}
int tutti_watch_MPI_Comm_idup(void* site, MPI_Comm comm, MPI_Comm* made, MPI_Request* request) {
    return TUTTI_OBSERVER::begun_making({"MPI_Comm_idup", comm}, made, request, site,
                                        [&] { return PMPI_Comm_idup(comm, made, request); });
}
int tutti_watch_MPI_Comm_split(void* site, MPI_Comm comm, int color, int key, MPI_Comm* made) {
    return TUTTI_OBSERVER::making({"MPI_Comm_split", comm}, made, site,
                                  [&] { return PMPI_Comm_split(comm, color, key, made); });
}
int tutti_watch_MPI_Comm_split_type(void* site, MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made) {
    return TUTTI_OBSERVER::making({"MPI_Comm_split_type", comm}, made, site,
                                  [&] { return PMPI_Comm_split_type(comm, type, key, info, made); });
}
int tutti_watch_MPI_Comm_create(void* site, MPI_Comm comm, MPI_Group group, MPI_Comm* made) {
    return TUTTI_OBSERVER::making({"MPI_Comm_create", comm}, made, site,
                                  [&] { return PMPI_Comm_create(comm, group, made); });
}
int tutti_watch_MPI_Comm_create_group(void* site, MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made) {
    return TUTTI_OBSERVER::making_by_some({"MPI_Comm_create_group", comm}, "tag " + std::to_string(tag), made, site,
                                          [&] { return PMPI_Comm_create_group(comm, group, tag, made); });
}
int tutti_watch_MPI_Cart_create(void* site, MPI_Comm comm, int n, int const* sizes, int const* periods, int reorder,
                                MPI_Comm* made) {
    return TUTTI_OBSERVER::making({"MPI_Cart_create", comm}, made, site,
                                  [&] { return PMPI_Cart_create(comm, n, sizes, periods, reorder, made); });
}
int tutti_watch_MPI_Cart_sub(void* site, MPI_Comm comm, int const* kept, MPI_Comm* made) {
    return TUTTI_OBSERVER::making({"MPI_Cart_sub", comm}, made, site, [&] { return PMPI_Cart_sub(comm, kept, made); });
}
int tutti_watch_MPI_Graph_create(void* site, MPI_Comm comm, int n, int const* index, int const* edges, int reorder,
                                 MPI_Comm* made) {
    return TUTTI_OBSERVER::making({"MPI_Graph_create", comm}, made, site,
                                  [&] { return PMPI_Graph_create(comm, n, index, edges, reorder, made); });
}
int tutti_watch_MPI_Dist_graph_create(void* site, MPI_Comm comm, int n, int const* sources, int const* degrees,
                                      int const* destinations, int const* weights, MPI_Info info, int reorder,
                                      MPI_Comm* made) {
    return TUTTI_OBSERVER::making({"MPI_Dist_graph_create", comm}, made, site, [&] {
        return PMPI_Dist_graph_create(comm, n, sources, degrees, destinations, weights, info, reorder, made);
    });
}
int tutti_watch_MPI_Dist_graph_create_adjacent(void* site, MPI_Comm comm, int in, int const* sources,
                                               int const* in_weights, int out, int const* destinations,
                                               int const* out_weights, MPI_Info info, int reorder, MPI_Comm* made) {
    return TUTTI_OBSERVER::making({"MPI_Dist_graph_create_adjacent", comm}, made, site, [&] {
        return PMPI_Dist_graph_create_adjacent(comm, in, sources, in_weights, out, destinations, out_weights, info,
                                               reorder, made);
    });
}
int tutti_watch_MPI_Intercomm_merge(void* site, MPI_Comm comm, int high, MPI_Comm* made) {
    return TUTTI_OBSERVER::making({"MPI_Intercomm_merge", comm}, made, site,
                                  [&] { return PMPI_Intercomm_merge(comm, high, made); });
}
int tutti_watch_MPI_Intercomm_create(void* site, MPI_Comm comm, int leader, MPI_Comm peers, int remote_leader, int tag,
                                     MPI_Comm* made) {
    return TUTTI_OBSERVER::making_between(
        TUTTI_WITH_ROOT("MPI_Intercomm_create", comm, leader), "between, tag " + std::to_string(tag), made, site,
        [&] { return PMPI_Intercomm_create(comm, leader, peers, remote_leader, tag, made); });
}
int tutti_watch_MPI_Comm_spawn(void* site, char const* command, char* words[], int most, MPI_Info info, int root,
                               MPI_Comm comm, MPI_Comm* made, int codes[]) {
    return TUTTI_OBSERVER::making(TUTTI_WITH_ROOT("MPI_Comm_spawn", comm, root), made, site,
                                  [&] { return PMPI_Comm_spawn(command, words, most, info, root, comm, made, codes); });
}
int tutti_watch_MPI_Comm_spawn_multiple(void* site, int count, char* commands[], char** words[], int const most[],
                                        MPI_Info const infos[], int root, MPI_Comm comm, MPI_Comm* made, int codes[]) {
    return TUTTI_OBSERVER::making(TUTTI_WITH_ROOT("MPI_Comm_spawn_multiple", comm, root), made, site, [&] {
        return PMPI_Comm_spawn_multiple(count, commands, words, most, infos, root, comm, made, codes);
    });
}
int tutti_watch_MPI_Comm_accept(void* site, char const* port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* made) {
    return TUTTI_OBSERVER::making_between(TUTTI_WITH_ROOT("MPI_Comm_accept", comm, root), "port", made, site,
                                          [&] { return PMPI_Comm_accept(port, info, root, comm, made); });
}
int tutti_watch_MPI_Comm_connect(void* site, char const* port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* made) {
    return TUTTI_OBSERVER::making_between(TUTTI_WITH_ROOT("MPI_Comm_connect", comm, root), "port", made, site,
                                          [&] { return PMPI_Comm_connect(port, info, root, comm, made); });
}
int tutti_watch_MPI_Comm_join(void* site, int socket, MPI_Comm* made) {
    return TUTTI_OBSERVER::making_by_some({"MPI_Comm_join"}, "join", made, site,
                                          [&] { return PMPI_Comm_join(socket, made); });
}
#if MPI_VERSION >= 4
int tutti_watch_MPI_Comm_idup_with_info(void* site, MPI_Comm comm, MPI_Info info, MPI_Comm* made,
                                        MPI_Request* request) {
    return TUTTI_OBSERVER::begun_making({"MPI_Comm_idup_with_info", comm}, made, request, site,
                                        [&] { return PMPI_Comm_idup_with_info(comm, info, made, request); });
}
int tutti_watch_MPI_Comm_create_from_group(void* site, MPI_Group group, char const* tag, MPI_Info info,
                                           MPI_Errhandler handler, MPI_Comm* made) {
    return TUTTI_OBSERVER::making_by_some({"MPI_Comm_create_from_group"}, std::string{"tag "} + tag, made, site,
                                          [&] { return PMPI_Comm_create_from_group(group, tag, info, handler, made); });
}
int tutti_watch_MPI_Intercomm_create_from_groups(void* site, MPI_Group group, int leader, MPI_Group remote,
                                                 int remote_leader, char const* tag, MPI_Info info,
                                                 MPI_Errhandler handler, MPI_Comm* made) {
    return TUTTI_OBSERVER::making_by_some(
        {"MPI_Intercomm_create_from_groups"}, std::string{"between, tag "} + tag, made, site, [&] {
            return PMPI_Intercomm_create_from_groups(group, leader, remote, remote_leader, tag, info, handler, made);
        });
}
#endif
int tutti_watch_MPI_Comm_free(void* site, MPI_Comm* comm) {
    return TUTTI_OBSERVER::freeing("MPI_Comm_free", comm, site, [&] { return PMPI_Comm_free(comm); });
}
int tutti_watch_MPI_Comm_disconnect(void* site, MPI_Comm* comm) {
    return TUTTI_OBSERVER::freeing("MPI_Comm_disconnect", comm, site, [&] { return PMPI_Comm_disconnect(comm); });
}

// ---- ends ----------------------------------------------------------------------------------------------------------

int tutti_watch_MPI_Abort(void* site, MPI_Comm comm, int code) {
    if (TUTTI_OBSERVER::watches()) { tutti::watch::last_words::speak("calls MPI_Abort", site); }
    return PMPI_Abort(comm, code);
}
void tutti_last_words(char const* how) {
    if (TUTTI_OBSERVER::watches()) { tutti::watch::last_words::speak(how, nullptr); }
}

#undef TUTTI_UNTIL
#undef TUTTI_WITH_ROOT
#undef TUTTI_OBSERVER

}  // extern "C"
