"""Instruction-like text in further languages (contract 9, 12.15): overrides, new roles, prompt requests, silence.

Turkish, Hungarian, Finnish, Indonesian, Vietnamese, Greek, Albanian, Irish, Scottish Gaelic, Zulu, Swahili. Written for folded
text: without accents, the dotless i as it is.
"""

from __future__ import annotations

from evidence.rules.phrases.phrase import Phrase, phrases

OTHERS: tuple[Phrase, ...] = (
    phrases(
        "asks to set earlier instructions aside",
        (
            (
                r"\b(?:onceki|tum|butun|yukar[iı]daki|mevcut) <3>(?:talimat\w*|kural\w*|komut\w*|yonerge\w*|istem\w*) "
                r"<2>(?:yok say|unut|gormezden gel|dikkate alma|goz ard[iı] et|iptal)"
            ),
            r"\b(?:talimatlar[iı]|kurallar[iı]|komutlar[iı]) <2>(?:yok say|unut|gormezden gel|dikkate alma)",
            r"\b(?:abaikan|lupakan|hiraukan) <3>(?:instruksi|perintah|aturan|petunjuk|arahan)\b",
            r"\b(?:ohita|unohda) <3>(?:ohjeet|saannot|kaskyt|ohjeita|ohjeesi)\b",
            (
                r"\bbo qua <3>(?:huong dan|chi thi|lenh|quy tac|chi dan)\b|\b(?:quen|lam ngo) <3>(?:huong dan|chi thi|quy "
                r"tac) (?:truoc|tren)\b"
            ),
            (
                r"\b(?:hagyd figyelmen kivul|felejtsd el|ne vedd figyelembe|hagyd) <4>(?:utasitas\w*|szabaly\w*|"
                r"elozo\w*)\b"
            ),
            r"\b(?:αγνοησε|ξεχασε|παραβλεψε|αγνοηστε) <4>(?:οδηγι\w+|εντολ\w+|κανον\w+)\b",
            r"\b(?:injoro|harro|shperfill) <4>(?:udhezime\w*|instruksione\w*|rregulla\w*)\b|\budhezime te reja\b",
            (
                r"\b(?:dean neamhaird|dean dearmad|na bac)\b[^.!?\n]{0,40}\b(?:treorach\w*|treoir\w*|rialach\w*)\b|"
                r"\btreoracha nua\b"
            ),
            (
                r"\b(?:leig seachad|na gabh suim|diochuimhnich)\b[^.!?\n]{0,40}\b(?:stiuiri\w*|riaghail\w*|ordugh\w*)\b|"
                r"\bstiuiri\w* ur\b"
            ),
            r"\b(?:ziba|khohlwa|ungalandeli)\b[^.!?\n]{0,40}\b(?:imiyalelo|imithetho)\b|\bimiyalelo emisha\b",
            r"\b(?:puuza|sahau|usifuate)\b[^.!?\n]{0,40}\b(?:maagizo|maelekezo|sheria)\b",
        ),
    ),
    phrases(
        "gives the model another role or asks for its prompt",
        (
            (
                r"\b(?:art[iı]k|simdi|bundan sonra|bundan boyle) (?:sen|bir|sana|kurals[iı]z|yan[iı]t|cevap)\b|\b(?:kural|"
                r"s[iı]n[iı]rlama|k[iı]s[iı]tlama)\w* (?:yokmus|olmayan)\b|\bgibi (?:davran|rol yap)\b"
            ),
            (
                r"\bsistem (?:istem\w*|komut\w*|mesaj\w*|talimat\w*|prompt\w*)[^.!?\n]{0,20}(?:goster|yazd[iı]r|acıkla|"
                r"soyle|tekrarla|paylas)"
            ),
            (
                r"\b(?:kamu|anda) (?:sekarang )?(?:adalah|berperan|tidak (?:punya|memiliki) batasan)\b|\b(?:berpura-pura|"
                r"bertindak)(?:lah)? (?:seolah|sebagai|menjadi)\b|\b(?:tampilkan|tunjukkan|ungkapkan|ulangi) <2>(?:prompt|"
                r"instruksi) (?:sistem|awal)\w*"
            ),
            (
                r"\bpaljasta <2>(?:jarjestelmakehote\w*|ohjee\w*)|\bteeskentele (?:olevasi|etta)\b|\bolet nyt\b(?! "
                r"(?:vuorossa|mukana))"
            ),
            (
                r"\b(?:gia vo|hay dong vai|tu bay gio ban|bay gio ban la)\b|\b(?:hien thi|tiet lo|cho toi xem) <2>(?:loi "
                r"nhac|prompt|huong dan) he thong\b"
            ),
            (
                r"\b(?:mutasd|ird ki|fedd fel) <3>(?:rendszeruzenet\w*|rendszerprompt\w*|utasitasai\w*)|\btegyel ugy,? "
                r"mintha\b|\bmostantol te\b"
            ),
            (
                r"\b(?:δειξε|αποκαλυψε|επαναλαβε) <3>(?:προτροπη|οδηγι\w+|μηνυμα) (?:του |σου|συστηματοσ)|\bπροσποιησου\b|"
                r"\bαπο εδω και περα εισαι\b"
            ),
            (
                r"\b(?:perserit|shfaq|ngjit|trego)\b[^.!?\n]{0,40}\b(?:kerkes\w+|mesazh\w+|"
                r"udhezime\w*)\b[^.!?\n]{0,20}\b(?:sistemit|fillestare|tua|tende)\b|\bshtir\w* sikur\b"
            ),
            (
                r"\b(?:teachtaireacht|theachtaireacht) chorais\b|\bteachdaireachd siostam\w*\b|\b(?:umyalezo|ngesethingi|"
                r"isethingi)\w* (?:wakho )?(?:we)?sistimu\b|\bwombhalo wesistimu\b|\bujumbe wa mfumo\b"
            ),
            (
                r"\b(?:unike|uathuil|sonraichte|eyingqayizivele)\b[^.!?\n]{0,30}\b(?:id|base64)\b|\bid\w?[- ](?:ne "
                r")?(?:tende|yakho|sonraichte)\b|\buimhir aitheantais\b"
            ),
        ),
    ),
    phrases(
        "asks for silence or a blind approval",
        (
            (
                r"\bkullan[iı]c[iı]ya <3>(?:soyleme|bildirme|bahsetme|anlatma)\b|\b(?:tum|butun|her) <2>(?:onerileri|"
                r"istekleri|talepleri) onayla\b"
            ),
            (
                r"\b(?:jangan|tidak usah) (?:beri ?tahu|katakan|sebutkan|ungkapkan) <2>(?:pengguna|siapa pun)\b|\bsetujui "
                r"(?:semua|setiap)\b"
            ),
            r"\bala kerro <2>(?:kayttajalle|kenellekaan)\b|\bhyvaksy kaikki\b",
            r"\b(?:dung|khong) (?:noi|tiet lo|cho)\b[^.!?\n]{0,20}\bnguoi dung\b|\bphe duyet tat ca\b",
            r"\bne (?:mondd el|szolj|emlitsd)\b[^.!?\n]{0,24}\bfelhasznalo\w*\b|\bhagyj jova minden\w*\b",
            r"\bμην? (?:πεισ|αναφερεισ|ενημερωσεισ)\b[^.!?\n]{0,30}\bχρηστη\b|\bεγκρινε (?:ολεσ|ολα|καθε)\b",
        ),
    ),
)
