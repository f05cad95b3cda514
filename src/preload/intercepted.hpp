// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// The functions of MPI that libtutti_mpi.so takes: FORM(name, name in Fortran, the same in capitals, arguments
// in C, arguments in Fortran).

// Collectives that move or combine data. MPI 4 has each with large counts, too.
#define TUTTI_BLOCKING_COLLECTIVES(FORM)                                                                               \
    FORM(Allreduce, allreduce, ALLREDUCE, 6, 7)                                                                        \
    FORM(Reduce, reduce, REDUCE, 7, 8)                                                                                 \
    FORM(Reduce_scatter, reduce_scatter, REDUCE_SCATTER, 6, 7)                                                         \
    FORM(Reduce_scatter_block, reduce_scatter_block, REDUCE_SCATTER_BLOCK, 6, 7)                                       \
    FORM(Scan, scan, SCAN, 6, 7)                                                                                       \
    FORM(Exscan, exscan, EXSCAN, 6, 7)                                                                                 \
    FORM(Bcast, bcast, BCAST, 5, 6)                                                                                    \
    FORM(Gather, gather, GATHER, 8, 9)                                                                                 \
    FORM(Gatherv, gatherv, GATHERV, 9, 10)                                                                             \
    FORM(Scatter, scatter, SCATTER, 8, 9)                                                                              \
    FORM(Scatterv, scatterv, SCATTERV, 9, 10)                                                                          \
    FORM(Allgather, allgather, ALLGATHER, 7, 8)                                                                        \
    FORM(Allgatherv, allgatherv, ALLGATHERV, 8, 9)                                                                     \
    FORM(Alltoall, alltoall, ALLTOALL, 7, 8)                                                                           \
    FORM(Alltoallv, alltoallv, ALLTOALLV, 9, 10)                                                                       \
    FORM(Alltoallw, alltoallw, ALLTOALLW, 9, 10)
#define TUTTI_NONBLOCKING_COLLECTIVES(FORM)                                                                            \
    FORM(Iallreduce, iallreduce, IALLREDUCE, 7, 8)                                                                     \
    FORM(Ireduce, ireduce, IREDUCE, 8, 9)                                                                              \
    FORM(Ireduce_scatter, ireduce_scatter, IREDUCE_SCATTER, 7, 8)                                                      \
    FORM(Ireduce_scatter_block, ireduce_scatter_block, IREDUCE_SCATTER_BLOCK, 7, 8)                                    \
    FORM(Iscan, iscan, ISCAN, 7, 8)                                                                                    \
    FORM(Iexscan, iexscan, IEXSCAN, 7, 8)                                                                              \
    FORM(Ibcast, ibcast, IBCAST, 6, 7)                                                                                 \
    FORM(Igather, igather, IGATHER, 9, 10)                                                                             \
    FORM(Igatherv, igatherv, IGATHERV, 10, 11)                                                                         \
    FORM(Iscatter, iscatter, ISCATTER, 9, 10)                                                                          \
    FORM(Iscatterv, iscatterv, ISCATTERV, 10, 11)                                                                      \
    FORM(Iallgather, iallgather, IALLGATHER, 8, 9)                                                                     \
    FORM(Iallgatherv, iallgatherv, IALLGATHERV, 9, 10)                                                                 \
    FORM(Ialltoall, ialltoall, IALLTOALL, 8, 9)                                                                        \
    FORM(Ialltoallv, ialltoallv, IALLTOALLV, 10, 11)                                                                   \
    FORM(Ialltoallw, ialltoallw, IALLTOALLW, 10, 11)

// Functions in which a rank can wait for others, make or free a communicator, or leave. Those with counts have large
// ones in MPI 4.
#define TUTTI_POINT_TO_POINT(FORM)                                                                                     \
    FORM(Send, send, SEND, 6, 7)                                                                                       \
    FORM(Ssend, ssend, SSEND, 6, 7)                                                                                    \
    FORM(Recv, recv, RECV, 7, 8)                                                                                       \
    FORM(Sendrecv, sendrecv, SENDRECV, 12, 13)
#define TUTTI_WITHOUT_COUNTS(FORM)                                                                                     \
    FORM(Barrier, barrier, BARRIER, 1, 2)                                                                              \
    FORM(Ibarrier, ibarrier, IBARRIER, 2, 3)                                                                           \
    FORM(Probe, probe, PROBE, 4, 5)                                                                                    \
    FORM(Wait, wait, WAIT, 2, 3)                                                                                       \
    FORM(Waitall, waitall, WAITALL, 3, 4)                                                                              \
    FORM(Waitany, waitany, WAITANY, 4, 5)                                                                              \
    FORM(Waitsome, waitsome, WAITSOME, 5, 6)                                                                           \
    FORM(Test, test, TEST, 3, 4)                                                                                       \
    FORM(Testall, testall, TESTALL, 4, 5)                                                                              \
    FORM(Testany, testany, TESTANY, 5, 6)                                                                              \
    FORM(Testsome, testsome, TESTSOME, 5, 6)                                                                           \
    FORM(Request_free, request_free, REQUEST_FREE, 1, 2)                                                               \
    FORM(Comm_dup, comm_dup, COMM_DUP, 2, 3)                                                                           \
    FORM(Comm_dup_with_info, comm_dup_with_info, COMM_DUP_WITH_INFO, 3, 4)                                             \
    FORM(Comm_idup, comm_idup, COMM_IDUP, 3, 4)                                                                        \
    FORM(Comm_split, comm_split, COMM_SPLIT, 4, 5)                                                                     \
    FORM(Comm_split_type, comm_split_type, COMM_SPLIT_TYPE, 5, 6)                                                      \
    FORM(Comm_create, comm_create, COMM_CREATE, 3, 4)                                                                  \
    FORM(Comm_create_group, comm_create_group, COMM_CREATE_GROUP, 4, 5)                                                \
    FORM(Cart_create, cart_create, CART_CREATE, 6, 7)                                                                  \
    FORM(Cart_sub, cart_sub, CART_SUB, 3, 4)                                                                           \
    FORM(Graph_create, graph_create, GRAPH_CREATE, 6, 7)                                                               \
    FORM(Dist_graph_create, dist_graph_create, DIST_GRAPH_CREATE, 9, 10)                                               \
    FORM(Dist_graph_create_adjacent, dist_graph_create_adjacent, DIST_GRAPH_CREATE_ADJACENT, 10, 11)                   \
    FORM(Intercomm_merge, intercomm_merge, INTERCOMM_MERGE, 3, 4)                                                      \
    FORM(Intercomm_create, intercomm_create, INTERCOMM_CREATE, 6, 7)                                                   \
    FORM(Comm_spawn, comm_spawn, COMM_SPAWN, 8, 11)                                                                    \
    FORM(Comm_spawn_multiple, comm_spawn_multiple, COMM_SPAWN_MULTIPLE, 9, 12)                                         \
    FORM(Comm_accept, comm_accept, COMM_ACCEPT, 5, 7)                                                                  \
    FORM(Comm_connect, comm_connect, COMM_CONNECT, 5, 7)                                                               \
    FORM(Comm_join, comm_join, COMM_JOIN, 2, 3)                                                                        \
    FORM(Comm_free, comm_free, COMM_FREE, 1, 2)                                                                        \
    FORM(Comm_disconnect, comm_disconnect, COMM_DISCONNECT, 1, 2)                                                      \
    FORM(Abort, abort, ABORT, 2, 3)                                                                                    \
    FORM(Init, init, INIT, 2, 1)                                                                                       \
    FORM(Init_thread, init_thread, INIT_THREAD, 4, 3)                                                                  \
    FORM(Finalize, finalize, FINALIZE, 0, 1)

// Those that MPI has since version 4. In Fortran the length of a text comes last.
#define TUTTI_SINCE_MPI_4(FORM)                                                                                        \
    FORM(Comm_idup_with_info, comm_idup_with_info, COMM_IDUP_WITH_INFO, 4, 5)                                          \
    FORM(Comm_create_from_group, comm_create_from_group, COMM_CREATE_FROM_GROUP, 5, 7)                                 \
    FORM(Intercomm_create_from_groups, intercomm_create_from_groups, INTERCOMM_CREATE_FROM_GROUPS, 8, 10)

#define TUTTI_WITH_COUNTS(FORM)                                                                                        \
    TUTTI_BLOCKING_COLLECTIVES(FORM)                                                                                   \
    TUTTI_NONBLOCKING_COLLECTIVES(FORM)                                                                                \
    TUTTI_POINT_TO_POINT(FORM)
