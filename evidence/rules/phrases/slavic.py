"""Instruction-like text in Slavic languages (contract 9, 12.15); written for folded text: й is и, accents are gone.

Polish, Czech, Slovak, Croatian, Serbian, Bosnian, Slovene, Russian, Ukrainian, Bulgarian.
"""

from __future__ import annotations

from evidence.rules.phrases.phrase import Phrase, phrases

_LATIN = {
    "drop": (
        r"zignoruj\w*|ignoruj\w*|zapomnij(?: o)?|pomin|odrzuc|zapomen\w*|zabudni\w*|zanemari(?:te)?|"
        r"zaboravi(?:te)?|ignorisi(?:te)?|ignoriraj(?:te)?|pozabi|prezri|odbaci(?:te)?|nie (?:przestrzegaj|stosuj "
        r"sie do)|neber na vedomi|ne postuj|zaobidi|zaobiđi|obejdi"
    ),
    "told": (
        r"instrukcj\w+|polece\w+|zasad\w*|wytyczn\w+|regul\w*|instrukc\w+|pokyn\w*|pravidl\w*|prikaz\w*|uput\w+|"
        r"instrukcij\w+|pravil\w*|naredb\w+|smjernic\w+|naput\w+|navodil\w*|smernic\w*|ogranicz\w+|ogranicenj\w*|"
        r"prompt\w*"
    ),
    "person": r"uzytkownik\w+|uzivatel\w*|pouzivatel\w*|korisnik\w*|uporabnik\w*|nikomu|czlowiek\w*|recenzent\w*",
}
_CYRILLIC = {
    "drop": (
        r"игнорир\w+|проигнорир\w+|забуд\w+|пренебре\w+|ігнору\w+|проігнору\w+|не следу\w+|не обраща\w+ "
        r"внимани\w+ на|отбрось\w*|не зважа\w+ на|заборави|игнорираи\w*|занемари\w*"
    ),
    "told": (
        r"инструкци\w+|указани\w+|правил\w*|команд\w*|приказ\w*|інструкці\w+|вказів\w+|сообщени\w+|запрос\w*|"
        r"директив\w+|ограничени\w+|обмежен\w+|упутств\w+|настроик\w*|промпт\w*"
    ),
    "person": r"пользовател\w+|человек\w*|никому|користувач\w+|нікому|проверяющ\w+|кориснику",
}

SLAVIC: tuple[Phrase, ...] = (
    phrases(
        "asks to set earlier instructions aside (Slavic)",
        (
            r"\b{drop} <4>(?:{told})\b",
            (
                r"\b(?:zanemari|zaboravi|ignorisi|ignoriraj|ignoruj|ignorujte|zapomen|zabudni)(?:te)? <3>(?:prethodn\w+|"
                r"ranij\w+|predchoz\w+|predchadzajuc\w+|vsechn\w+)\b"
            ),
            r"\b{drop} (?:wszystko|vse|vsechno|vsetko|sve|sva)(?: to)?,? (?:co|o czym|sto|što|kar|so|ce)\b",
        ),
        _LATIN,
    ),
    phrases(
        "gives the model another role or asks for its prompt (Slavic)",
        (
            (
                r"\bjestes teraz\b|\bod teraz (?:jestes|bedziesz|odpowiadasz|mozesz|musisz)\b|\bod (?:sada|sad|zdaj|ted|"
                r"teraz) (?:si|jsi|nadalje)\b"
            ),
            (
                r"\b(?:udawaj|zachowuj sie|pretvaraj(?:te)? se|ponasaj(?:te)? se|predstiraj|delaj se|predstavljaj si|"
                r"glumi|prav se),? <1>(?:ze|jak|jakby|da|kao|kot|jako|ako)\b"
            ),
            (
                r"\b(?:pokaz|ujawnij|wyswietl|podaj|powtorz|zdradz|prikazi|pokazi|otkrij|ponovi|ispisi|razkrij|ukaz|"
                r"zobraz|prozrad|zopakuj|prevedi)(?:te)?(?: mi)? <2>(?:swoj\w*|twoj\w*|svoj\w*|tvoj\w*|systemow\w+|"
                r"sustavn\w+|sistemsk\w+|svuj|tvuj) <1>(?:prompt\w*|instrukcj\w+|upute|uputstva|instrukcije|navodila|"
                r"pokyny|instrukce)"
            ),
            (
                r"\b(?:bez|brez) (?:zadnych |ikakvih |jakychkoli |kakrsnih\w* )?(?:ograniczen|ogranicenja|omezeni|"
                r"obmedzeni|omejitev|filtrow|filtera|filtru)\b(?=.{0,60}\b(?:odpow\w+|odgov\w+|odpov\w+|ai)\b|.{0,6}$)"
            ),
        ),
        _LATIN,
    ),
    phrases(
        "asks for silence or a blind approval (Slavic)",
        (
            (
                r"\b(?:nie|ne) (?:mow|informuj|wspominaj|zdradzaj|govori|reci|spominj\w*|rikej|rekni|hovor|povej|"
                r"obavjestavaj|obavestavaj)\w* <3>(?:{person})\b"
            ),
            (
                r"\b(?:zatwierdz|zaakceptuj|odobri|prihvati|schval|prijmi|potvrdi|odobri)(?:te)? (?:wszystk\w+|kazd\w+|"
                r"sve|svaki|svaku|vsechn\w+|kazd\w+|vse)\b"
            ),
            (
                r"\b(?:oznacz|oznaci|oznac)(?:te)? <3>(?:jako|kao|kot) (?:zatwierdzon\w+|zweryfikowan\w+|odobren\w*|"
                r"provjeren\w*|proveren\w*|schvalen\w+|overen\w+|potrjen\w*)"
            ),
            (
                r"\b(?:jesli jestes|ako si|pokud jsi|ce si|ak si) <1>(?:ai|asystent\w*|asistent\w*|agent\w*|modelem|"
                r"jezicni model|model)\b"
            ),
            (
                r"\b(?:uwaga|wiadomosc|notatka|napomena|poruka|biljeska|zprava|poznamka) (?:dla|za|pro) <1>(?:ai|"
                r"asystent\w*|asistent\w*|agent\w*|model\w*) ?[:,-]"
            ),
            r"\b(?:zapamietaj|zapamti|zapamatuj si) <2>(?:na zawsze|zauvijek|zauvek|navzdy|trajno)\b",
            (
                r"\b(?:jako|kao|kot) (?:administrator\w*|dyrektor\w*|direktor\w*)[^.!?\n]{0,30}(?:zatwierdzam|potwierdzam|"
                r"odobravam|potvrdujem|potvrđujem|nareduj\w*|nalazem|schvaluji)\b"
            ),
        ),
        _LATIN,
    ),
    phrases(
        "asks to set earlier instructions aside (Russian, Ukrainian, Bulgarian, Serbian)",
        (
            r"\b(?:{drop}) <4>(?:{told})\b",
            r"\b(?:забуд\w+|забудь) (?:все|всё|усе|про все|обо всем|обо всём),? (?:что|о чем|о чём|що|про що)\b",
            r"\b(?:нов\w+|важн\w+|важлив\w+) (?:инструкци\w+|інструкці\w+|указани\w+|задани\w+) ?:",
        ),
        _CYRILLIC,
    ),
    phrases(
        "gives the model another role or asks for its prompt (Russian, Ukrainian, Bulgarian, Serbian)",
        (
            (
                r"\b(?:теперь ты|ты теперь|отныне ты|с этого момента ты|тепер ти|віднині ти) (?:—|-|являешься|будешь|"
                r"деиствуешь|отвечаешь|играешь|не\b|мои\b|моя\b|больше не|злои|свободн\w+|администратор\w*|пират\w*|"
                r"хакер\w*|dan\b|ии\b|модель|робот\w*|\w+ (?:без|которы\w+|по имени)|мии\b|адміністратор\w*|відповідаєш|"
                r"без)"
            ),
            (
                r"\b(?:раскро\w+|покаж\w+|повтори\w*|выведи\w*|напиши\w*|назови\w*|розкри\w+|виведи\w*) <3>(?:системн\w+ "
                r"(?:промпт\w*|сообщени\w+|инструкци\w+|запрос\w*|підказк\w*)|сво[ийяюе]\w* <1>(?:инструкци\w+|промпт\w*|"
                r"інструкці\w+|правила))"
            ),
            (
                r"\b(?:притвори\w+|представь\w*,? что ты|веди себя,? (?:как|будто)|деиствуи,? как|сделаи вид,? что|"
                r"удаваи,? що|прикинься|претвараи се|говори,? как будто)\b"
            ),
            (
                r"\bбез (?:каких-либо |всяких |любых |будь-яких )?(?:ограничени\w+|цензур\w+|фильтров|"
                r"обмежень)\b(?=.{0,60}\b(?:отве\w+|ты|ии|відпов\w+)\b|.{0,6}$)"
            ),
        ),
        _CYRILLIC,
    ),
    phrases(
        "asks for silence or a blind approval (Russian, Ukrainian, Bulgarian, Serbian)",
        (
            r"\bне (?:говори|сообщаи|рассказываи|упоминаи|раскрываи|кажи|повідомляи|розповідаи)\w* <3>(?:{person})\b",
            (
                r"\b(?:одобри|одобряи|утверди|подтверди|прими|схвали|затверди)\w* (?:все|всё|каждую|каждыи|любые|любую|"
                r"усі|всі) <2>(?:предложени\w+|запрос\w*|заявк\w+|запис\w+|пропозиці\w+|запити)\b"
            ),
            (
                r"\bесли ты (?:ии|ассистент|агент|модель|языковая модель|нейросеть|неиросеть)\b|\bякщо ти (?:ші|асистент|"
                r"агент|модель)\b"
            ),
            (
                r"\b(?:примечание|сообщение|инструкция|внимание) для (?:ии|ассистент\w+|агент\w+|модел\w+|неиросет\w+) "
                r"?[:,-]"
            ),
            (
                r"\bкак (?:администратор|директор|руководитель)[^.!?\n]{0,30}(?:разрешаю|одобряю|подтверждаю|"
                r"приказываю)\b"
            ),
            r"\b(?:запомни|сохрани) <2>(?:навсегда|навечно|постоянно)\b",
        ),
        _CYRILLIC,
    ),
)
