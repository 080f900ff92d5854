"""What all classes have in common: errors, handles, arrays that view the library's memory, and Ctrl-C."""
from __future__ import annotations

import ctypes
import functools
import os
import threading
import weakref
from typing import Any, Callable, Iterable, List, Optional, TypeVar, Union

import numpy as np
import numpy.typing as npt

from . import _c

Path = Union[str, "os.PathLike[str]"]
Array = npt.NDArray[Any]
Self = TypeVar("Self", bound="Handle")


class Error(Exception):
    """A call failed. The text has the value, the cause and the remedy, as the commands print it.

    status: "EINVAL" (a value that is not allowed), "ENOMEM", "EIO", "EFORMAT" (a damaged file, or of another kind),
    "ENOENT" (no such file), "ENODATA" (the measurements are not sufficient), "EUNSUPPORTED", "ECANCELED".
    Source: struct crosstalk_error."""

    def __init__(self, status: str, text: str) -> None:
        super().__init__(text)
        self.status = status


def call(name: str, *arguments: Any) -> None:
    """Call a function that returns a status and takes an error last."""
    error = _c.struct["error"]()
    status = getattr(_c.library, "crosstalk_" + name)(*arguments, ctypes.byref(error))
    if status != 0:
        raise Error(_c.STATUS[status], error.text.decode(errors="replace"))


def call_stoppable(name: str, *arguments: Any) -> None:
    """The same of long work, which Ctrl-C ends. Python runs handlers of signals in its main thread only: while that
    waits here, another thread computes, and looks at a flag."""
    if threading.current_thread() is not threading.main_thread():
        call(name, *arguments)
        return
    flag, failed, done = ctypes.c_int(0), [], threading.Event()

    def compute() -> None:
        _c.library.crosstalk_cancel_when(ctypes.byref(flag))
        try:
            call(name, *arguments)
        except Exception as why:  # is raised in the thread that asked
            failed.append(why)
        finally:
            _c.library.crosstalk_cancel_when(None)
            done.set()

    threading.Thread(target=compute, daemon=True, name="crosstalk_" + name).start()
    interrupt: Optional[BaseException] = None
    while not done.is_set():
        try:
            done.wait()
        except BaseException as why:  # Ctrl-C, or what another handler of a signal raises
            interrupt = why
            flag.value = 1
    if interrupt:
        raise interrupt from (failed[0] if failed else None)
    if failed:
        raise failed[0]


def encode(path: Path) -> bytes:
    encoded = os.fsencode(path)
    if b"\0" in encoded:  # C would take the part before it, another file
        raise ValueError(f"a path with a byte 0: {path!r}")
    return encoded


def encode_or_none(path: Optional[Path]) -> Optional[bytes]:
    return None if path is None else encode(path)


def decode(text: Optional[bytes]) -> str:
    return (text or b"").decode(errors="replace")


def texts(count: int, one: Callable[[int], Any]) -> List[str]:
    return [decode(one(i)) for i in range(count)]


@functools.lru_cache(maxsize=None)
def dtype_of(kind: Any) -> "np.dtype[Any]":
    """The dtype of a type of ctypes; texts inside a struct are texts, not arrays of bytes."""
    if not issubclass(kind, ctypes.Structure):
        return np.dtype(kind)
    plain = np.dtype(kind)
    assert plain.names is not None and plain.fields is not None
    formats = [f"S{member[1]._length_}" if issubclass(member[1], ctypes.Array) else
               dtype_of(member[1]) for member in kind._fields_]
    offsets = [plain.fields[name][1] for name in plain.names]
    return np.dtype({"names": list(plain.names), "formats": formats, "offsets": offsets,
                     "itemsize": plain.itemsize})


class Handle:
    """Something of the library's that is to be closed: by close(), at the end of a `with`, or when nobody has it any
    more. Arrays that view its memory keep it open; close() raises BufferError while there are some."""

    _close_name = ""

    def __init__(self) -> None:
        self._pointer: Optional[int] = None
        self._buffers: List["weakref.ref[Any]"] = []
        self._lock = threading.RLock()

    @property
    def _handle(self) -> int:
        if self._pointer is None:
            raise ValueError(f"this {type(self).__name__} is closed")
        return self._pointer

    def _open(self, name: str, *arguments: Any) -> None:
        pointer = ctypes.c_void_p()
        try:
            call_stoppable(name, *arguments, ctypes.byref(pointer))
        finally:
            self._pointer = pointer.value

    def _view(self, pointer: Any, n: int) -> Array:
        """n rows from a pointer of ctypes, as an array that cannot be written."""
        kind = pointer._type_
        if not pointer or n == 0:
            rows: Array = np.empty(0, dtype=dtype_of(kind))
            rows.flags.writeable = False
            return rows
        buffer = (kind * n).from_address(ctypes.addressof(pointer.contents))
        buffer.owner = self  # as long as an array has the buffer
        self._buffers = [one for one in self._buffers if one() is not None] + [weakref.ref(buffer)]
        return np.frombuffer(memoryview(buffer).cast("B").toreadonly(), dtype=dtype_of(kind))

    def _rows(self, name: str) -> Array:
        function = getattr(_c.library, "crosstalk_" + name)
        rows = function.argtypes[1]._type_()
        return self._view(rows, function(self._handle, ctypes.byref(rows)))

    def close(self) -> None:
        """Close it. BufferError: arrays still view its memory; delete them, or copy them before."""
        with self._lock:
            n = sum(one() is not None for one in self._buffers)
            if n:
                raise BufferError(f"{n} array{'s' if n > 1 else ''} of this {type(self).__name__} still in use: "
                                  "delete what views its memory, or copy it before")
            pointer, self._pointer = self._pointer, None
            if pointer is not None:
                getattr(_c.library, "crosstalk_" + self._close_name)(pointer)

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        # Buffers have the owner: none is left.
        if getattr(self, "_pointer", None) is not None:
            getattr(_c.library, "crosstalk_" + self._close_name)(self._pointer)


class Block(Handle):
    """An array that the library leaves to its caller."""

    _close_name = "free"

    def take(self, pointer: Any, n: int) -> Array:
        self._pointer = ctypes.cast(pointer, ctypes.c_void_p).value
        return self._view(pointer, n)


def values(of: ctypes.Structure) -> List[Any]:
    """The members of a struct, texts decoded."""
    found = [getattr(of, str(member[0])) for member in of._fields_]
    return [decode(value) if isinstance(value, bytes) else value for value in found]


def to_frame(rows: Array) -> Any:
    """A pandas.DataFrame of an array of rows; hosts become texts. Needs pandas."""
    import pandas

    columns = {}
    for name in rows.dtype.names or ():
        column = rows[name]
        if column.dtype.names:
            columns.update({f"{name}_{part}": column[part] for part in column.dtype.names})
        else:
            columns[name] = np.char.decode(column) if column.dtype.kind == "S" else column
    return pandas.DataFrame(columns)


def doubles(numbers: Iterable[float]) -> Any:
    listed = [float(number) for number in numbers]
    return (ctypes.c_double * len(listed))(*listed)
