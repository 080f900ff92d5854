/* Loaded into ranks: who waits for several messages waits for ever, as where these do not arrive.
 */
#include <mpi.h>
#include <unistd.h>

int MPI_Waitall(int n, MPI_Request requests[], MPI_Status statuses[])
{
    (void)n, (void)requests, (void)statuses;
    for (;;)
        pause();
}
