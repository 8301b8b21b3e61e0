"""Instruction-like Dutch, Swedish, Danish and Norwegian (contract 9, 12.15); written for folded text: without accents."""

from __future__ import annotations

from evidence.rules.phrases.phrase import Phrase, phrases

_GROUPS = {
    "drop": (
        r"negeer|vergeet|sla|volg|ignorera?|ignorer|glom|glem|bortse fran|se bort (?:fra|ifra)|strunta i|omzeil|"
        r"stop met het volgen van|overtrad|tilsidesæt"
    ),
    "told": (
        r"instructies?|regels?|opdracht(?:en)?|richtlijnen|aanwijzingen|prompts?|bevelen|beperkingen|"
        r"instruktion(?:er|erna|erne)?|instruks(?:er|erne)?|instruksjon(?:er|ene)?|regler(?:na|ne)?|"
        r"anvisning(?:ar|er|arna|erne)?|order|retningslinjer|riktlinjer"
    ),
    "person": r"gebruikers?|mens(?:en)?|niemand|beoordelaar|anvandaren?|brukeren?|brugeren|ingen|person(?:en)?",
}

GERMANIC: tuple[Phrase, ...] = (
    phrases(
        "asks to set earlier instructions aside (Dutch, Scandinavian)",
        (
            r"\b{drop} <4>(?:{told})\b(?! (?:van de |voor de |in de |for |pa )(?!system))",
            r"\b{drop} (?:alles|allt|alt) (?:wat|hierboven|daarvoor|som|over|ovenfor|innan|du)\b",
            (
                r"(?:^|\n|[.!*#] ?)(?:nieuwe|belangrijke|nya|nye|viktiga|vigtige) (?:instructies?|opdracht|instruktioner|"
                r"instruksjoner|instrukser) ?:"
            ),
        ),
        _GROUPS,
    ),
    phrases(
        "gives the model another role or asks for its prompt (Dutch, Scandinavian)",
        (
            (
                r"\bje bent (?:nu|vanaf nu) (?:een|de|mijn|in|vrij|niet)\b|\bvanaf nu (?:ben|antwoord|moet|mag|heb) (?:je|"
                r"jij)\b"
            ),
            (
                r"\bdoe alsof (?:je|u|jij)\b|\b(?:lat|lad|late) som (?:om|at)? ?(?:du|att du)\b|\blatsas (?:att du|"
                r"vara)\b"
            ),
            (
                r"\bdu (?:ar|er) (?:nu|na|fran och med nu) (?:en|ett|et|min|fri|inte|ikke)\b|\b(?:fran och med nu|fra nu "
                r"av|fra na av) (?:ar|er|ska|skal|svarar|svarer) du\b"
            ),
            (
                r"\b(?:toon|onthul|herhaal|geef|vertel|laat|visa|avsloja|upprepa|vis|gjenta|gentag|avslør|afslør)(?: me| "
                r"mij| mig| meg)? <3>(?:je|jouw|uw|din|dina|dine|ditt|dit) <2>(?:systeemprompt|prompt|instructies|"
                r"systemprompt\w*|instruktion\w*|instruks\w*|systemmeddeland\w*)\b"
            ),
            (
                r"\b(?:zonder|utan|uden|uten) (?:enige |nagra |nogen |noen )?(?:beperkingen|filters|regels|begransningar|"
                r"begrænsninger|begrensninger|regler)\b(?=.{0,60}\b(?:antwoord\w*|svar\w*|je|du|ai)\b|.{0,6}$)"
            ),
        ),
        _GROUPS,
    ),
    phrases(
        "asks for silence or a blind approval (Dutch, Scandinavian)",
        (
            (
                r"\b(?:vertel|zeg|meld|beratta|sag|si|fortel|fortæl|namn) <4>(?:{person}) <2>(?:niets|niet|inte|intet|"
                r"ikke|ingenting|om dit|om dette)\b|\b(?:vertel|zeg) niets (?:aan|tegen)\b"
            ),
            r"\b(?:beratta|sag|fortel|fortæl|si) (?:inte|ikke|ingenting|intet) <3>(?:{person})\b",
            (
                r"\b(?:keur|godkann|godkend|godkjenn|accepteer|acceptera)(?: je| du)? (?:alles?|alle|allt|alt|alla|elke|"
                r"varje|hver\w*)\b(?=.{0,40}\b(?:goed|voorstel\w*|forslag|begar\w+|anmod\w+|poster|verzoek\w*)\b|.{0,6}$)"
            ),
            (
                r"\bals je een (?:ai|assistent|taalmodel|agent)\b|\bom du ar en (?:ai|assistent|sprakmodell)\b|\bhvis du "
                r"er en (?:ai|assistent|sprogmodel|sprakmodell)\b"
            ),
            (
                r"\b(?:bericht|notitie|instructie|meddelande|besked|melding) (?:voor|aan|till|til) (?:de |alle |alla "
                r")?(?:ai|assistent\w*|agent\w*|taalmodel\w*|sprakmodell\w*) ?[:,-]"
            ),
        ),
        _GROUPS,
    ),
)
