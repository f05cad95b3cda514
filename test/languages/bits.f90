! Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
!
! As bits.c.
program bits
    use mpi
    use tutti
    use, intrinsic :: iso_fortran_env, only: real64
    implicit none
    integer, parameter :: n = 5000
    real(real64), allocatable :: mine(:), factor(:), part(:)
    real(real64) :: sum, exact, dot, sequence
    character(len=6), parameter :: characters = 'abcdef'
    character(len=:), allocatable :: text
    integer :: rank, size, code, i
    call MPI_Init(code)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
    call MPI_Comm_size(MPI_COMM_WORLD, size, code)
    mine = [(at(i), i=rank, n - 1, size)]
    factor = [(real(mod(i, 7) - 3, real64) + 0.1_real64, i=rank, n - 1, size)]
    part = [(at(i), i=n * rank / size, n * (rank + 1) / size - 1)]
    call tutti_sum_without_order(MPI_COMM_WORLD, mine, sum)
    call tutti_exact_sum_without_order(MPI_COMM_WORLD, mine, exact)
    call tutti_dot_without_order(MPI_COMM_WORLD, mine, factor, dot)
    call tutti_all_reduce_sequence(MPI_COMM_WORLD, part, sequence, plus)
    call tutti_all_reduce_objects(MPI_COMM_WORLD, characters(6 * rank / size + 1:6 * (rank + 1) / size), text, join)
    if (rank == 0) print '(4(z16.16, 1x), a)', sum, exact, dot, sequence, text
    call MPI_Finalize(code)
contains
    real(real64) function at(i)
        integer, intent(in) :: i
        at = real(mod(i * 7919, 10007) - 5000, real64) * 2.0_real64**(mod(i, 80) - 40) + 1e20_real64 * (mod(i, 5) - 2)
    end function
    pure subroutine plus(in, inout)
        real(real64), intent(in) :: in(:)
        real(real64), intent(inout) :: inout(:)
        inout = in + inout
    end subroutine
    subroutine join(a, b, result)
        character(len=*), intent(in) :: a, b
        character(len=:), allocatable, intent(out) :: result
        result = a // b
    end subroutine
end program
