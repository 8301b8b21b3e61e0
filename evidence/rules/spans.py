"""Which stretches of a text are already read, so that nothing is read twice (part of the text rules)."""

from __future__ import annotations


class Taken:
    """A map of a text; asking and taking cost no more on a long text than on a short one."""

    def __init__(self, size: int) -> None:
        self._map = bytearray(size)

    def is_free(self, start: int, end: int) -> bool:
        """Whether nothing from start to end is taken."""
        return self._map.find(1, start, end) < 0

    def take(self, start: int, end: int) -> bool:
        """Take a stretch if all of it is free; whether it was."""
        if not self.is_free(start, end):
            return False
        self.cover(start, end)
        return True

    def cover(self, start: int, end: int) -> None:
        """Take a stretch whatever of it is taken already."""
        self._map[start:end] = b"\1" * (end - start)

    def free_stretches(self, start: int, end: int) -> list[tuple[int, int]]:
        """The free stretches between start and end, in order."""
        found: list[tuple[int, int]] = []
        at = start
        while at < end:
            first = self._map.find(0, at, end)
            if first < 0:
                break
            at = self._map.find(1, first, end)
            at = end if at < 0 else at
            found.append((first, at))
        return found
