! Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
!
! A program in Fortran: maps x -> a x + b are composed over the ranks in their order, with a state of the program's, by
! tutti's functions for C.
module maps
    use, intrinsic :: iso_c_binding
    implicit none

    type, bind(c) :: map
        real(c_double) :: a, b
    end type

    type, bind(c) :: tutti_operator
        type(c_funptr) :: combine
        type(c_ptr) :: state
        integer(c_int) :: commutes
    end type

    interface
        function tutti_comm_f2c(comm) bind(c)
            import :: c_int, c_intptr_t
            integer(c_int), value :: comm
            integer(c_intptr_t) :: tutti_comm_f2c
        end function
        integer(c_int) function tutti_inclusive_scan(comm, in, out, count, extent, op) bind(c)
            import :: c_int, c_intptr_t, c_size_t, c_ptr, tutti_operator
            integer(c_intptr_t), value :: comm
            type(c_ptr), value :: in, out
            integer(c_size_t), value :: count, extent
            type(tutti_operator), value :: op
        end function
        subroutine tutti_fail(why) bind(c)
            import :: c_char
            character(kind=c_char), intent(in) :: why(*)
        end subroutine
        type(c_ptr) function tutti_last_error() bind(c)
            import :: c_ptr
        end function
    end interface

contains

    ! inout = in, then inout
    subroutine compose(state, in, inout, n) bind(c)
        type(c_ptr), value :: state, in, inout
        integer(c_size_t), value :: n
        type(map), pointer :: left(:), right(:)
        integer(c_long), pointer :: calls
        call c_f_pointer(state, calls)
        call c_f_pointer(in, left, [n])
        call c_f_pointer(inout, right, [n])
        right%b = right%a * left%b + right%b
        right%a = right%a * left%a
        calls = calls + 1
        ! an operator that cannot combine its operands says so to all ranks that lack a result because of it
        if (any(abs(right%a) > huge(1.0d0))) call tutti_fail(c_char_'a slope is too large' // c_null_char)
    end subroutine

    ! What has failed, as tutti says it. After code 3, TUTTI_COMMUNICATION, all ranks may call tutti_recover and go on.
    subroutine check(code)
        integer(c_int), intent(in) :: code
        character(kind=c_char), pointer :: text(:)
        integer :: length
        if (code == 0) return
        call c_f_pointer(tutti_last_error(), text, [1000])
        length = 0
        do while (text(length + 1) /= c_null_char)
            length = length + 1
        end do
        print '(1000a)', text(1:length)
        error stop
    end subroutine
end module

program from_fortran
    use mpi
    use maps
    integer, parameter :: n = 2
    type(map), target :: mine(n), upto(n)
    integer(c_long), target :: calls = 0
    integer :: rank, code, r
    call MPI_Init(code)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
    mine(1) = map(2.0d0, rank)
    mine(2) = map(1.0d0, rank + 1)
    ! tutti sees n elements that lie one after the other: a slice with gaps is copied to a whole array first
    call check(tutti_inclusive_scan(tutti_comm_f2c(MPI_COMM_WORLD), c_loc(mine), c_loc(upto), int(n, c_size_t), &
                                    c_sizeof(mine(1)), tutti_operator(c_funloc(compose), c_loc(calls), 0)))
    do r = 0, 3
        call MPI_Barrier(MPI_COMM_WORLD, code)
        if (r == rank .and. rank == 3) print '(a, f5.1, a, f5.1)', 'all ranks: a =', upto(1)%a, ', b =', upto(1)%b
        if (r == rank .and. rank == 3) print '(a, f5.1, a, f5.1)', 'all ranks: a =', upto(2)%a, ', b =', upto(2)%b
    end do
    call MPI_Finalize(code)
end program
