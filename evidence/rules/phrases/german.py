"""Instruction-like German (contract 9, 12.15): the same concerns as in English, fewer turns of phrase.

Written for folded text: without accents and umlauts (a for ä, ss for ß).
"""

from __future__ import annotations

from evidence.rules.phrases.phrase import Phrase, phrases

_GROUPS = {
    "drop": r"ignorier(?:e|en|t|st)?|vergiss|vergesst|vergessen|missachte(?:n|t)?|uebergeh(?:e|en)|ubergeh(?:e|"
    r"en)|verwirf|umgeh(?:e|en)|beachte(?:n)? nicht|befolge(?:n)? nicht|hor(?:e)? auf",
    "prior": r"vorherigen?|vorigen?|bisherigen?|fruheren?|obigen?|vorangegangenen?|vorstehenden?|ursprunglichen?|"
    r"anfanglichen?|urspruenglichen?|frueheren?|oben genannten|letzten|zuvor gegebenen|davor",
    "told": r"anweisung(?:en)?|instruktion(?:en)?|regel(?:n)?|vorgabe(?:n)?|befehl(?:e|en)?|auftrag|auftrage|"
    r"aufgabe(?:n)?|prompts?|richtlinie(?:n)?|anordnung(?:en)?|systemprompt|eingabe(?:n)?|kontext|texte?",
    "person": r"nutzern?|benutzern?|nutzer(?:in(?:nen)?)?|anwendern?|anwender|menschen?|kunden?|prufern?|prufer|"
    r"person(?:en)?|niemandem|administrator",
    "model": r"ki|assistenten?|agenten?|chatbot|bot|sprachmodell|modell|ki-?assistenten?|ki-?agenten?|ki-?modelle?",
}

GERMAN: tuple[Phrase, ...] = (
    phrases(
        "asks to set earlier instructions aside (German)",
        (
            r"\b{drop}(?: sie)?(?: jetzt| nun| bitte| also| einfach)* <2>(?:{prior} )+<1>{told}\b",
            (
                r"\b{drop}(?: sie)?(?: jetzt| nun| bitte)* (?:alle|alles|samtliche|jede|"
                r"jegliche) <1>(?:deine |ihre |meine |die )?{told}\b"
            ),
            r"\b{drop}(?: sie)? <1>(?:deine|ihre|eure) <2>{told}\b",
            (
                r"\b(?:hast|habe|haben|befolgst|kennst|brauchst) (?:du |sie )?(?:ab jetzt |jetzt |"
                r"nun )?keine (?:regeln|richtlinien|einschrankungen|grenzen|filter|vorgaben|ethischen|"
                r"moralischen)\b"
            ),
            (
                r"(?:^|\n|[.!*#] ?)(?:neue|wichtige|aktuelle|geheime) (?:wichtige )?(?:anweisung(?:en)?|"
                r"instruktion(?:en)?|systemanweisung(?:en)?|aufgabe|befehle?) ?:"
            ),
            r"\bsystemhinweis ?:",
            r"\bvergiss(?: sie| bitte| jetzt| nun)* alles\b(?= ?(?:[.,;:!?]|$|und\b|was\b|davor|bisher|ab\b))",
            (
                r"\b{drop}(?: sie)?(?: jetzt| nun| bitte)* (?:alles|alle|was|das)(?:,)? (?:was )?(?:wir|ich|"
                r"du|sie|dir|ihnen|davor|zuvor|vorher|bisher|oben|bis jetzt|obige|vorherige|gesagt|weisst|"
                r"wissen)\b"
            ),
        ),
        _GROUPS,
    ),
    phrases(
        "gives the model another role (German)",
        (
            (
                r"\b(?:du bist|sie sind) (?:jetzt|nun|ab jetzt|ab sofort|nicht mehr|von nun an) (?:ein|eine|"
                r"der|die|das|kein|keine|im|mein|frei|dan|nicht|uneingeschrankt|unzensiert)\b"
            ),
            (
                r"\b(?:ab jetzt|ab sofort|von nun an|von jetzt an) (?:bist|wirst|antwortest|musst|sollst|"
                r"darfst|kannst|heisst|agierst|verhaltst|bin|sind) (?:du|sie)\b"
            ),
            r"\btu(?:e)? so,? als\b",
            r"\bstell(?:en)?(?: sie)? (?:dir|sich)(?: mal)? vor,? (?:du|sie|dass du)\b",
            (
                r"\b(?:agiere?|verhalte dich|antworte|handle|schreibe?|sprich)(?: nur| ausschliesslich|"
                r" jetzt)* (?:wie|als) (?:ein|eine|der|die|ware|wurde|dan|mein|wenn)\b"
            ),
            r"\b(?:spiele?|ubernimm|nimm|uebernimm) <1>(?:die )?rolle (?:eines|einer|des|der|von|als)\b",
            (
                r"\b(?:ich mochte|ich will|ich moechte),? dass (?:du|sie) <3>(?:spielst|agierst|verhaltst|"
                r"handelst|fungierst|bist|antwortest|agieren|vergisst)\b"
            ),
            r"\bgib vor,? (?:ein|eine|du|zu sein)\b",
            (
                r"\b(?:deine|ihre) (?:neue|neuen|wahre|eigentliche|einzige) (?:rolle|aufgabe|anweisung(?:en)?|"
                r"identitat|instruktion(?:en)?)\b"
            ),
        ),
        _GROUPS,
    ),
    phrases(
        "asks for the model's prompt (German)",
        (
            (
                r"\b(?:zeige?|nenne?|gib|verrate?|wiederhole?|schreibe?|sage?|drucke?|teile?|was (?:ist|war|"
                r"waren|sind|steht)|wie (?:lautet|lauten|lautete|war)|ubersetze?|fasse?|offenbare?|"
                r"kopiere?)(?: sie)?(?: mir| bitte| uns)* <4>(?:dein(?:e[nrms]?)?|ihre?[nrms]?|"
                r"urspruengliche[nrs]?|ursprungliche[nrs]?|exakte[nrs]?|der|den|die|das|obige[nrs]?|letzten?|"
                r"alle) <2>(?:system ?-?prompt|prompts?|systemanweisung(?:en)?|anweisung(?:en)?|"
                r"instruktion(?:en)?|systemnachricht|vorgaben|passwort|ersten? (?:satz|satze|"
                r"anweisung))\b(?! (?:im|in der|auf|fur|zur|zum) )"
            ),
        ),
        _GROUPS,
    ),
    phrases(
        "asks for silence or a blind approval (German)",
        (
            (
                r"\b(?:sage?|erzahle?|verrate?|informiere?|melde?|benachrichtige?)(?: sie)? (?:es |das |dies |"
                r"davon )?(?:dem |den |der |keinem |niemandem )?(?:{person})? ?(?:nichts|nicht|"
                r"kein wort)(?: davon| von dieser| uber diese| hiervon)\b"
            ),
            (
                r"\b(?:sage?|erzahle?|verrate?|informiere?)(?: sie)? (?:dem|den|der|einem|"
                r"keinem) {person} (?:nichts|nicht|kein wort)\b"
            ),
            (
                r"\b(?:genehmige?|erstatte?|losche?|uberweise?|sende?|fuhre?|erteile?|akzeptiere?|bestatige?|"
                r"zahle?)(?:n sie)? [^.!?\n]{0,60}?(?:ohne (?:einen |den |die |jede )?(?:{person}|ruckfrage|"
                r"nachzufragen|nachfrage|zu fragen|prufung|freigabe)|(?:und )?frage?(?:n sie)? (?:keinen?|"
                r"nicht|niemanden|keine) ?(?:{person}|nach)?)"
            ),
            (
                r"\b(?:genehmige?|akzeptiere?|bestatige?|gib)(?: sie)? (?:alle|alles|jede[nrs]?|jeglichen?|"
                r"samtliche) <2>(?:vorschlage?|eintrage?|antrage?|wartenden|offenen|anfragen?|erinnerungen|"
                r"fakten|frei)\b"
            ),
            (
                r"\bmarkiere?(?: sie)? (?:diese[nrs]?|alle|jede[nrs]?) <2>als (?:genehmigt|gepruft|"
                r"vertrauenswurdig|bestatigt|freigegeben|sicher)\b"
            ),
        ),
        _GROUPS,
    ),
    phrases(
        "speaks to the model (German)",
        (
            (
                r"\b(?:hinweis|nachricht|anweisung|achtung|notiz|wichtig)(?: an| fur)? (?:den |die |das |"
                r"alle )?{model} ?[:!-]"
            ),
            r"\bwenn du (?:ein|eine) (?:ki|sprachmodell|assistent|ki-assistent|ki-agent|agent|llm)\b",
            r"\bals (?:ki|sprachmodell|ki-assistent|ki-agent) (?:musst|sollst|darfst|wirst|kannst) du\b",
            r"\bmerke dir (?:das |dies |folgendes )?(?:fur immer|dauerhaft|ab jetzt|fur alle)\b",
            (
                r"\b(?:antworte|sage?|behaupte|erklare)(?: sie)?(?: ab jetzt| immer| stets| nur|"
                r" ausschliesslich)+ ?(?:mit|,? dass)\b"
            ),
            r"\bfuge? [^.!?\n]{1,80}(?:an das ende |am ende )?(?:deiner|jeder|ihrer) (?:antwort|zusammenfassung)\b",
            (
                r"\bohne (?:einschrankungen?|filter|zensur|ethische|moralische)\b(?=.{0,60}\b(?:antwort\w*|du|"
                r"schreib\w*|ki)\b|.{0,12}$)"
            ),
        ),
        _GROUPS,
    ),
)
