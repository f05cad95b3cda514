! Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
!
! wrong CASE: as wrong.c, of the modules mpi and mpi_f08.
module cases
    implicit none
contains
    subroutine by_mpi(rank, wrong)
        use mpi
        integer, intent(in) :: rank, wrong
        integer :: code
        real(8) :: in, out
        in = rank
        call MPI_Allreduce(in, out, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, code)
        if (rank == 0) print '(a,i0,a)', 'expect: rank ', wrong, ': .*MPI_Recv from rank 0, tag 3.*, by_mpi, wrong[.]f90:16'
        if (rank == wrong) then
            call MPI_Recv(in, 1, MPI_DOUBLE_PRECISION, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE, code)
        end if
        call MPI_Allreduce(in, out, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, code)
    end subroutine

    subroutine by_mpi_f08(rank, wrong)
        use mpi_f08
        integer, intent(in) :: rank, wrong
        type(MPI_Comm) :: other
        type(MPI_Request) :: request
        real(8) :: in, out
        in = rank
        if (rank == 0) then
            print '(a,i0,a)', 'expect: rank ', wrong, ': .*MPI_Wait for MPI_Iallreduce of 8 bytes.* communicator 1 .*f90:38'
            print '(a)', 'expect: ranks 0.*: MPI_Barrier, call 2 on MPI_COMM_WORLD.*, wrong[.]f90:34'
        end if
        call MPI_Comm_dup(MPI_COMM_WORLD, other)
        if (rank /= wrong) then
            call MPI_Barrier(MPI_COMM_WORLD)
            call MPI_Bcast(in, 1, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD)
        else
            call MPI_Iallreduce(in, out, 1, MPI_DOUBLE_PRECISION, MPI_SUM, other, request)
            call MPI_Wait(request, MPI_STATUS_IGNORE)
        end if
    end subroutine
end module

program wrong_program
    use mpi
    use cases
    implicit none
    integer :: rank, ranks, code
    character(24) :: name
    call get_command_argument(1, name)
    call MPI_Init(code)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
    if (name == 'by_mpi') call by_mpi(rank, ranks - 1)
    if (name == 'by_mpi_f08') call by_mpi_f08(rank, ranks - 1)
    if (name == 'leave_by_stop' .or. name == 'leave_by_error_stop') then
        if (rank == 0) print '(a)', 'expect: rank [0-9]* leaves by exit.*, from .*wrong[.]f90:[0-9]*; its last call was MPI_Barrier'
        call MPI_Barrier(MPI_COMM_WORLD, code)
        if (rank == ranks - 1 .and. name == 'leave_by_stop') stop 1
        if (rank == ranks - 1) error stop
        call MPI_Barrier(MPI_COMM_WORLD, code)
    end if
    call MPI_Finalize(code)
end program
