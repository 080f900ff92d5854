! Calls of four ranks by the module mpi_f08, which in MPICH calls PMPI functions where there is no
! buffer. The tracer must see the same as in trace_f08.c, which makes the same calls.
program trace_f08
  use mpi_f08
  implicit none
  type(MPI_Comm) :: half
  type(MPI_Request) :: requests(2), persistent
  type(MPI_Status) :: status
  integer :: rank, n, next, before, half_rank, i, out(4), got(4), sum
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, n)
  next = mod(rank + 1, n)
  before = mod(rank + n - 1, n)
  out = rank

  if (mod(rank, 2) == 0) then
    call MPI_Send(out, 4, MPI_INTEGER, next, 1, MPI_COMM_WORLD)
    call MPI_Recv(got, 4, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status)
  else
    call MPI_Recv(got, 4, MPI_INTEGER, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call MPI_Send(out, 4, MPI_INTEGER, next, 1, MPI_COMM_WORLD)
  end if
  call check(got(1) == before)
  call MPI_Barrier(MPI_COMM_WORLD)

  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), -rank, half)
  call MPI_Comm_rank(half, half_rank)
  call MPI_Irecv(got, 3, MPI_INTEGER, 1 - half_rank, 2, half, requests(1))
  call MPI_Isend(out, 3, MPI_INTEGER, 1 - half_rank, 2, half, requests(2))
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
  call MPI_Bcast(got, 2, MPI_INTEGER, 1, half)
  call MPI_Comm_free(half)

  call MPI_Allreduce(rank, sum, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call check(sum == n * (n - 1) / 2)
  sum = rank
  call MPI_Allreduce(MPI_IN_PLACE, sum, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call MPI_Ibarrier(MPI_COMM_WORLD, requests(1))
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE)
  call MPI_Sendrecv(out, 2, MPI_INTEGER, next, 3, got, 2, MPI_INTEGER, before, 3, MPI_COMM_WORLD, status)

  call MPI_Recv_init(got, 1, MPI_INTEGER, before, 4, MPI_COMM_WORLD, persistent)
  do i = 1, 2
    call MPI_Start(persistent)
    call MPI_Send(out, 1, MPI_INTEGER, next, 4, MPI_COMM_WORLD)
    call MPI_Wait(persistent, status)
  end do
  call MPI_Request_free(persistent)

  call MPI_Irecv(got, 4, MPI_INTEGER, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, requests(1))
  call MPI_Send(out, 1, MPI_INTEGER, next, 5, MPI_COMM_WORLD)
  call MPI_Wait(requests(1), status)
  call check(status%MPI_SOURCE == before)
  call MPI_Send(out, 1, MPI_INTEGER, next, 6, MPI_COMM_WORLD)
  call MPI_Probe(before, 6, MPI_COMM_WORLD, status)
  call MPI_Recv(got, 4, MPI_INTEGER, before, 6, MPI_COMM_WORLD, status)
  call MPI_Finalize()
contains
  subroutine check(right)
    logical, intent(in) :: right
    if (.not. right) call MPI_Abort(MPI_COMM_WORLD, 1)
  end subroutine
end program
