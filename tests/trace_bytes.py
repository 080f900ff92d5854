"""Numbers as they are in traces (trace/format.h)."""


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def fold(value):
    """Signed numbers, of 32 bits in messages."""
    return 2 * value if value >= 0 else -2 * value - 1
