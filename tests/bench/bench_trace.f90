! bench_trace.c in Fortran, whose calls come to the tracer through functions of the MPI library:
! prints the nanoseconds of a call, the best round of many.
program bench_trace
  implicit none
  include 'mpif.h'
  integer, parameter :: rounds = 200, calls = 2000
  integer :: round, i, status(MPI_STATUS_SIZE), failed, sent(1), got(1)
  double precision :: start_s, best_s
  best_s = 1d9
  sent = 1
  call MPI_Init(failed)
  do round = 1, rounds
    start_s = MPI_Wtime()
    do i = 1, calls
      call MPI_Sendrecv(sent, 1, MPI_INTEGER, 0, 1, got, 1, MPI_INTEGER, 0, 1, MPI_COMM_SELF, status, failed)
    end do
    best_s = min(best_s, (MPI_Wtime() - start_s) / calls)
  end do
  write (*, '(f0.1)') 1d9 * best_s
  call MPI_Finalize(failed)
  if (got(1) /= sent(1)) stop 1
end program
