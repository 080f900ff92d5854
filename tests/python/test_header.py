"""What the package declares is what crosstalk.h declares."""
import ctypes
import re

from conftest import SOURCE

from crosstalk import _c

HEADER = re.sub(r"/\*.*?\*/", "", (SOURCE / "libcrosstalk/crosstalk.h").read_text(), flags=re.S)
SIMPLE = {"double": ctypes.c_double, "int": ctypes.c_int, "bool": ctypes.c_bool, "size_t": ctypes.c_size_t,
          "uint32_t": ctypes.c_uint32, "uint64_t": ctypes.c_uint64, "unsigned": ctypes.c_uint, "char": ctypes.c_char}


def type_of(text):
    """The type of ctypes of a declaration without its name."""
    words = re.sub(r"\b(const|volatile)\b", "", text)
    stars = words.count("*")
    words = words.replace("*", "").split()
    if words[0] == "enum":
        assert stars == 0
        return ctypes.c_int
    if words[0] == "struct":
        kind = _c.struct.get(words[1].replace("crosstalk_", ""))
        if kind is None:  # a handle
            kind, stars = ctypes.c_void_p, stars - 1
    elif words[0] in ("char", "void") and stars:
        kind, stars = {"char": ctypes.c_char_p, "void": ctypes.c_void_p}[words[0]], stars - 1
    else:
        kind = None if words[0] == "void" else SIMPLE[words[0]]
    for _ in range(stars):
        kind = ctypes.POINTER(kind)
    return kind


def declaration(text):
    """Name and type of "const double *longer_frac", "char text[1020]"."""
    match = re.fullmatch(r"(.*?)(\w+)(?:\[(\d+)\])?", " ".join(text.split()))
    kind = type_of(match[1])
    return match[2], kind * int(match[3]) if match[3] else kind


def test_functions_are_those_of_the_header():
    found = {}
    for match in re.finditer(r"^([a-z][\w \n]*[ *])crosstalk_(\w+)\(([^;{]*)\);", HEADER, re.M):
        arguments = [] if match[3].strip() == "void" else [declaration(one)[1] for one in match[3].split(",")]
        found[match[2]] = (type_of(match[1]), *arguments)
    assert len(found) > 60
    declared = {name: (result, *map(_c.resolve, arguments)) for name, (result, *arguments) in _c.FUNCTIONS.items()}
    assert declared == found


def test_struct_are_those_of_the_header():
    found = {}
    for match in re.finditer(r"^struct crosstalk_(\w+) \{(.*?)^\};", HEADER, re.M | re.S):
        members = []
        for line in match[2].split(";")[:-1]:
            first, *others = line.split(",")
            name, kind = declaration(first)
            base = re.fullmatch(r"(.*?)\w+(\[\d+\])?", " ".join(first.split()))[1]
            members += [(name, kind)] + [declaration(base + one) for one in others]
        found[match[1]] = members
    assert {name: list(kind._fields_) for name, kind in _c.struct.items()} == found


def test_status_and_kinds_are_those_of_the_header():
    def numbers(enum, prefix):
        body = re.search(rf"enum {enum} \{{(.*?)\}}", HEADER, re.S)[1]
        return {name.lower(): int(value) for name, value in re.findall(rf"{prefix}(\w+) = (\d+)", body)}
    assert numbers("crosstalk_status", "CROSSTALK_") == {name.lower(): i for i, name in enumerate(_c.STATUS)}
    assert numbers("crosstalk_kind", "CROSSTALK_RUN_") == {name: i for i, name in enumerate(_c.KIND)}
