! A bcast and a barrier by the header mpif.h.
      program trace_mpif
      implicit none
      include 'mpif.h'
      integer ierr, number
      number = 1
      call MPI_Init(ierr)
      call MPI_Bcast(number, 1, MPI_INTEGER, 2, MPI_COMM_WORLD, ierr)
      call MPI_Barrier(MPI_COMM_WORLD, ierr)
      call MPI_Finalize(ierr)
      end program
