"""Names of hidden reasoning in every spelling, what only sounds like it, receipts as texts, and structures of any depth."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.rules.hidden_reasoning import DEEPEST, Found, Hidden, first_hidden, is_hidden_name

CORE = [
    "chain_of_thought",
    "thoughts",
    "scratchpad",
    "inner monologue",
    "hidden reasoning",
    "transcript",
    "analysis",
    "cot",
]
LIKE = str.maketrans({"a": "а", "c": "с", "e": "е", "o": "о", "p": "р", "i": "і", "s": "ѕ"})
FULL_WIDTH = str.maketrans({chr(code): chr(code + 0xFEE0) for code in range(0x21, 0x7F)})
BOLD = str.maketrans({chr(0x61 + number): chr(0x1D41A + number) for number in range(26)})
CIRCLED = str.maketrans({chr(0x61 + number): chr(0x24D0 + number) for number in range(26)})
SPELT: dict[str, Any] = {
    "upper": str.upper, "title": str.title, "dots": ".".join, "spaces": "  ".join,
    "dashes": lambda name: name.replace("_", "-"), "joined": lambda name: name.replace("_", "").replace(" ", ""),
    "look-alikes": lambda name: name.translate(LIKE), "full width": lambda name: name.translate(FULL_WIDTH),
    "bold": lambda name: name.translate(BOLD), "circled": lambda name: name.translate(CIRCLED),
    "accents": lambda name: "".join(letter + "\u0301" for letter in name),
    "invisible": "\u200b".join, "bidi": lambda name: "\u202e" + name, "soft": "\u00ad".join,
    "digits": lambda name: name.replace("o", "0").replace("i", "1"), "numbered": lambda name: name + "_2",
    "camel": lambda name: "".join(part.title() for part in name.replace(" ", "_").split("_")),
}  # fmt: skip


@pytest.mark.parametrize("spelling", SPELT)
def test_a_spelling_changes_nothing(spelling: str) -> None:
    assert [name for name in CORE if not is_hidden_name(SPELT[spelling](name))] == []


def test_others_of_the_kind() -> None:
    names = """raw_cot model_thoughts my_scratchpad reasoning_content reasoningSteps agentReasoning thinking_blocks raw_analysis
    internal_analysis message chat_messages recall_receipt receipt-token step_by_step_thinking private_thoughts cot_trace""".split()
    assert [name for name in names if not is_hidden_name(name)] == []


def test_what_only_sounds_like_it() -> None:
    names = """raw_material rawness transcript_url transcription_id reasoning_tokens reasoning_effort analysis_digest analysisdigest
    commit_message error_message static_analysis afterthought thoughtful cotton scotch apricot messaging receipt receipts
    plan summary rationale verification_plan reasonable_inferences hidden_risks message_id monologueless""".split()
    assert [name for name in names if is_hidden_name(name)] == []


RECEIPT = "v1." + "aB3_" * 10 + "." + "x" * 43


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ({"a": [{"b": {"thought": 1}}]}, Hidden.REASONING),
        ({"a": '{"b": [{"scratchpad": 1}]}'}, Hidden.REASONING),
        ([{"type": "thinking", "text": "x"}], Hidden.REASONING),
        ({"name": "chain of thought", "value": "x"}, Hidden.REASONING),
        (f"see {RECEIPT}, please", Hidden.RECEIPT),
        ({"a": [RECEIPT.translate(FULL_WIDTH)]}, Hidden.RECEIPT),
        ({RECEIPT: 1}, Hidden.RECEIPT),
        ("v2." + "e30" * 8 + "." + "y" * 43, Hidden.RECEIPT),
    ],
)
def test_where_it_hides(value: Any, kind: Hidden) -> None:
    found = first_hidden(value)
    assert found is not None
    assert found.kind == kind


def test_ordinary_structures_pass() -> None:
    value = {
        "result": "passed",
        "kind": "analysis",
        "files": ["v1.2.3", "a.b.c"],
        "text": "I had a thought",
        "n": [1, None, 2.5],
    }
    assert first_hidden(value) is None
    assert first_hidden({"a": [{"b": 1, "cot": 2}]}) == Found(("a", 0, "cot"), Hidden.REASONING)


@given(
    st.recursive(
        st.text() | st.integers() | st.none(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
def test_it_never_fails(value: Any) -> None:
    first_hidden(value)
    deep: Any = value
    for _ in range(DEEPEST + 2):
        deep = [deep]
    found = first_hidden(deep)
    assert found is not None
