/*
 * Attributes, by name, that crosstalk adds to records of OTF2 for values that these cannot have.
 * All are numbers but the last.
 */
#pragma once

/*
 * - source, tag, bytes, comm: of MpiIrecvRequest and of Enter of a probe or MPI_Recv_init. Source
 * and tag are those of the event plus 1, so that 0 is any; the source is a rank of MPI_COMM_WORLD.
 * - destination instead of the source: of Enter of MPI_Send_init and its relatives.
 * - comm alone: of Enter of a region that makes this communicator.
 * - request: of Enter of MPI_Cancel, MPI_Request_free and the calls that make a persistent request:
 * its ID. All starts of a persistent request have that ID.
 * - cut: 1 at MpiRecv of a message that was longer than its buffer; the record has the buffer's
 * size.
 * - after: of Enter, where a rank has several threads: `after` of struct ct_trace_event.
 * - thread: of Leave: the rank's next event is of another thread, which has this number.
 * - destination and values, the mode and the bytes back: of Enter of a one-sided access; request:
 * its ID, if it has one. comm and values: of Enter of MPI_Win_flush.
 * - values: of Enter of a collective with a list, and of a region "stages" before the calls that
 * begin one after the other: the numbers of the event, with blanks between.
 */
#define CT_OTF2_ATTRIBUTE_MAP(X)                                                                   \
    X(SOURCE, "crosstalk::source")                                                                 \
    X(TAG, "crosstalk::tag")                                                                       \
    X(BYTES, "crosstalk::bytes")                                                                   \
    X(COMM, "crosstalk::comm")                                                                     \
    X(REQUEST, "crosstalk::request")                                                               \
    X(DESTINATION, "crosstalk::destination")                                                       \
    X(CUT, "crosstalk::cut")                                                                       \
    X(AFTER, "crosstalk::after")                                                                   \
    X(THREAD, "crosstalk::thread")                                                                 \
    X(VALUES, "crosstalk::values")

enum ct_otf2_attribute {
#define CT_OTF2_ATTRIBUTE_ENUM(name, text) CT_OTF2_ATTRIBUTE_##name,
    CT_OTF2_ATTRIBUTE_MAP(CT_OTF2_ATTRIBUTE_ENUM)
#undef CT_OTF2_ATTRIBUTE_ENUM
        CT_OTF2_N_ATTRIBUTES
};

/* Description of a region that stands for a call without a model. */
#define CT_OTF2_UNMODELLED "not modelled by crosstalk"
