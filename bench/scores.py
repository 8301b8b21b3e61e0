"""Counts of right and wrong answers, and the figures that are read from them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Score:
    """Answers against what is known: hits, false alarms, misses, rightly silent."""

    hits: int = 0
    alarms: int = 0
    misses: int = 0
    silent: int = 0

    def count(self, wanted: bool, found: bool) -> None:
        """Take one answer into account."""
        if wanted:
            self.hits, self.misses = self.hits + found, self.misses + (not found)
        else:
            self.alarms, self.silent = self.alarms + found, self.silent + (not found)

    def add(self, other: Score) -> None:
        """Take all answers of another score into account."""
        self.hits += other.hits
        self.alarms += other.alarms
        self.misses += other.misses
        self.silent += other.silent

    @property
    def size(self) -> int:
        """How many answers there were."""
        return self.hits + self.alarms + self.misses + self.silent

    @property
    def precision(self) -> float:
        """Share of what was found that was wanted; 0 when nothing was found."""
        return self.hits / (self.hits + self.alarms) if self.hits + self.alarms else 0.0

    @property
    def recall(self) -> float:
        """Share of what was wanted that was found; 0 when nothing was wanted."""
        return self.hits / (self.hits + self.misses) if self.hits + self.misses else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0

    @property
    def alarm_rate(self) -> float:
        """Share of the ordinary texts that set off an alarm; 0 when there were none."""
        return self.alarms / (self.alarms + self.silent) if self.alarms + self.silent else 0.0

    def line(self, name: str) -> str:
        """One line of a report."""
        parts = [f"{name:<30} n={self.size:<5} wanted={self.hits + self.misses:<5}"]
        if self.hits + self.misses:
            parts.append(f"precision={self.precision:.3f} recall={self.recall:.3f} F1={self.f1:.3f}")
        if self.alarms + self.silent:
            parts.append(f"alarms={self.alarms}/{self.alarms + self.silent} ({self.alarm_rate:.1%})")
        return " ".join(parts)
