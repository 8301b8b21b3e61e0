"""Word lists that the text rules share: stop words and negation words by language, short forms (contract 7, 12.7, 12.10).

Data only, in any language the rules know; no function here reads a text. Opposites stand in `antonyms`, units in `measures`.
"""

from __future__ import annotations

from typing import Final

STOP_WORDS: Final[dict[str, frozenset[str]]] = {
    "en": frozenset(
        """a about above after again all also although always am an and another any anybody anyone anything are as at be
        became because been before being below between both but by came can could did do does doing done during each
        either else etc ever every few for from further get gets getting go goes going gone got had has have having he
        her here hers herself him himself his how however i if in into is it its itself just let like lot made make
        makes many may me might mine more most much must my myself of off often on once one ones only onto or other
        our ours ourselves out over own per please quite rather really s same shall she should since so some somebody
        someone something still such than that the their theirs them themselves then there therefore these they this
        those though through thus to too under unless until till up upon whereas although us use used user uses using
        usually very via was we were what when where whether which while who whom whose why will with within would yet
        you your yours yourself let's it's that's i'm we're they're you're he's she's there's i've we've they've
        you've i'd we'd i'll we'll it'll they'll you'll""".split()
    ),
    "de": frozenset(
        """aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim bin bis bist da dabei damit
        dann das dass daß dazu dem den denn der des deshalb dessen die dies diese diesem diesen dieser dieses doch dort du
        durch ein eine einem einen einer eines er erst es etwas euch euer für gegen gewesen hab habe haben hat hatte hatten
        hier ich ihm ihn ihnen ihr ihre ihrem ihren ihrer ihres im immer in ins ist ja jede jedem jeden jeder jedes jetzt
        kann können man mehr mein meine mich mir mit muss müssen nach noch nun nur ob oder sein seine seinem seinen seiner
        seit sich sie sind so soll sollen sollte sondern sowie über um und uns unser unsere unserem unseren unter vom von
        vor war waren warum was weil welche welcher wenn wer werden wie wieder will wir wird wo worden wurde wurden würde
        zu zum zur zwar zwischen""".split()
    ),
    "fr": frozenset(
        """à afin ainsi alors après au aucune aussi autre autres aux avant avec avoir c car ce ceci cela celle celui ces cet
        cette ceux chaque comme d dans de depuis des donc dont du elle elles en encore entre es est et été être eu eux
        faire fait fois il ils j je l la le les leur leurs lors lui là ma mais me mes mon même n nos notre nous on ont ou
        où par parce pendant peu peut plusieurs pour pourquoi puis qu quand que quel quelle quels qui s sa sans se sera
        ses si soit son sont sous sur t ta te tes toi ton tous tout toute toutes tu un une vers voici voilà vos votre vous
        y était étaient""".split()
    ),
    "es": frozenset(
        """a al algo algunos ante antes aquí así aunque cada como con contra cual cuando de del desde donde dos durante e el
        él ella ellas ellos en entre era es esa ese eso esta está estaba están estas este esto estos fue fueron ha había
        han hasta hay la las le les lo los más me mi mientras muy nos nosotros o otra otro otros para pero poco por
        porque pues que qué quien se sea según ser si sí sido sin sobre solo sólo son su sus también tan tanto te tiene
        tienen todo todos tras tu un una unas uno unos usted y ya yo""".split()
    ),
    "it": frozenset(
        """a abbiamo ad agli ai al alla alle allo anche ancora aver avere c che chi ci come con contro cui da dagli dai dal
        dalla dalle dallo degli dei del dell della delle dello di dopo dove e è ed era erano essere fra fino gli ha hanno
        ho i il in io l la le lei li lo loro lui ma me mentre mi mia mio molto ne negli nei nel nell nella nelle nello noi
        nostro o ogni per perché però più poi prima quale quando quanto quella quelle quelli quello questa queste questi
        questo qui se sei si sia siamo siano sono sta stata stati stato su sua sue sugli sui sul sulla sulle suo te ti tra
        tu tutti tutto un una uno vi viene vengono voi""".split()
    ),
    "pt": frozenset(
        """a ainda ao aos após as até cada com como da das de dela dele deles depois do dos durante e é ela elas ele eles em
        entre era eram essa esse esta está estão estas este estes eu foi foram há isso isto já la lhe mais mas me mesmo
        meu minha muito na nas no nos nossa nosso num numa o onde os ou para pela pelas pelo pelos por porque quando que
        quem são se seja sem ser será seu seus só sua suas também te tem têm tinha todo todos tu tudo um uma você vocês
        à às""".split()
    ),
    "nl": frozenset(
        """aan al alle als alles altijd andere ben bij daar dan dat de deze die dit doen door dus een eens en er ga gaan
        ge had heb hebben heeft hem het hier hij hoe hun iemand iets ik in is ja je kan kunnen maar me meer men met mij
        mijn moet moeten na naar nog nu of om omdat ons onze ook op over reeds te tegen toch toen tot u uit uw van veel
        voor want waren was wat we wel werd werden wij wil worden wordt zal ze zelf zich zij zijn zo zonder zou""".split()
    ),
    "ru": frozenset(
        """а без был была были было быть в вам вас весь во вот все всё всех вы где да для до его ее её если есть еще ещё же за
        здесь и из или им их к как ко когда который кто ли либо мне мы на над надо наш него нее неё них но о об однако он
        она они оно от очень перед по под после при про с сам свой себя со так также там те тем то того тоже той только
        том ту ты у уже хотя чего чем что чтобы эта эти это этого этой этот я""".split()
    ),
}
"""Small words that carry no content, by language; negations are not among what the rules throw away (see `NEGATIONS`)."""

NEGATIONS: Final[dict[str, dict[str, str]]] = {
    "en": {
        "not": "not", "no": "no", "never": "never", "cannot": "not", "cant": "not", "without": "without", "nor": "not",
        "neither": "not", "nobody": "no", "none": "no", "nothing": "no", "nowhere": "no", "w/o": "without",
        "unable": "not", "hardly": "not", "scarcely": "not",
        "ain't": "not", "dont": "not", "doesnt": "not", "didnt": "not", "isnt": "not", "arent": "not", "wasnt": "not",
        "werent": "not", "wont": "not", "wouldnt": "not", "shouldnt": "not", "couldnt": "not", "mustnt": "not",
        "hasnt": "not", "havent": "not", "hadnt": "not", "neednt": "not", "mightnt": "not", "shant": "not",
    },
    "de": {
        "nicht": "not", "kein": "no", "keine": "no", "keinem": "no", "keinen": "no", "keiner": "no", "keines": "no",
        "nie": "never", "niemals": "never", "ohne": "without", "nichts": "no", "niemand": "no", "niemandem": "no",
        "weder": "not", "nirgends": "no", "keinesfalls": "not", "keineswegs": "not", "nimmer": "never",
    },
    "fr": {
        "ne": "not", "pas": "not", "jamais": "never", "sans": "without", "aucun": "no", "aucune": "no", "rien": "no",
        "ni": "not", "nul": "no", "nulle": "no", "guère": "not",
    },
    "es": {
        "no": "not", "nunca": "never", "jamás": "never", "sin": "without", "ningún": "no", "ninguna": "no", "ninguno": "no",
        "nada": "no", "nadie": "no", "tampoco": "not", "ni": "not",
    },
    "it": {
        "non": "not", "mai": "never", "senza": "without", "nessun": "no", "nessuna": "no", "nessuno": "no", "niente": "no",
        "nulla": "no", "né": "not", "neanche": "not", "nemmeno": "not",
    },
    "pt": {
        "não": "not", "nunca": "never", "jamais": "never", "sem": "without", "nenhum": "no", "nenhuma": "no", "nada": "no",
        "ninguém": "no", "nem": "not", "tampouco": "not",
    },
    "nl": {
        "niet": "not", "geen": "no", "nooit": "never", "zonder": "without", "niets": "no", "niemand": "no",
        "nergens": "no", "noch": "not",
    },
    "ru": {"не": "not", "нет": "no", "никогда": "never", "без": "without", "нельзя": "not", "никто": "no", "ни": "not"},
}  # fmt: skip
"""Negation word -> its plain form (`not`, `no`, `never`, `without`), by language (contract 12.7)."""

CJK_NEGATIONS: Final[dict[str, str]] = {
    "没有": "no", "沒有": "no", "不再": "no longer", "从不": "never", "從不": "never", "禁止": "not", "不": "not", "没": "not",
    "沒": "not", "無": "without", "无": "without", "勿": "not", "未": "not", "别": "not", "別": "not", "ないで": "not",
    "なかっ": "not", "なく": "not", "なけれ": "not", "ない": "not", "ません": "not", "ずに": "without",
}  # fmt: skip
"""Negations of scripts without spaces, longest first where one holds another (contract 12.7)."""

CJK_POSITIVE: Final[tuple[str, ...]] = tuple(
    """不同 不过 不過 不仅 不僅 不但 不断 不斷 不久 不足 不少 无论 無論 未来 未來 特别 特別 个别 级别 別名 别名 区别
    類別 类别 分别 分別 差别 差別 识别 識別 性别 無線 无线 少ない 少なく しかない なければなら なくてはなら ないと
    かもしれません かもしれない 未満 未满 無料 不要紧""".split()
)
"""Words that hold the sign of a negation and deny nothing."""

ALIASES: Final[dict[str, str]] = {
    "repo": "repository", "repos": "repository", "config": "configuration", "configs": "configuration", "db": "database",
    "dbs": "database", "docs": "documentation", "doc": "documentation", "prod": "production", "env": "environment",
    "envs": "environment", "k8s": "kubernetes", "app": "application", "apps": "application", "auth": "authentication",
    "postgres": "postgresql", "pg": "postgresql", "mongo": "mongodb", "js": "javascript", "ts": "typescript",
    "dev": "developer", "devs": "developer", "admin": "administrator", "admins": "administrator", "msg": "message",
    "msgs": "message", "info": "information", "sync": "synchronise", "synced": "synchronise", "syncs": "synchronise",
    "synchronize": "synchronise", "synchronized": "synchronise", "synchronizes": "synchronise", "temp": "temporary",
    "max": "maximum", "min": "minimum", "param": "parameter", "params": "parameter", "dir": "directory",
    "dirs": "directory", "lib": "library", "libs": "library", "pkg": "package", "pkgs": "package", "pw": "password",
    "passwd": "password", "cert": "certificate", "certs": "certificate", "colour": "color", "colours": "color",
    "e-mail": "email", "e-mails": "email", "mail": "email", "mails": "email", "behaviour": "behavior", "licence": "license",
    "centre": "center", "catalogue": "catalog", "cancelled": "canceled", "fulfil": "fulfill", "grey": "gray",
    "organisation": "organization", "organise": "organize", "normalise": "normalize", "initialise": "initialize",
    "serialise": "serialize", "authorise": "authorize", "customise": "customize", "optimise": "optimize",
    "ran": "run", "sent": "send", "kept": "keep", "held": "hold", "wrote": "write", "written": "write", "built": "build",
    "began": "begin", "begun": "begin", "chosen": "choose", "chose": "choose", "taken": "take", "took": "take",
    "given": "give", "gave": "give", "told": "tell", "said": "say", "paid": "pay", "broken": "break", "broke": "break",
    "drawn": "draw", "shown": "show", "drove": "drive", "driven": "drive", "stored": "store", "left": "leave", "lost": "lose",
    "met": "meet", "bought": "buy", "brought": "bring", "found": "find", "hidden": "hide", "forbidden": "forbid",
    "froze": "freeze", "frozen": "freeze", "stopped": "stop", "people": "person", "children": "child", "men": "man",
    "women": "woman", "kid": "child", "kids": "child", "guy": "man", "guys": "man", "lady": "woman", "ladies": "woman",
    "bike": "bicycle", "bikes": "bicycle", "motorbike": "motorcycle", "motorbikes": "motorcycle", "photo": "photograph",
    "photos": "photograph", "phone": "telephone", "phones": "telephone", "tv": "television", "lorry": "truck", "sofa": "couch",
    "mom": "mother", "mum": "mother", "dad": "father",
    "rose": "rise", "risen": "rise", "fell": "fall", "fallen": "fall", "grew": "grow", "grown": "grow", "sank": "sink",
    "sunk": "sink", "won": "win", "sold": "sell", "sat": "sit", "stood": "stand", "slept": "sleep", "taught": "teach",
    "caught": "catch", "ate": "eat", "eaten": "eat", "drank": "drink", "swam": "swim", "flew": "fly", "flown": "fly",
    "threw": "throw", "thrown": "throw", "drew": "draw", "knew": "know", "known": "know", "sang": "sing", "sung": "sing",
    "led": "lead", "fed": "feed", "spent": "spend", "lent": "lend", "heard": "hear", "meant": "mean", "woke": "wake",
    "wore": "wear", "worn": "wear", "rode": "ride", "ridden": "ride", "stole": "steal", "stolen": "steal", "shook": "shake",
    "spoke": "speak", "spoken": "speak", "hung": "hang", "dug": "dig", "fought": "fight", "sought": "seek", "bound": "bind",
    "shot": "shoot", "struck": "strike", "swept": "sweep", "thought": "think", "understood": "understand",
}  # fmt: skip
"""Short forms, spellings and strong verb forms -> the form that is stemmed."""

GENERIC_TAGS: Final[frozenset[str]] = frozenset(
    """workflow preference convention architecture avoid_pattern prefer_pattern testing correction tool supersede supersedes
    capture memory note general release documentation implementation""".split()
)
"""Tags that name no topic (contract 12.10)."""
