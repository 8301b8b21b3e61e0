"""Whether two texts of the same words give them other roles: who does it to whom, what belongs to what (for `twins`).

Guessed from word order alone, and on the safe side: a rewording that moves much is taken for another claim. Everything is
answered the same whichever text comes first.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from evidence.rules.gists import Gist, is_value


def turned_about(one: Gist, other: Gist) -> bool:
    """Whether things changed roles: around a verb, into each other's places, or values among each other."""
    if len(one.values) > 1 and not _same_order_of_values(one, other):
        return True
    shared = one.once.keys() & other.once.keys()
    ours, theirs = ([word for word in gist.words if word in shared] for gist in (one, other))
    if ours == theirs and one.bag == other.bag:
        return False
    inflected = {word for word in shared if one.forms[one.once[word]] != other.forms[other.once[word]]}
    return _around_a_verb(one, other) or _around_a_verb(other, one) or _traded_places(ours, theirs, inflected)


def _same_order_of_values(one: Gist, other: Gist) -> bool:
    """Whether the shared words stand in one order, where a text has several values of one kind."""
    kinds = [value.partition(":")[0] for value in one.values]
    both = one.bag & other.bag
    ours, theirs = ([word for word in gist.words if word in both] for gist in (one, other))
    return len(set(kinds)) == len(kinds) or ours == theirs


def _around_a_verb(one: Gist, other: Gist) -> bool:
    """Whether something done to by one text does it in the other, and its doer is gone or done to.

    "The API calls the worker", "for each job the worker calls the API". A passive has another form and turns nothing.
    """
    for word in (one.acts | other.acts) & one.once.keys() & other.once.keys():
        at, there = one.once[word], other.once[word]
        if one.forms[at] != other.forms[there]:
            continue
        doers = [doer for doer in one.words[:at] if not is_value(doer)]
        done_to = [thing for thing in one.words[at + 1 :] if thing in one.once and not is_value(thing)]
        risen = any(other.once.get(thing, there) < there for thing in done_to)
        fallen = any(doer not in other.bag or other.once.get(doer, -1) > there for doer in doers)
        if risen and fallen:
            return True
    return False


def _traded_places(ours: Sequence[str], theirs: Sequence[str], inflected: set[str]) -> bool:
    """Whether two things stand in each other's places: "French service, British frigates" the other way round.

    The same words in two orders. What stands together in both is one thing. No places are: the two sides of one word
    ("logs of the portal", "portal logs": that is for `_around_a_verb`), the ends of a text (a clause may move to the
    front), and what is beside a value or an inflected word ("reviews", "is reviewed by").
    """
    kept = set(pairwise(ours)) & set(pairwise(theirs))
    here, there = _neighbours(ours, kept), _neighbours(theirs, kept)
    traded = [
        (here[place], there[place], place[1])
        for place in here.keys() & there.keys()
        if here[place] != there[place] and place[1] not in inflected and not is_value(place[1])
    ]
    return any(a == d and b == c and at != place for a, b, at in traded for c, d, place in traded)


def _neighbours(words: Sequence[str], kept: set[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """What stands behind and before each thing of several words; a thing goes by its first word."""
    things: list[tuple[str, str]] = []
    for word in words:
        if things and (things[-1][1], word) in kept:
            things[-1] = things[-1][0], word
        else:
            things.append((word, word))
    found: dict[tuple[str, str], str] = {}
    for (left, _), (right, _) in pairwise(things):
        found["behind", left] = right
        found["before", right] = left
    return found
