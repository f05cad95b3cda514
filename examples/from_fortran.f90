! Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
!
! A program in Fortran, by the module tutti: operators of its own, on numbers and on a derived type, one that does not
! commute, and sums of a field that have the same bits whatever the number of ranks and the order of cells.
module operators
    use, intrinsic :: iso_c_binding
    implicit none

    type, bind(c) :: extreme
        real(c_double) :: value
        integer(c_int) :: rank
    end type

contains

    subroutine add(in, inout)
        real(c_double), intent(in) :: in(:)
        real(c_double), intent(inout) :: inout(:)
        inout = in + inout
    end subroutine

    ! of n elements of a derived type
    subroutine greater(state, in, inout, n) bind(c)
        type(c_ptr), value :: state, in, inout
        integer(c_size_t), value :: n
        type(extreme), pointer :: left(:), right(:)
        integer :: i
        call c_f_pointer(in, left, [n])
        call c_f_pointer(inout, right, [n])
        do i = 1, size(right)
            if (left(i)%value >= right(i)%value) right(i) = left(i)
        end do
    end subroutine

end module

program from_fortran
    use mpi_f08
    use tutti
    use operators
    use, intrinsic :: iso_fortran_env, only: real64
    implicit none
    integer, parameter :: cells = 1000
    complex(real64) :: maps(2), upto(2)  ! x -> a x + b is the complex number (a, b)
    real(real64), allocatable :: mine(:)
    real(real64) :: mass, exact, field(2)
    type(extreme), target :: own, greatest
    integer :: rank, ranks, i, code, calls = 0

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)

    field = [real(rank + 1, real64), 0.5_real64]
    call tutti_all_reduce(MPI_COMM_WORLD, field, add, commutes=.true., ierror=code)  ! in place
    call MPI_Allreduce(MPI_IN_PLACE, code, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD)
    if (code /= TUTTI_SUCCESS) then
        if (rank == 0) print '(a)', tutti_message()
        call tutti_recover(MPI_COMM_WORLD)  ! by all ranks; then the program may go on
    end if

    own = extreme(10 * mod(rank + 2, ranks), rank)
    call tutti_all_reduce(MPI_COMM_WORLD, c_loc(own), c_loc(greatest), 1, c_sizeof(own), c_funloc(greater), c_null_ptr)

    maps(1) = cmplx(2, rank, real64)
    maps(2) = cmplx(1, rank + 1, real64)
    call tutti_inclusive_scan(MPI_COMM_WORLD, maps, upto, compose)

    mine = [(1e16_real64 * (mod(i, 3) - 1) + 1 / real(i, real64), i=rank + 1, cells, ranks)]  ! every ranks-th cell
    call tutti_sum_without_order(MPI_COMM_WORLD, mine, mass)
    call tutti_exact_sum_without_order(MPI_COMM_WORLD, mine, exact)

    if (rank == ranks - 1) then
        print '(a, 2f5.1, a, i2)', 'sums:', field, ', the greatest value has rank', greatest%rank
        print '(2(a, f5.1))', 'all ranks: a =', real(upto(1)), ', b =', aimag(upto(1))
        print '(2(a, f5.1))', 'all ranks: a =', real(upto(2)), ', b =', aimag(upto(2))
        print '(a, z16, a, l2)', 'the mass has the bits ', mass, ', near the exact one:', abs(mass - exact) < 1e-4
    end if
    call MPI_Finalize()

contains

    ! inout = in, then inout
    subroutine compose(in, inout)
        complex(real64), intent(in) :: in(:)
        complex(real64), intent(inout) :: inout(:)
        inout = cmplx(real(inout) * real(in), real(inout) * aimag(in) + aimag(inout), real64)
        calls = calls + 1  ! a variable of the program
        ! an operator that cannot combine its operands says so to all ranks that lack a result because of it
        if (any(abs(real(inout)) > 1e300_real64)) call tutti_fail('a slope is too large')
    end subroutine

end program
