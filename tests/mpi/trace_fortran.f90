! A ring in Fortran: the tracer must see its calls as those of a C program.
program trace_fortran
  use mpi
  implicit none
  integer :: ierr, rank, n, got, sum, request, status(MPI_STATUS_SIZE)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, n, ierr)
  call MPI_Irecv(got, 1, MPI_INTEGER, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, request, ierr)
  call MPI_Send(rank, 1, MPI_INTEGER, mod(rank + 1, n), 5, MPI_COMM_WORLD, ierr)
  call MPI_Wait(request, status, ierr)
  call MPI_Allreduce(rank, sum, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  if (got /= mod(rank + n - 1, n) .or. sum /= n * (n - 1) / 2) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  call MPI_Finalize(ierr)
end program
