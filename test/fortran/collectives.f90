! Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
!
! Every procedure of the module tutti, over communicators of the module mpi_f08.
module maps
    use, intrinsic :: iso_c_binding
    implicit none
    type, bind(c) :: map
        real(c_double) :: a, b
    end type
contains
    ! inout = in, then inout
    subroutine compose(state, in, inout, n) bind(c)
        type(c_ptr), value :: state, in, inout
        integer(c_size_t), value :: n
        type(map), pointer :: left(:), right(:)
        integer(c_int), pointer :: calls
        call c_f_pointer(in, left, [n])
        call c_f_pointer(inout, right, [n])
        right%b = right%a * left%b + right%b
        right%a = right%a * left%a
        if (.not. c_associated(state)) return
        call c_f_pointer(state, calls)
        calls = calls + 1
    end subroutine
end module

program collectives
    use mpi_f08
    use maps
    use tutti
    use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64, error_unit
    implicit none
    integer, parameter :: n = 37
    integer :: rank, size_, code, root, r, i, calls = 0
    logical :: failed = .false.
    type(MPI_Comm) :: comm

    call MPI_Init(code)
    comm = MPI_COMM_WORLD
    call MPI_Comm_rank(comm, rank, code)
    call MPI_Comm_size(comm, size_, code)
    root = size_ / 2
    call numbers()
    call parts()
    call records()
    call sequences()
    call sums()
    call texts()
    call mistakes()
    call tutti_barrier(comm)
    call MPI_Finalize(code)
    if (failed) error stop 1

contains

    subroutine check(holds, what)
        logical, intent(in) :: holds
        character(len=*), intent(in) :: what
        if (holds) return
        write (error_unit, '(a, i0, a, i0, 4a)') '[rank ', rank, ' of ', size_, '] ', what, ': ', tutti_message()
        failed = .true.
    end subroutine

    pure subroutine plus(in, inout)
        real(real64), intent(in) :: in(:)
        real(real64), intent(inout) :: inout(:)
        inout = in + inout
    end subroutine

    ! Has a state, the variable of its host, and keeps the order of operands.
    subroutine right(in, inout)
        integer(int32), intent(in) :: in(:)
        integer(int32), intent(inout) :: inout(:)
        calls = calls + 1
        if (any(in > 1000)) inout = in
    end subroutine

    pure subroutine greater(in, inout)
        integer(int64), intent(in) :: in(:)
        integer(int64), intent(inout) :: inout(:)
        inout = max(in, inout)
    end subroutine

    pure subroutine plus_r4(in, inout)
        real(real32), intent(in) :: in(:)
        real(real32), intent(inout) :: inout(:)
        inout = in + inout
    end subroutine

    pure subroutine times_c8(in, inout)
        complex(real64), intent(in) :: in(:)
        complex(real64), intent(inout) :: inout(:)
        inout = in * inout
    end subroutine

    pure subroutine plus_c4(in, inout)
        complex(real32), intent(in) :: in(:)
        complex(real32), intent(inout) :: inout(:)
        inout = in + inout
    end subroutine

    subroutine failing(in, inout)
        real(real64), intent(in) :: in(:)
        real(real64), intent(inout) :: inout(:)
        if (size(in) == size(inout)) call tutti_fail('these cannot be combined')
    end subroutine

    subroutine numbers()
        real(real64) :: x(n), y(n), z(n), table(4, 5), sums(4, 5)
        real(real32) :: small(3)
        integer(int32) :: word, last
        integer(int64) :: most(2)
        complex(real64) :: product
        complex(real32) :: both(2)
        character(len=20) :: names(3)
        x = [(real(i, real64) + rank, i=1, n)]
        y = -1
        call tutti_all_reduce(comm, x, y, plus)
        check_all: do i = 1, n
            call check(y(i) == size_ * i + size_ * (size_ - 1) / 2, 'all_reduce')
        end do check_all
        z = x
        call tutti_all_reduce(comm, z, plus, commutes=.true., ierror=code)
        call check(code == TUTTI_SUCCESS .and. all(z == y), 'all_reduce in place')
        table = rank
        sums = -1
        table(2, :) = 7
        call tutti_all_reduce(comm, table(2, :), sums(3, :), plus)
        call check(all(sums(3, :) == 7 * size_) .and. all(sums(1:2, :) == -1), 'a row of a table')
        call tutti_all_reduce(comm, table(::2, ::3), plus)
        call check(all(table(::2, ::3) == size_ * (size_ - 1) / 2) .and. table(2, 1) == 7, 'a part of a table in place')
        z = -1
        call tutti_reduce(comm, x, z, plus, root)
        call check(merge(all(z == y), all(z == -1), rank == root), 'reduce')
        z = x
        call tutti_reduce(comm, z, plus, root)
        call check(rank /= root .or. all(z == y), 'reduce in place')
        call tutti_inclusive_scan(comm, x, z, plus)
        call check(z(1) == (rank + 1) + rank * (rank + 1) / 2, 'inclusive_scan')
        z = x
        call tutti_inclusive_scan(comm, z, plus)
        call check(z(1) == (rank + 1) + rank * (rank + 1) / 2, 'inclusive_scan in place')
        z = -5
        call tutti_exclusive_scan(comm, x, z, plus)
        call check(z(1) == merge(-5, rank + rank * (rank - 1) / 2, rank == 0), 'exclusive_scan')
        z = x
        call tutti_exclusive_scan(comm, z, plus)
        call check(rank == 0 .or. z(1) == rank + rank * (rank - 1) / 2, 'exclusive_scan in place')
        call tutti_scan_reduce(comm, x, z, y, plus)
        call check((rank == 0 .or. z(1) == rank + rank * (rank - 1) / 2) .and. y(1) == size_ * (size_ + 1) / 2, &
                   'scan_reduce')
        ! scalars, other types, order
        word = rank + 1
        call tutti_all_reduce(comm, word, last, right)
        call check(last == size_ .and. (size_ == 1 .or. rank /= root .or. calls > 0), 'the last of all')
        call tutti_all_reduce(comm, int([rank, -rank], int64), most, greater)
        call check(all(most == [size_ - 1, 0]), 'maximum')
        call tutti_all_reduce(comm, spread(1.5, 1, 3), small, plus_r4)
        call check(all(small == 1.5 * size_), 'real(4)')
        call tutti_all_reduce(comm, (0.0_real64, 1.0_real64), product, times_c8)
        call check(product == (0.0_real64, 1.0_real64)**size_, 'complex(8)')
        call tutti_all_reduce(comm, spread((1.0, 2.0), 1, 2), both, plus_c4)
        call check(both(2) == size_ * (1.0, 2.0), 'complex(4)')
        call tutti_broadcast(comm, y, root)
        word = merge(4711, 0, rank == root)
        call tutti_broadcast(comm, word, root)
        call check(word == 4711, 'broadcast')
        ! algorithms by name; an integer is a communicator, too
        names = [character(len=20) :: 'ring', 'reproducible', 'automatic']
        do i = 1, 3
            call tutti_use_algorithm(comm, 'all_reduce', names(i))
            call tutti_all_reduce(comm%MPI_VAL, x, y, plus, .true.)
            call check(y(2) == size_ * 2 + size_ * (size_ - 1) / 2, names(i))
        end do
    end subroutine

    subroutine parts()
        integer, allocatable :: counts(:)
        real(real64), allocatable :: all_of(:), mine(:), seen(:)
        counts = [(modulo(r, 3), r=0, size_ - 1)]
        allocate (all_of(sum(counts)), mine(counts(rank + 1)), seen(sum(counts)))
        mine = rank
        all_of = [((real(r, real64), i=1, counts(r + 1)), r=0, size_ - 1)]
        seen = -1
        call tutti_all_gather(comm, mine, seen, counts)
        call check(all(seen == all_of), 'all_gather with counts')
        seen = -1
        call tutti_gather(comm, mine, seen, root, counts)
        call check(rank /= root .or. all(seen == all_of), 'gather with counts')
        mine = -1
        call tutti_scatter(comm, all_of, mine, root, counts)
        call check(all(mine == rank), 'scatter with counts')
        mine = -1
        call tutti_reduce_scatter(comm, all_of, mine, plus, counts)
        call check(all(mine == rank * size_), 'reduce_scatter with counts')
        deallocate (all_of, mine, seen)
        allocate (all_of(2 * size_), mine(2), seen(2 * size_))
        mine = rank
        all_of = [((real(r, real64), i=1, 2), r=0, size_ - 1)]
        call tutti_all_gather(comm, mine, seen)
        call check(all(seen == all_of), 'all_gather')
        seen = -1
        call tutti_gather(comm, mine, seen, root)
        call check(rank /= root .or. all(seen == all_of), 'gather')
        mine = -1
        call tutti_scatter(comm, all_of, mine, root)
        call check(all(mine == rank), 'scatter')
        call tutti_reduce_scatter(comm, all_of, mine, plus)
        call check(all(mine == rank * size_), 'reduce_scatter')
    end subroutine

    subroutine records()
        type(map), target :: mine(2), upto(2), all_of(2)
        integer(c_int), target :: applied
        applied = 0
        mine(1) = map(2, rank)
        mine(2) = map(1, rank + 1)
        call tutti_inclusive_scan(comm, c_loc(mine), c_loc(upto), 2, c_sizeof(mine(1)), c_funloc(compose), c_loc(applied))
        call check(upto(1)%a == 2.0**(rank + 1) .and. upto(2)%b == (rank + 1) * (rank + 2) / 2, 'a scan of maps')
        call tutti_all_reduce(comm, c_loc(mine), c_loc(all_of), 2, c_sizeof(mine(1)), c_funloc(compose), ierror=code)
        call check(code == 0 .and. all_of(1)%a == 2.0**size_ .and. all_of(2)%b == size_ * (size_ + 1) / 2, 'maps')
        upto(1) = map(-1, -1)
        call tutti_exclusive_scan(comm, c_loc(mine), c_loc(upto), 1, c_sizeof(mine(1)), c_funloc(compose))
        call check(upto(1)%a == merge(-1.0, 2.0**rank, rank == 0), 'an exclusive scan of maps')
        call check(size_ == 1 .or. rank == 0 .or. applied > 0, 'the state of the operator')
    end subroutine

    subroutine sequences()
        real(real64) :: all_of(1001), alone, total, prefixes(1001)
        integer :: first, last
        all_of = [(1 / real(i, real64), i=1, 1001)]
        first = merge(1, 1 + 1001 * rank / size_, rank == 0)
        last = 1001 * (rank + 1) / size_
        call tutti_all_reduce_sequence(MPI_COMM_SELF, all_of, alone, plus)
        call tutti_all_reduce_sequence(comm, all_of(first:last), total, plus)
        call check(transfer(total, 1_int64) == transfer(alone, 1_int64), 'bits of a sequence')
        total = 0
        call tutti_reduce_sequence(comm, all_of(first:last), total, plus, root)
        call check(total == merge(alone, 0.0_real64, rank == root), 'reduce_sequence')
        prefixes = -1
        call tutti_inclusive_scan_sequence(comm, all_of(first:last), prefixes(first:last), plus)
        if (last >= first .and. rank == size_ - 1) &
            call check(transfer(prefixes(1001), 1_int64) == transfer(alone, 1_int64), 'inclusive_scan_sequence')
        call tutti_exclusive_scan_sequence(comm, all_of(first:last), prefixes(first:last), plus)
        call check(rank /= 0 .or. (prefixes(1) == -1 .or. prefixes(1) == 1), 'exclusive_scan_sequence')
        call check(rank /= 0 .or. last < 2 .or. prefixes(2) == 1, 'the second prefix')
    end subroutine

    subroutine sums()
        real(real64) :: x(5), total, exact, dot
        real(real32) :: y(2), narrow
        complex(real64) :: z(2), both
        x = [1e16_real64, 1.0_real64, -1e16_real64, 5e-324_real64, real(rank, real64)]
        call tutti_sum_without_order(comm, x, total)
        call tutti_exact_sum_without_order(comm, x(5:1:-1), exact)
        call check(total == size_ + size_ * (size_ - 1) / 2 .and. exact == total, 'sum_without_order')
        y = [0.5, real(rank)]
        call tutti_sum_without_order(comm, y, narrow, code)
        call check(code == 0 .and. narrow == 0.5 * size_ + size_ * (size_ - 1) / 2, 'of real(4)')
        z = [(1.0_real64, 2.0_real64), cmplx(rank, 0, real64)]
        call tutti_sum_without_order(comm, z, both)
        call check(both == cmplx(size_ + size_ * (size_ - 1) / 2, 2 * size_, real64), 'of complex numbers')
        call tutti_exact_sum_without_order(comm, z(:0), both)
        call check(both == 0, 'of no numbers')
        call tutti_dot_without_order(comm, x(2:5), [2.0_real64, 0.0_real64, 1.0_real64, 1.0_real64], dot)
        call check(dot == 2 * size_ + size_ * (size_ - 1) / 2, 'dot_without_order')
        call tutti_sum_without_order(comm, 0.25_real64, total)
        call check(total == 0.25 * size_, 'of a scalar')
    end subroutine

    subroutine join(a, b, result)
        character(len=*), intent(in) :: a, b
        character(len=:), allocatable, intent(out) :: result
        result = a // b
    end subroutine

    subroutine texts()
        character(len=:), allocatable :: mine, all_of, upto
        character(len=:), allocatable :: due
        mine = repeat(achar(iachar('a') + rank), modulo(rank, 3) * 5)
        due = ''
        do r = 0, rank
            due = due // repeat(achar(iachar('a') + r), modulo(r, 3) * 5)
        end do
        call tutti_inclusive_scan_objects(comm, mine, upto, join)
        call check(upto == due .and. len(upto) == len(due), 'texts up to this rank')
        do r = rank + 1, size_ - 1
            due = due // repeat(achar(iachar('a') + r), modulo(r, 3) * 5)
        end do
        call tutti_all_reduce_objects(comm, mine, all_of, join)
        call check(all_of == due .and. len(all_of) == len(due), 'texts of all ranks')
        call tutti_reduce_objects(comm, mine, all_of, join, root)
        call check(len(all_of) == merge(len(due), 0, rank == root), 'texts on the root')
    end subroutine

    subroutine mistakes()
        real(real64) :: x(4), y(4)
        x = 1
        call tutti_all_reduce(comm, x, y, failing, ierror=code)
        call check(size_ == 1 .or. code == TUTTI_OTHER, 'an operator that fails')
        call check(size_ == 1 .or. index(tutti_message(), 'cannot be combined') > 0 .or. &
                   index(tutti_message(), 'an operand is missing: the operator threw on another rank') > 0, 'its message')
        call tutti_all_reduce(comm, x, y, plus)
        call check(all(y == size_), 'and afterwards')
        call tutti_use_algorithm(comm, 'all_reduce', 'none', code)
        call check(code == TUTTI_INVALID_ARGUMENT .and. index(tutti_message(), 'recursive_doubling') > 0, 'no such name')
        if (size_ /= 1) return
        call tutti_all_reduce(comm, x, y(1:3), plus, ierror=code)
        call check(code == TUTTI_INVALID_ARGUMENT, 'lengths')
        call check(tutti_message() == 'tutti: all_reduce: a vector has 3 elements instead of 4; give all &
                   &vectors of the call their length', 'their message')
        call tutti_reduce(comm, x, y(1:3), plus, 0, ierror=code)
        call check(code == TUTTI_INVALID_ARGUMENT, 'lengths of a reduce')
        call tutti_all_gather(comm, x, y(1:3), ierror=code)
        call check(code == TUTTI_INVALID_ARGUMENT, 'lengths of an all_gather')
        call tutti_gather(comm, x, y, 0, [3], code)
        call check(code == TUTTI_INVALID_ARGUMENT, 'a count that is not that of the vector')
        call tutti_scatter(comm, x, y, 0, [2, 2], code)
        call check(code == TUTTI_INVALID_ARGUMENT .and. &
                   tutti_message() == 'tutti: scatter, counts: a vector has 2 elements instead of 1; &
                   &give all vectors of the call their length', 'too many counts')
        call tutti_reduce_scatter(comm, x(1:2), y, plus, ierror=code)
        call check(code == TUTTI_INVALID_ARGUMENT, 'lengths of a reduce_scatter')
        call tutti_broadcast(comm, x, 1, code)
        call check(code == TUTTI_INVALID_ARGUMENT, 'a root that there is not')
    end subroutine

end program
