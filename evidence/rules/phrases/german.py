"""Instruction-like German (contract 9, 12.15): the same concerns as in English, fewer turns of phrase.

Written for folded text: without accents and umlauts (a for ä, ss for ß).
"""

from __future__ import annotations

from evidence.rules.phrases.phrase import Phrase, phrases

_GROUPS = {
    "drop": (
        r"ignorier(?:e|en|t|st)?|vergiss|vergesst|vergessen|missachte(?:n|t)?|uebergeh(?:e|en)|ubergeh(?:e|en)|"
        r"verwirf|umgeh(?:e|en)|beachte(?:n)? nicht|befolge(?:n)? nicht|hor(?:e)? auf"
    ),
    "prior": (
        r"vorherigen?|vorigen?|bisherigen?|fruheren?|obigen?|vorangegangenen?|vorstehenden?|ursprunglichen?|"
        r"anfanglichen?|urspruenglichen?|frueheren?|oben genannten|letzten|zuvor gegebenen|davor"
    ),
    "told": (
        r"anweisung(?:en)?|instruktion(?:en)?|regel(?:n)?|vorgabe(?:n)?|befehl(?:e|en)?|auftrag|auftrage|"
        r"aufgabe(?:n)?|prompts?|richtlinie(?:n)?|anordnung(?:en)?|systemprompt|eingabe(?:n)?|kontext|texte?"
    ),
    "person": (
        r"nutzern?|benutzern?|nutzer(?:in(?:nen)?)?|anwendern?|anwender|menschen?|kunden?|prufern?|prufer|"
        r"person(?:en)?|niemandem|administrator"
    ),
    "model": r"ki|assistenten?|agenten?|chatbot|bot|sprachmodell|modell|ki-?assistenten?|ki-?agenten?|ki-?modelle?",
}

GERMAN: tuple[Phrase, ...] = (
    phrases(
        "asks to set earlier instructions aside (German)",
        (
            r"\b{drop}(?: sie)?(?: jetzt| nun| bitte| also| einfach)* <2>(?:{prior} )+<1>{told}\b",
            (
                r"\b{drop}(?: sie)?(?: jetzt| nun| bitte)* (?:alle|alles|samtliche|jede|jegliche) <1>(?:deine |ihre |"
                r"meine |die )?{told}\b"
            ),
            r"\b{drop}(?: sie)? <1>(?:deine|ihre|eure) <2>{told}\b",
            (
                r"\b(?:hast|habe|haben|befolgst|kennst|brauchst) (?:du |sie )?(?:ab jetzt |jetzt |nun )?keine (?:regeln|"
                r"richtlinien|einschrankungen|grenzen|filter|vorgaben|ethischen|moralischen)\b"
            ),
            (
                r"\b{drop}(?: sie)?(?: jetzt| nun| bitte)* (?:den |die |das |alles |allen )?(?:text|inhalt|nachricht|"
                r"frage|ubersetzung|satz)? ?(?:oben|darueber|daruber|davor|zuvor|vorher|von oben|bisher)\b"
            ),
            (
                r"(?:^|\n|[.!*#] ?)(?:neue|wichtige|aktuelle|geheime) (?:wichtige )?(?:anweisung(?:en)?|"
                r"instruktion(?:en)?|systemanweisung(?:en)?|aufgabe|befehle?) ?:"
            ),
            r"\bsystemhinweis ?:",
            r"\bvergiss(?: sie| bitte| jetzt| nun)* alles\b(?= ?(?:[.,;:!?]|$|und\b|was\b|davor|bisher|ab\b))",
            (
                r"\b{drop}(?: sie)?(?: jetzt| nun| bitte)* (?:alles|alle|was|das)(?:,)? (?:was )?(?:wir|ich|du|sie|dir|"
                r"ihnen|davor|zuvor|vorher|bisher|oben|bis jetzt|obige|vorherige|gesagt|weisst|wissen)\b"
            ),
        ),
        _GROUPS,
    ),
    phrases(
        "gives the model another role (German)",
        (
            (
                r"\b(?:du bist|sie sind) (?:jetzt|nun|ab jetzt|ab sofort|nicht mehr|von nun an) (?:ein|eine|der|die|das|"
                r"kein|keine|im|mein|frei|dan|nicht|uneingeschrankt|unzensiert)\b"
            ),
            (
                r"\b(?:ab jetzt|ab sofort|von nun an|von jetzt an) (?:bist|wirst|antwortest|musst|sollst|darfst|kannst|"
                r"heisst|agierst|verhaltst|bin|sind) (?:du|sie)\b"
            ),
            r"\btu(?:e)? so,? als\b",
            r"\bstell(?:en)?(?: sie)? (?:dir|sich)(?: mal)? vor,? (?:du|sie|dass du)\b",
            (
                r"\b(?:agiere?|verhalte dich|antworte|handle|schreibe?|sprich)(?: nur| ausschliesslich| jetzt)* (?:wie|"
                r"als) (?:ein|eine|der|die|ware|wurde|dan|mein|wenn)\b"
            ),
            r"\b(?:spiele?|ubernimm|nimm|uebernimm) <1>(?:die )?rolle (?:eines|einer|des|der|von|als)\b",
            (
                r"\b(?:ich mochte|ich will|ich moechte),? dass (?:du|sie) <3>(?:spielst|agierst|verhaltst|handelst|"
                r"fungierst|bist|antwortest|agieren|vergisst)\b"
            ),
            r"\bgib vor,? (?:ein|eine|du|zu sein)\b",
            (
                r"\b(?:deine|ihre) (?:neue|neuen|wahre|eigentliche|einzige) (?:rolle|aufgabe|anweisung(?:en)?|identitat|"
                r"instruktion(?:en)?)\b"
            ),
        ),
        _GROUPS,
    ),
    phrases(
        "asks for the model's prompt (German)",
        (
            (
                r"\b(?:zeige?|nenne?|gib|verrate?|wiederhole?|schreibe?|sage?|drucke?|teile?|was (?:ist|war|waren|sind|"
                r"steht)|wie (?:lautet|lauten|lautete|war)|ubersetze?|fasse?|offenbare?|kopiere?)(?: sie)?(?: mir| bitte| "
                r"uns)* <4>(?:dein(?:e[nrms]?)?|ihre?[nrms]?|urspruengliche[nrs]?|ursprungliche[nrs]?|exakte[nrs]?|der|"
                r"den|die|das|obige[nrs]?|letzten?|alle) <2>(?:system ?-?prompt\w*|prompt-?\w*|eingabeaufforderung\w*|"
                r"systemanweisung(?:en)?|anweisung(?:en)?|instruktion(?:en)?|systemnachricht|vorgaben|passwort|ersten? "
                r"(?:satz|satze|anweisung))\b(?! (?:im|in der|auf|fur|zur|zum) )"
            ),
        ),
        _GROUPS,
    ),
    phrases(
        "asks for silence or a blind approval (German)",
        (
            (
                r"\b(?:sage?|erzahle?|verrate?|informiere?|melde?|benachrichtige?)(?: sie)? (?:es |das |dies |davon "
                r")?(?:dem |den |der |keinem |niemandem )?(?:{person})? ?(?:nichts|nicht|kein wort)(?: davon| von dieser| "
                r"uber diese| hiervon)\b"
            ),
            (
                r"\b(?:sage?|erzahle?|verrate?|informiere?)(?: sie)? (?:dem|den|der|einem|keinem) {person} (?:nichts|"
                r"nicht|kein wort)\b"
            ),
            (
                r"\b(?:genehmige?|erstatte?|losche?|uberweise?|sende?|fuhre?|erteile?|akzeptiere?|bestatige?|zahle?)(?:n "
                r"sie)? [^.!?\n]{0,60}?(?:ohne (?:einen |den |die |jede )?(?:{person}|ruckfrage|nachzufragen|nachfrage|zu "
                r"fragen|prufung|freigabe)|(?:und )?frage?(?:n sie)? (?:keinen?|nicht|niemanden|keine) ?(?:{person}|"
                r"nach)?)"
            ),
            (
                r"\b(?:genehmige?|akzeptiere?|bestatige?|gib)(?: sie)? (?:alle|alles|jede[nrs]?|jeglichen?|samtliche) "
                r"<2>(?:vorschlage?|eintrage?|antrage?|wartenden|offenen|anfragen?|erinnerungen|fakten|frei)\b"
            ),
            (
                r"\bmarkiere?(?: sie)? (?:diese[nrs]?|alle|jede[nrs]?) <2>als (?:genehmigt|gepruft|vertrauenswurdig|"
                r"bestatigt|freigegeben|sicher)\b"
            ),
        ),
        _GROUPS,
    ),
    phrases(
        "speaks to the model (German)",
        (
            (
                r"\b(?:hinweis|nachricht|anweisung|achtung|notiz|wichtig)(?: an| fur)? (?:den |die |das |alle )?{model} "
                r"?[:!-]"
            ),
            r"\bwenn du (?:ein|eine) (?:ki|sprachmodell|assistent|ki-assistent|ki-agent|agent|llm)\b",
            r"\bals (?:ki|sprachmodell|ki-assistent|ki-agent) (?:musst|sollst|darfst|wirst|kannst) du\b",
            r"\bmerke dir (?:das |dies |folgendes )?(?:fur immer|dauerhaft|ab jetzt|fur alle)\b",
            (
                r"\b(?:antworte|sage?|behaupte|erklare)(?: sie)?(?: ab jetzt| immer| stets| nur| nur noch| "
                r"ausschliesslich){1,4} ?(?:mit (?:ja|nein|[\"'„]|de[mn] (?:wort|satz|text|folgenden))|,? dass)"
            ),
            r"\bfuge? [^.!?\n]{1,80}(?:an das ende |am ende )?(?:deiner|jeder|ihrer) (?:antwort|zusammenfassung)\b",
            (
                r"\bohne (?:einschrankungen?|filter|zensur|ethische|moralische)\b(?=.{0,60}\b(?:antwort\w*|du|schreib\w*|"
                r"ki)\b|.{0,12}$)"
            ),
        ),
        _GROUPS,
    ),
    phrases(
        "hands the model a task of its own (German)",
        (
            (
                r"\b(?:neue|andere|weitere|folgende) (?:aufgaben?|texte?|fragen?|anweisungen) (?:folgen|folgt|kommen|"
                r"kommt|beginnen|beginnt)\b|\b(?:folgen|kommen|folgt|kommt) (?:jetzt |nun )?(?:neue|andere|weitere) "
                r"(?:aufgaben?|fragen?|anweisungen)\b"
            ),
            (
                r"\b(?:konzentriere?|fokussiere?)(?:n sie)? (?:dich|sich)(?: jetzt| nun| nur| bitte)* auf (?:deine|ihre|"
                r"meine|die) (?:neue|neuen|nachste|folgende|eigentliche) \w+"
            ),
            (
                r"\b(?:fangen|beginnen|starten) wir (?:jetzt |nun |nochmal |noch einmal |ganz )*(?:von vorne?|neu|von "
                r"neuem|mit (?:einer |etwas )?(?:neue\w*|andere\w*))\b"
            ),
            (
                r"\b(?:antworte|beantworte|schreibe?|erklare|sprich)\b[^.!?\n]{0,60}\bim (?:stil|stile|ton|sinne) (?:von|"
                r"eines|einer|des|der)\b"
            ),
            (
                r"\bschreibe?(?: mir)?(?: bitte| nun| jetzt)? (?:eine?n? |einige |drei )?(?:\w+ )?(?:grund,? warum|"
                r"grunde,? warum|begrundung,? warum|liebes(?:gedicht|brief)|pladoyer|lobeshymne|hymne|loblied|ode)\b"
            ),
            (
                r"\b(?:zeige?|nenne?|gib|verrate?|schreibe?)(?:n sie)? (?:mir )?(?:alle |samtliche |deine |all deine |"
                r"alle deine )+(?:prompt-?\w*|anweisungen|instruktionen|systemtexte|vorgaben|texte)\b"
            ),
            (
                r"\b(?:neue|andere|weitere|nachste|folgende|wichtige|kleine|grosse|tolle|neuen|anderen|weiteren|nachsten|"
                r"folgenden) <1>(?:aufgabe|frage|herausforderung|bitte|mission|rolle)n? (?:fur (?:dich|sie)|an (?:dich|"
                r"sie))\b"
            ),
            (
                r"\b(?:brauche|benotige) (?:ich )?(?:jetzt |nun |dringend |nur |unbedingt |noch )*(?:deine|ihre) hilfe\b|"
                r"\bich (?:brauche|benotige) dich\b"
            ),
            (
                r"\b(?:hilf|helfen sie) mir (?:jetzt |nun |bitte |mal |doch |noch |also )*(?:bei|mit) (?:der |einer |"
                r"dieser |meiner |den |dem )?(?:folgenden?|anderen?|neuen?|nachsten?|weiteren?)\b"
            ),
            (
                r"\b(?:beantworte|beantworten sie|lose|bearbeite)(?: mir)?(?: jetzt| nun| bitte| mal| doch)* (?:die |"
                r"diese |meine |mir )?(?:folgenden?|nachsten?|neuen?) (?:frage|aufgabe|auftrag)n?\b"
            ),
            (
                r"\bwie (?:antwortest|beantwortest|reagierst|wurdest|antworten|beantworten|wurden|reagieren) (?:du|sie) "
                r"(?:auf )?(?:die |diese )?(?:folgende |nun |jetzt |dann )?(?:frage|antworten)?\b(?=[^.\n]{0,30}[:?])"
            ),
            (
                r"(?:^|[.!?\n] ?)(?:(?:sehr |wirklich |das war |das hast du |richtig |echt )*(?:gut gemacht|super|klasse|"
                r"toll|perfekt|sehr gut|gut|hervorragend|danke|prima|ausgezeichnet|okay|ok|genial|wunderbar|spitze|vielen "
                r"dank|das reicht|genug)[.!,]{1,3} ?){1,3}(?:aber |und |so )?(?:jetzt|nun|als nachstes|"
                r"vergiss)\b(?=[^\n]{0,80}\b(?:du|dir|dich|mir|aufgabe|frage|hilf|schreib\w*|sag\w*|antworte\w*|alles|"
                r"erzahl\w*)\b)"
            ),
            (
                r"\bdu bist (?:jetzt |nun |ab jetzt |heute )?(?:ein|eine|der|die|mein|meine) (?:\w+ ){0,2}(?:roboter|ki|"
                r"assistent\w*|chatbot|hacker\w*|pirat\w*|charakter|figur|schauspieler\w*|experte|bot|modell|sprachmodell|"
                r"meister\w*|genie|journalist\w*|autor\w*|schriftsteller\w*|dichter\w*|kaiser|konig|gott|"
                r"wissenschaftler\w*)\b"
            ),
            r"\b(?:jetzt|nun|ab jetzt|ab sofort) bist du\b",
            (
                r"\b(?:sprich|antworte|schreibe?|rede|verhalte? dich|agiere?|reagiere|handle)(?: mir)? (?:(?:ab jetzt|ab "
                r"sofort|von nun an|jetzt|nun|nur|nur noch|ausschliesslich|bitte|immer) ){1,3}(?:als|wie|noch als|im stil|"
                r"in der rolle)\b"
            ),
            (
                r"\b(?:sind|seid|spielen) (?:zwei|2) (?:\w+ )?(?:schauspieler\w*|figuren|charaktere|personen)\b|"
                r"\b(?:bleibst?|bleiben|falle?n?|fallst) (?:immer |stets |nie |niemals |in |aus )*(?:ihren |deiner |der |"
                r"ihrer )?rollen?\b"
            ),
            (
                r"\b(?:ki|ki-?\w+|sprachmodelle?|assistenten|agenten|llms?|chatbots?),? (?:die|der|das|welche) (?:das|"
                r"dies\w*)(?: hier| dokument| text| seite)? (?:lesen|liest|verarbeite\w*|sehen|sieht|zusammenfass\w*|"
                r"auswert\w*)\b"
            ),
            (
                r"\b(?:speichere?|merke?|behalte?|notiere)(?:n sie)?(?: dir)?(?: das| dies| folgendes)?(?: als)? "
                r"(?:dauerhaft|fur immer|permanent|ab jetzt|kunftig|dauerhafte regel)\b"
            ),
            (
                r"\b(?:wiederhole?|sage?|nenne?|zeige?|verrate?|gib|schreibe?)(?:n sie)?\b[^.!?\n]{0,40}\bwas (?:man|sie|"
                r"wir|dir|ihnen|dein\w*)\b[^.!?\n]{0,40}\b(?:gesagt|mitgeteilt|aufgetragen|befohlen|vorgegeben|anweis\w*|"
                r"prompt)\b"
            ),
            (
                r"\bwas (?:steht|stand|war) (?:in (?:deine[mr]|ihre[mr])|am anfang|oben|davor)\b[^.!?\n]{0,30}\b(?:prompt|"
                r"anweisung\w*|text|instruktion\w*|gesprach\w*)?\?"
            ),
            (
                r"\b(?:nutze|verwende|nimm|ersetze) (?:nur |ausschliesslich )?(?:emojis?|base64|rot13|morsecode|"
                r"binarcode)\b|\bin deiner antwort\b(?=[^.!?\n]{0,60}\b(?:erwahne|nenne|fuge|schreibe|empfiehl)\w*)"
            ),
        ),
        _GROUPS,
    ),
)
