! Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
!
! Collectives from Fortran under the accelerator (LD_PRELOAD, TUTTI=all!,report): in place, logical, complex and pairs, and
! an operator of the program's own that does not commute.
program conformance
    use mpi
    implicit none
    integer :: rank, ranks, code, i, op
    integer, parameter :: n = 3000
    double precision :: x(n), y(n)
    complex :: z(n), w(n)
    integer :: pairs(2, n), found(2, n)
    logical :: yes(n), all_of(n)
    external :: compose
    call MPI_Init(code)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
    x = rank + 1
    call MPI_Allreduce(x, y, n, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, code)
    if (any(y /= ranks * (ranks + 1) / 2)) error stop 'MPI_Allreduce'
    y = rank + 1
    call MPI_Allreduce(MPI_IN_PLACE, y, n, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, code)
    if (any(y /= ranks)) error stop 'MPI_Allreduce in place'
    z = cmplx(1.0, rank)
    call MPI_Scan(z, w, n, MPI_COMPLEX, MPI_SUM, MPI_COMM_WORLD, code)
    if (any(w /= cmplx(rank + 1, rank * (rank + 1) / 2))) error stop 'MPI_Scan'
    yes = rank /= ranks - 1
    call MPI_Allreduce(yes, all_of, n, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD, code)
    if (any(all_of)) error stop 'MPI_LAND'
    pairs(1, :) = -rank
    pairs(2, :) = rank
    call MPI_Allreduce(pairs, found, n, MPI_2INTEGER, MPI_MINLOC, MPI_COMM_WORLD, code)
    if (any(found(2, :) /= ranks - 1)) error stop 'MPI_MINLOC'
    do i = 1, n
        pairs(:, i) = (/ 2, rank + 1 /)
    end do
    call MPI_Op_create(compose, .false., op, code)
    call MPI_Exscan(pairs, found, n, MPI_2INTEGER, op, MPI_COMM_WORLD, code)
    if (rank == 1) then
        if (any(found(1, :) /= 2) .or. any(found(2, :) /= 1)) error stop 'MPI_Exscan'
    end if
    call MPI_Op_free(op, code)
    if (rank == 0) y = 7
    call MPI_Bcast(y, n, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, code)
    if (any(y /= 7)) error stop 'MPI_Bcast'
    call MPI_Barrier(MPI_COMM_WORLD, code)
    if (rank == 0) print *, 'Fortran: every check passed'
    call MPI_Finalize(code)
end program

subroutine compose(left, inout, n, type)
    implicit none
    integer :: n, type
    integer :: left(2, n), inout(2, n)
    inout(2, :) = mod(left(1, :) * inout(2, :) + left(2, :), 251)
    inout(1, :) = mod(left(1, :) * inout(1, :), 251)
end subroutine
