/* For test_mpi_kind: a library with an MPI's file name, one that is linked to it, and a program. */
#if defined FAKE_LIBRARY
int fake_mpi(void);
int fake_mpi(void)
{
    return 0;
}
#elif defined FAKE_MIDDLE
int fake_mpi(void);
int fake_middle(void);
int fake_middle(void)
{
    return fake_mpi();
}
#elif defined FAKE_STATIC
int main(void)
{
    return 0;
}
#else
int FAKE_CALL(void);
int main(void)
{
    return FAKE_CALL();
}
#endif
