/* Parameters of protocols: what is read is in range, or nothing is. */
#include "simulate/stack.h"
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void check(const struct ct_stack_parameters *read)
{
    const double rates[] = {read->injection_bytes_per_s, read->link_bytes_per_s,
                            read->memory_bytes_per_s};
    const double times_s[] = {read->header_s, read->rdma_s, read->pin_s, read->pin_page_s,
                              read->hop_s};
    const double others[] = {read->L_s, read->o_s, read->G_s_per_byte, read->burst_bytes,
                             read->ahead_bytes};
    const struct ct_stack stack = ct_stack_rdma(read), own = ct_stack_of(read);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!(others[i] >= 0) || !isfinite(others[i]))
            abort();
    if (!(ct_stack_work_ns(&own, CT_WORK_SEND, 1) >= 0) || read->order > CT_PORT_FIFO)
        abort();
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        if (!(rates[i] > 0) || !isfinite(rates[i]))
            abort();
    for (size_t i = 0; i < sizeof times_s / sizeof *times_s; i++)
        if (!(times_s[i] >= 0) || !isfinite(times_s[i]))
            abort();
    if (read->page_bytes == 0 || read->eager_max_bytes < read->mailbox_max_bytes ||
        !isfinite(ct_stack_work_ns(&stack, CT_WORK_PIN | CT_WORK_COPY | CT_WORK_RDMA, UINT64_MAX)))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ct_error err = {.text = ""};
    const struct ct_stack_parameters before = ct_stack_defaults();
    struct ct_stack_parameters read;
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(&read, &before, sizeof read);
    memcpy(text, data, size);
    text[size] = '\0';
    if (ct_stack_parse(text, "input", NULL, NULL, &read, &err) == CT_OK)
        check(&read);
    else if (memcmp(&read, &before, sizeof read) != 0 || // NOLINT: with the padding, copied above
             strncmp(err.text, "input", 5) != 0)
        abort();
    free(text);
    return 0;
}
