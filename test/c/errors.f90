! Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
!
! What goes wrong, in Fortran: wrong arguments, an operator that fails, calls that differ, and that a program goes on.
module sums
    use, intrinsic :: iso_c_binding
    implicit none
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
        integer(c_int) function tutti_all_reduce(comm, in, out, count, extent, op) bind(c)
            import :: c_int, c_intptr_t, c_size_t, c_ptr, tutti_operator
            integer(c_intptr_t), value :: comm
            type(c_ptr), value :: in, out
            integer(c_size_t), value :: count, extent
            type(tutti_operator), value :: op
        end function
        integer(c_int) function tutti_recover(comm) bind(c)
            import :: c_int, c_intptr_t
            integer(c_intptr_t), value :: comm
        end function
        subroutine tutti_fail(why) bind(c)
            import :: c_char
            character(kind=c_char), intent(in) :: why(*)
        end subroutine
    end interface
contains
    subroutine add(state, in, inout, n) bind(c)
        type(c_ptr), value :: state, in, inout
        integer(c_size_t), value :: n
        real(c_double), pointer :: left(:), right(:)
        call c_f_pointer(in, left, [n])
        call c_f_pointer(inout, right, [n])
        if (c_associated(state)) call tutti_fail(c_char_'not these' // c_null_char)
        right = left + right
    end subroutine
end module

program errors
    use mpi
    use sums
    integer, parameter :: n = 100
    integer(c_int), parameter :: invalid_argument = 1, needs_recovery = 3, operator_failed = 5
    real(c_double), target :: in(n) = 1, out(n)
    type(tutti_operator) :: plus, fails, none
    integer(c_intptr_t) :: world
    integer :: rank, ranks, ignored
    integer(c_int) :: code
    logical :: any_rank
    call MPI_Init(ignored)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ignored)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, ignored)
    world = tutti_comm_f2c(MPI_COMM_WORLD)
    plus = tutti_operator(c_funloc(add), c_null_ptr, 1)
    fails = tutti_operator(c_funloc(add), c_loc(in), 1)
    none = tutti_operator(c_null_funptr, c_null_ptr, 1)

    if (sum_of(c_null_ptr, int(n, c_size_t), plus) /= invalid_argument) error stop 'a null pointer'
    if (sum_of(c_loc(in), int(-1, c_size_t), plus) /= invalid_argument) error stop 'a negative count'
    if (sum_of(c_loc(in), int(n, c_size_t), none) /= invalid_argument) error stop 'no operator'
    call all_is_well()
    if (ranks > 1) then
        if (sum_of(c_loc(in), int(n, c_size_t), fails) /= operator_failed) error stop 'an operator that fails'
    end if
    call all_is_well()
    code = sum_of(c_loc(in), int(merge(1, 2, rank == 0), c_size_t), plus)
    call MPI_Allreduce(code == needs_recovery, any_rank, 1, MPI_LOGICAL, MPI_LOR, MPI_COMM_WORLD, ignored)
    if (ranks > 1 .and. .not. any_rank) error stop 'lengths that differ'
    if (tutti_recover(world) /= 0) error stop 'recover'
    call all_is_well()
    call MPI_Finalize(ignored)
contains
    integer(c_int) function sum_of(from, count, op)
        type(c_ptr), intent(in) :: from
        integer(c_size_t), intent(in) :: count
        type(tutti_operator), intent(in) :: op
        sum_of = tutti_all_reduce(world, from, c_loc(out), count, c_sizeof(in(1)), op)
    end function
    subroutine all_is_well()
        if (sum_of(c_loc(in), int(n, c_size_t), plus) /= 0) error stop 'a call after a failure'
        if (any(out /= ranks)) error stop 'a sum after a failure'
    end subroutine
end program
