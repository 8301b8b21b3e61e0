"""Instruction-like text in other languages than English: the same concerns, fewer turns of phrase.

Written for folded text: without accents and umlauts (ä is a, ß is ss, й is и). German, French and Spanish in some depth,
the override and role phrases of a dozen more.
"""

from __future__ import annotations

from evidence.rules.phrases.phrase import Phrase, phrases

_DE = {
    "drop": r"ignorier(?:e|en|t|st)?|vergiss|vergesst|vergessen|missachte(?:n|t)?|uebergeh(?:e|en)|ubergeh(?:e|en)|verwirf|umgeh(?:e|en)|beachte(?:n)? nicht|befolge(?:n)? nicht|hor(?:e)? auf",
    "prior": r"vorherigen?|vorigen?|bisherigen?|fruheren?|obigen?|vorangegangenen?|vorstehenden?|ursprunglichen?|anfanglichen?|urspruenglichen?|frueheren?|oben genannten|letzten|zuvor gegebenen|davor",
    "told": r"anweisung(?:en)?|instruktion(?:en)?|regel(?:n)?|vorgabe(?:n)?|befehl(?:e|en)?|auftrag|auftrage|aufgabe(?:n)?|prompts?|richtlinie(?:n)?|anordnung(?:en)?|systemprompt|eingabe(?:n)?|kontext|texte?",
    "person": r"nutzern?|benutzern?|nutzer(?:in(?:nen)?)?|anwendern?|anwender|menschen?|kunden?|prufern?|prufer|person(?:en)?|niemandem|administrator",
    "model": r"ki|assistenten?|agenten?|chatbot|bot|sprachmodell|modell|ki-?assistenten?|ki-?agenten?|ki-?modelle?",
}

GERMAN: tuple[Phrase, ...] = (
    phrases(
        "asks to set earlier instructions aside (German)",
        "ignorier|vergiss|vergess|missacht|bergeh|verwirf|umgeh|beacht|befolg|hor|keine |anweisung|instruktion|systemhinweis|aufgabe",
        (
            r"\b{drop}(?: sie)?(?: jetzt| nun| bitte| also| einfach)* <2>(?:{prior} )+<1>{told}\b",
            r"\b{drop}(?: sie)?(?: jetzt| nun| bitte)* (?:alle|alles|samtliche|jede|jegliche) <1>(?:deine |ihre |meine |die )?{told}\b",
            r"\b{drop}(?: sie)? <1>(?:deine|ihre|eure) <2>{told}\b",
            r"\b(?:hast|habe|haben|befolgst|kennst|brauchst) (?:du |sie )?(?:ab jetzt |jetzt |nun )?keine (?:regeln|richtlinien|einschrankungen|grenzen|filter|vorgaben|ethischen|moralischen)\b",
            r"(?:^|\n|[.!*#] ?)(?:neue|wichtige|aktuelle|geheime) (?:wichtige )?(?:anweisung(?:en)?|instruktion(?:en)?|systemanweisung(?:en)?|aufgabe|befehle?) ?:",
            r"\bsystemhinweis ?:",
            r"\b{drop}(?: sie)?(?: jetzt| nun| bitte)* (?:alles|alle|was|das)(?:,)? (?:was )?(?:wir|ich|du|sie|dir|ihnen|davor|zuvor|vorher|bisher|oben|bis jetzt|obige|vorherige|gesagt|weisst|wissen)\b",
        ),
        _DE,
    ),
    phrases(
        "gives the model another role (German)",
        "du bist|sie sind|ab jetzt|ab sofort|von nun an|tu so|stell dir|stellen sie|agier|verhalt|rolle|gib vor|antworte|deine neue|ihre neue",
        (
            r"\b(?:du bist|sie sind) (?:jetzt|nun|ab jetzt|ab sofort|nicht mehr|von nun an) (?:ein|eine|der|die|das|kein|keine|im|mein|frei|dan|nicht|uneingeschrankt|unzensiert)\b",
            r"\b(?:ab jetzt|ab sofort|von nun an|von jetzt an) (?:bist|wirst|antwortest|musst|sollst|darfst|kannst|heisst|agierst|verhaltst|bin|sind) (?:du|sie)\b",
            r"\btu(?:e)? so,? als\b", r"\bstell(?:en)?(?: sie)? (?:dir|sich)(?: mal)? vor,? (?:du|sie|dass du)\b",
            r"\b(?:agiere?|verhalte dich|antworte|handle|schreibe?|sprich)(?: nur| ausschliesslich| jetzt)* (?:wie|als) (?:ein|eine|der|die|ware|wurde|dan|mein|wenn)\b",
            r"\b(?:spiele?|ubernimm|nimm|uebernimm) <1>(?:die )?rolle (?:eines|einer|des|der|von|als)\b",
            r"\b(?:ich mochte|ich will|ich moechte),? dass (?:du|sie) <3>(?:spielst|agierst|verhaltst|handelst|fungierst|bist|antwortest|agieren|vergisst)\b",
            r"\bgib vor,? (?:ein|eine|du|zu sein)\b", r"\b(?:deine|ihre) (?:neue|neuen|wahre|eigentliche|einzige) (?:rolle|aufgabe|anweisung(?:en)?|identitat|instruktion(?:en)?)\b",
        ),
        _DE,
    ),
    phrases(
        "asks for the model's prompt (German)",
        "prompt|anweisung|instruktion|oben|systemnachricht|passwort|vorgaben",
        (
            r"\b(?:zeige?|nenne?|gib|verrate?|wiederhole?|schreibe?|sage?|drucke?|teile?|was (?:ist|war|waren|sind|steht)|wie (?:lautet|lauten|lautete|war)|ubersetze?|fasse?|offenbare?|kopiere?)(?: sie)?(?: mir| bitte| uns)* <4>(?:dein(?:e[nrms]?)?|ihre?[nrms]?|urspruengliche[nrs]?|ursprungliche[nrs]?|exakte[nrs]?|der|den|die|das|obige[nrs]?|letzten?|alle) <2>(?:system ?-?prompt|prompts?|systemanweisung(?:en)?|anweisung(?:en)?|instruktion(?:en)?|systemnachricht|vorgaben|passwort|ersten? (?:satz|satze|anweisung))\b(?! (?:im|in der|auf|fur|zur|zum) )",
        ),
        _DE,
    ),
    phrases(
        "asks for silence or a blind approval (German)",
        "nicht|nichts|ohne|genehmig|freig|geheim|niemand|akzeptier|markier",
        (
            r"\b(?:sage?|erzahle?|verrate?|informiere?|melde?|benachrichtige?)(?: sie)? (?:es |das |dies |davon )?(?:dem |den |der |keinem |niemandem )?(?:{person})? ?(?:nichts|nicht|kein wort)(?: davon| von dieser| uber diese| hiervon)\b",
            r"\b(?:sage?|erzahle?|verrate?|informiere?)(?: sie)? (?:dem|den|der|einem|keinem) {person} (?:nichts|nicht|kein wort)\b",
            r"\b(?:genehmige?|erstatte?|losche?|uberweise?|sende?|fuhre?|erteile?|akzeptiere?|bestatige?|zahle?)(?:n sie)? [^.!?\n]{0,60}?(?:ohne (?:einen |den |die |jede )?(?:{person}|ruckfrage|nachzufragen|nachfrage|zu fragen|prufung|freigabe)|(?:und )?frage?(?:n sie)? (?:keinen?|nicht|niemanden|keine) ?(?:{person}|nach)?)",
            r"\b(?:genehmige?|akzeptiere?|bestatige?|gib)(?: sie)? (?:alle|alles|jede[nrs]?|jeglichen?|samtliche) <2>(?:vorschlage?|eintrage?|antrage?|wartenden|offenen|anfragen?|erinnerungen|fakten|frei)\b",
            r"\bmarkiere?(?: sie)? (?:diese[nrs]?|alle|jede[nrs]?) <2>als (?:genehmigt|gepruft|vertrauenswurdig|bestatigt|freigegeben|sicher)\b",
        ),
        _DE,
    ),
    phrases(
        "speaks to the model (German)",
        "hinweis|nachricht|anweisung|achtung|wenn du|als ki|merke|antwort",
        (
            r"\b(?:hinweis|nachricht|anweisung|achtung|notiz|wichtig)(?: an| fur)? (?:den |die |das |alle )?{model} ?[:!-]",
            r"\bwenn du (?:ein|eine) (?:ki|sprachmodell|assistent|ki-assistent|ki-agent|agent|llm)\b",
            r"\bals (?:ki|sprachmodell|ki-assistent|ki-agent) (?:musst|sollst|darfst|wirst|kannst) du\b",
            r"\bmerke dir (?:das |dies |folgendes )?(?:fur immer|dauerhaft|ab jetzt|fur alle)\b",
            r"\b(?:antworte|sage?|behaupte|erklare)(?: sie)?(?: ab jetzt| immer| stets| nur| ausschliesslich)+ ?(?:mit|,? dass)\b",
            r"\bfuge? [^.!?\n]{1,80}(?:an das ende |am ende )?(?:deiner|jeder|ihrer) (?:antwort|zusammenfassung)\b",
            r"\bohne (?:einschrankungen?|filter|zensur|ethische|moralische)\b(?=.{0,60}\b(?:antwort\w*|du|schreib\w*|ki)\b|.{0,12}$)",
        ),
        _DE,
    ),
)

_FR = {
    "drop": r"ignore[zr]?|ignorer|oublie[zr]?|oublier|neglige[zr]?|ne (?:tiens|tenez|tenir) (?:pas|plus) compte (?:de|des|du)|ne (?:suis|suivez|respecte[zr]?) (?:pas|plus)|fais abstraction|faites abstraction|contourne[zr]?|passe outre|passez outre|arrete[zr]? de suivre|fais fi|faites fi",
    "told": r"instructions?|consignes?|regles?|directives?|ordres?|commandes?|prompts?|indications?|contraintes?|restrictions?|messages?|taches?",
    "person": r"utilisateurs?|utilisatrices?|humains?|personnes?|quiconque|client(?:e|s)?|relecteurs?|reviseurs?|administrateurs?",
    "model": r"ia|l'ia|assistants?|l'assistant|agents?|l'agent|modeles?|chatbot|robot|bot|au modele",
}

FRENCH: tuple[Phrase, ...] = (
    phrases(
        "asks to set earlier instructions aside (French)",
        "ignor|oubli|neglig|compte|suis|suivez|respect|abstraction|contourn|outre|arrete|fais fi|faites fi",
        (
            r"\b{drop}(?: de| des| du| donc| maintenant)* <3>{told} (?:\w+ )?(?:precedentes?|precedents?|anterieures?|anterieurs?|ci-dessus|initiales?|donnees?|plus haut|d'avant|d'origine|recues?|de securite|systeme)\b",
            r"\b{drop}(?: de| des| du)* (?:toutes?|tous|l'ensemble de|l'ensemble des|tes|vos) (?:les |tes |vos |mes |ces |de |des )*(?:precedentes? |anciennes? |autres )?{told}\b(?! (?:de|du|des|dans|sur) )",
            r"\b{drop} (?:tout )?(?:ce qui precede|ce que|tout ce qui|tout ce que|ce qui a ete|ce qu'on|ce texte)\b",
        ),
        _FR,
    ),
    phrases(
        "gives the model another role (French)",
        "tu es|vous etes|a partir de|desormais|dorenavant|fais comme|faites comme|agis|comporte|joue|imagine|fais semblant|nouveau|nouvelle",
        (
            r"\b(?:tu es|vous etes) (?:maintenant|desormais|dorenavant|a present) (?:un|une|le|la|en|mon|libre|l'|dan|administrateur)\b",
            r"\b(?:a partir de maintenant|desormais|dorenavant|a compter de maintenant),? (?:tu|vous) (?:es|etes|dois|devez|vas|allez|reponds|repondez|agis|agissez|peux|pouvez|ne)\b",
            r"\b(?:fais|faites) (?:comme si|semblant)\b(?= (?:tu|vous|d'etre|que tu|que vous))",
            r"\b(?:agis|agissez|comporte-toi|comportez-vous|reponds|repondez) (?:maintenant |seulement )?(?:comme|en tant que?) (?:si|un|une|mon|le|la|qu'|dan)\b",
            r"\bjoue[zr]? le role\b", r"\b(?:imagine|imaginez) que (?:tu|vous)\b",
            r"\b(?:ta|votre|tes|vos|ton) (?:nouvelles?|nouveau|veritable|vraie|seule) (?:role|tache|instructions?|mission|identite|consignes?)\b",
        ),
        _FR,
    ),
    phrases(
        "asks for the model's prompt (French)",
        "prompt|instruct|consigne|message systeme|mot de passe",
        (
            r"\b(?:revele|montre|affiche|repete|donne|ecris|imprime|cite|partage|devoile|dis|recite|resume|traduis|quel(?:le)?s? (?:est|sont|etait|etaient))[zr]?(?:-moi|-nous| moi)? <3>(?:ton|ta|tes|votre|vos|le|les|l'integralite de tes) <2>(?:prompt|instructions?|consignes?|message systeme|mot de passe|invite systeme)\b(?! (?:de|du|des|pour|dans) (?!systeme|depart))",
        ),
        _FR,
    ),
    phrases(
        "asks for silence or a blind approval (French)",
        "ne |sans |approuv|valide|accepte|secret|cache",
        (
            r"\b(?:n'en |ne le |ne |n')(?:dis|dites|parle|parlez|mentionne|mentionnez|revele|revelez|informe|informez|previens|prevenez|avertis|avertissez) (?:rien|pas|jamais|a personne)[^.!?\n]{0,30}\b(?:a |aux |l'|les |l |de cette |ce |cette )?(?:{person}|a personne|cette note|ce message)\b",
            r"\b(?:approuve|accepte|valide|envoie|supprime|rembourse|transfere|execute|paie)[zr]? [^.!?\n]{0,60}?sans (?:demander|prevenir|informer|consulter|confirmation|en parler|verification|validation|l'accord)\b",
            r"\b(?:approuve|accepte|valide)[zr]? (?:toutes?|tous|tout|chaque) <2>(?:propositions?|demandes?|entrees?|requetes?|elements?|en attente|souvenirs?)\b",
            r"\b(?:marque|considere)[zr]? (?:cette|ce|ces|toutes?|chaque) <2>comme (?:approuvee?s?|verifiee?s?|fiables?|validee?s?|sures?)\b",
        ),
        _FR,
    ),
    phrases(
        "speaks to the model (French)",
        "note|message|instruction|attention|si tu|si vous|en tant qu|souviens|reponds|repondez|termine|ajoute|sans restriction|sans filtre",
        (
            r"\b(?:note|message|instruction|attention|important|consigne|rappel)(?: systeme)?(?: a| pour| aux)? (?:l'|les |le |tous les )?{model} ?[:!-]",
            r"\bnote systeme ?:",
            r"\bsi (?:tu es|vous etes) (?:une? )?(?:ia|assistant|agent|modele|intelligence)\b",
            r"\ben tant qu'(?:ia|assistant|agent|intelligence artificielle),? (?:tu|vous) (?:dois|devez|peux|pouvez|ne)\b",
            r"\b(?:reponds|repondez|dis|dites) (?:toujours|uniquement|seulement|simplement) (?:que|par|avec|\"|')",
            r"\b(?:termine|commence|ajoute|inclus)[zr]? [^.!?\n]{0,80}\b(?:ta|tes|votre|vos|chaque|toute) (?:reponses?|resume)\b",
            r"\bsouviens-toi (?:toujours|pour toujours|a jamais)\b",
            r"\b(?:reponds|reponse|repondez) [^.!?\n]{0,30}sans (?:aucune )?(?:restrictions?|filtres?|censure|limites?)\b",
        ),
        _FR,
    ),
)

_ES = {
    "drop": r"ignora[dr]?|ignore[n]?|olvida[dr]?|olvidate de|olvide[n]?|omit[ea]|descarta|descarte|desestima|haz caso omiso (?:de|a)|haga caso omiso (?:de|a)|no (?:sigas|siga|hagas caso (?:a|de)|obedezcas|respetes|tengas en cuenta)|pasa por alto|deja de seguir|salta(?:te)?",
    "told": r"instruccion(?:es)?|reglas?|indicacion(?:es)?|directrices|directivas?|ordenes|orden|normas?|prompts?|comandos?|restricciones|mensajes?|tareas?|politicas?|pautas?",
    "person": r"usuarios?|usuarias?|humanos?|personas?|nadie|clientes?|revisor(?:es)?|administrador(?:es)?",
    "model": r"ia|asistentes?|agentes?|modelos?|chatbot|bot|el asistente|la ia",
}

SPANISH: tuple[Phrase, ...] = (
    phrases(
        "asks to set earlier instructions aside (Spanish)",
        "ignor|olvid|omit|descart|desestim|caso omiso|no sig|no hag|no obed|no resp|no teng|pasa por|deja de|salta",
        (
            r"\b{drop}(?: de| a| por completo| completamente)* <3>{told} (?:\w+ )?(?:anterior(?:es)?|previas?|previos?|de arriba|precedentes?|iniciales?|originales?|dadas?|recibidas?|del sistema|de seguridad)\b",
            r"\b{drop}(?: de| a)* (?:todas?|todos|cualquier|tus|sus) (?:las |los |tus |sus |mis |esas |estas |de )*(?:anteriores |previas |otras )?{told}\b(?! (?:de|del|en|para|sobre) )",
            r"\b{drop} (?:todo )?(?:lo anterior|lo que|todo lo|cuanto|lo previo|lo dicho)\b",
        ),
        _ES,
    ),
    phrases(
        "gives the model another role (Spanish)",
        "ahora eres|ahora es|a partir de|de ahora|actua|finge|haz de cuenta|imagina|comportate|papel|rol|tu nueva|tu nuevo|quiero que|desde ahora",
        (
            r"\b(?:ahora|ya) (?:eres|es usted|sos) (?:un|una|el|la|mi|dan|libre|en)\b",
            r"\b(?:a partir de ahora|de ahora en adelante|desde ahora),? (?:tu |usted )?(?:eres|seras|debes|responde|responderas|actua|actuaras|vas|puedes|contesta|tienes|no tienes|ignora)\b",
            r"\bactua(?:r|ras)? (?:como|igual que) (?:si|un|una|mi|el|la|dan)\b",
            r"\b(?:finge|simula|pretende|haz de cuenta|imagina|supon)(?: que)? (?:ser|eres|que eres|estas|no tienes|tienes)\b",
            r"\b(?:haz|asume|adopta|toma|juega|interpreta) el (?:papel|rol) de\b",
            r"\bquiero que (?:actues|seas|finjas|te comportes|ignores|olvides|respondas como)\b",
            r"\btus? (?:nuevas?|nuevo|verdadera|unica|real) (?:instruccion(?:es)?|tarea|rol|mision|identidad|papel|objetivo)\b",
        ),
        _ES,
    ),
    phrases(
        "asks for the model's prompt (Spanish)",
        "prompt|instruccion|mensaje del sistema|reglas|contrasena",
        (
            r"\b(?:muestra(?:me)?|revela(?:me)?|dime|di|repite|imprime|escribe|ensena(?:me)?|comparte|cuenta(?:me)?|dame|traduce|resume|cual(?:es)? (?:es|son|era|eran))[^.!?\n]{0,24}\b(?:tu|tus|su|sus|el|las) <2>(?:prompt|instrucciones|mensaje del sistema|indicaciones|reglas internas|contrasena)\b(?! (?:de|del|para|en) (?!sistema|este|esta))",
        ),
        _ES,
    ),
    phrases(
        "asks for silence or a blind approval (Spanish)",
        "no |sin |aprueb|aprob|acept|secreto|oculta|marca",
        (
            r"\bno (?:le |les |se lo |lo )?(?:digas|diga|cuentes|cuente|informes|informe|menciones|mencione|reveles|revele|avises|avise|notifiques)(?: nada| esto| de esto| sobre esto)* (?:a |al |a los |de esto |sobre esto |el |la )*(?:{person}|esta nota|este mensaje)\b",
            r"\b(?:aprueba|apruebe|acepta|envia|elimina|borra|reembolsa|transfiere|ejecuta|paga|autoriza)[^.!?\n]{0,60}?\bsin (?:preguntar|avisar|consultar|confirmacion|informar|decir|verificar|revision|pedir)\b",
            r"\b(?:aprueba|apruebe|acepta|acepte|confirma)(?:n)? (?:todas?|todos?|todo|cada|cualquier) <2>(?:propuestas?|solicitud(?:es)?|entradas?|peticion(?:es)?|elementos?|pendientes?|recuerdos?|lo que)\b",
            r"\b(?:marca|considera|trata) (?:esta|este|estas|todas?|cada) <2>como (?:aprobad[oa]s?|verificad[oa]s?|confiables?|fiables?|segur[oa]s?|de confianza)\b",
        ),
        _ES,
    ),
    phrases(
        "speaks to the model (Spanish)",
        "nota|mensaje|instruccion|atencion|si eres|como ia|como asistente|recuerda|responde|contesta|termina|agrega|incluye|sin restric|sin filtro|sin censura",
        (
            r"\b(?:nota|mensaje|instruccion|atencion|importante|aviso)(?: del sistema)?(?: para| al| a)? (?:la |el |los |todos los )?{model} ?[:!-]",
            r"\bnota del sistema ?:", r"\bsi eres (?:una? )?(?:ia|asistente|agente|modelo|inteligencia)\b",
            r"\bcomo (?:ia|asistente|agente|modelo de lenguaje|inteligencia artificial),? (?:debes|tienes|puedes|no)\b",
            r"\b(?:responde|contesta|di) (?:siempre|solo|unicamente|solamente|simplemente) (?:que|con|\"|')",
            r"\b(?:termina|empieza|agrega|anade|incluye) [^.!?\n]{0,80}\b(?:tu|tus|cada|toda) (?:respuestas?|resumen)\b",
            r"\brecuerda (?:esto )?(?:siempre|para siempre)\b",
            r"\b(?:responde|respuesta|contesta)[^.!?\n]{0,30}\bsin (?:ninguna )?(?:restricciones?|filtros?|censura|limites?)\b",
        ),
        _ES,
    ),
)

OTHERS: tuple[Phrase, ...] = (
    phrases(
        "asks to set earlier instructions aside",
        "ignor|esque|desconsider|dimentic|negeer|vergeet|zignor|zapomnij|ignoruj|unut|yok say|glom|bortse|unohda|ohita|abaikan|lupakan|zanemari|zaboravi|bo qua|mellozd|hagyd",
        (
            r"\b(?:ignor(?:a|ate|are|i)|dimentica(?:te|re)?|trascura|non (?:seguire|considerare)) <3>(?:istruzioni|regole|indicazioni|direttive|ordini|prompt|comandi)(?: \w+){0,2} ?(?:precedenti|sopra|iniziali|ricevute|originali|di sistema)?\b",
            r"\b(?:dimentica|ignora) tutto (?:cio|quello|quanto)\b",
            r"\b(?:ignor[ea]m?|esque[cç]?[ae]|desconsider[ea]m?|nao sigas?) <3>(?:instrucoes|regras|orientacoes|diretrizes|ordens|comandos|prompt)(?: \w+){0,2}\b",
            r"\b(?:esqueca|ignore) tudo (?:o que|que)\b",
            r"\b(?:negeer|vergeet|sla) <3>(?:vorige|eerdere|voorgaande|bovenstaande|jouw|je|alle) <2>(?:instructies|regels|opdrachten|richtlijnen|aanwijzingen|prompts?)\b",
            r"\b(?:zignoruj|ignoruj|zapomnij(?: o)?) <3>(?:instrukcje|instrukcjach|polecenia|poleceniach|zasady|zasadach|wytyczne)\b",
            r"\b(?:ignorera|glom|bortse fran|ignorer|glem|se bort fra) <3>(?:tidigare|foregaende|tidligere|forrige|alla|alle) <2>(?:instruktioner|instrukser|instruksjoner|regler|anvisninger)\b",
            r"\b(?:onceki|tum|butun|yukaridaki) <3>(?:talimatlari|talimatlarini|kurallari|komutlari|yonergeleri) <2>(?:yok say|unut|gormezden gel|dikkate alma)",
            r"\b(?:abaikan|lupakan) <2>(?:instruksi|perintah|aturan|petunjuk) <2>(?:sebelumnya|di atas|itu)\b",
            r"\b(?:zanemari|zaboravi|ignorisi|ignoriraj|ignoruj|ignorujte|zapomen|zabudni)(?:te)? <3>(?:prethodn\w+|ranij\w+|predchoz\w+|predchadzajuc\w+|vsechn\w+|sva|sve)\b",
            r"\b(?:ohita|unohda) <2>(?:aiemmat|edelliset|kaikki) <2>(?:ohjeet|saannot|kaskyt)\b",
            r"\bbo qua <2>(?:huong dan|chi thi|lenh|quy tac)\b",
            r"\b(?:hagyd figyelmen kivul|felejtsd el) <3>(?:utasitas\w*|szabaly\w*)\b",
        ),
    ),
    phrases(
        "gives the model another role or asks for its prompt",
        "sei ora|adesso sei|ora sei|agora|finja|fingi|je bent|doe alsof|jestes teraz|mostra|revela|rivela|mostre|toon|pokaz|udawaj|artik|sa vette",
        (
            r"\b(?:ora|adesso|d'ora in poi) (?:sei|tu sei|agisci|rispondi|devi)\b(?: (?:un|una|il|la|come|in|libero|dan|solo|senza|ignorare)\b)",
            r"\b(?:fingi|finja|finge) (?:di essere|che|ser|que)\b", r"\bagora (?:voce e|tu es|voce esta) (?:um|uma|o|a|livre|em)\b",
            r"\ba partir de agora,? (?:voce|tu) (?:e|es|deve|vai|sera|respondera|nao)\b",
            r"\bje bent (?:nu|vanaf nu) (?:een|de|mijn|in|vrij)\b", r"\bdoe alsof (?:je|u)\b", r"\bjestes teraz\b", r"\budawaj,? ze jestes\b",
            r"\b(?:mostra(?:mi)?|rivela(?:mi)?|ripeti|dimmi|stampa) <3>(?:tue|tuo|tuoi|le|il) <2>(?:istruzioni|prompt|regole|messaggio di sistema)(?: (?:iniziali|di sistema|originali|parola))?\b",
            r"\b(?:mostre|revele|repita|diga|imprima)(?:-me| me)? <3>(?:suas|seu|tuas|teu|o|as) <2>(?:instrucoes|prompt|mensagem do sistema)\b",
            r"\b(?:toon|onthul|herhaal|geef|vertel)(?: me| mij)? <2>(?:je|jouw|de|uw) <2>(?:systeemprompt|prompt|instructies)\b",
            r"\bpokaz <2>(?:swoj|twoj|swoje) <2>(?:prompt|instrukcje)\b",
        ),
    ),
    phrases(
        "asks to set earlier instructions aside",
        "игнорир|забуд|не обращ|пренебре|ігнору|не следу|забудь|раскро|покаж|теперь ты|ты теперь|не говори|не сообща|одобр|притвор|веди себя",
        (
            r"\b(?:игнорир\w+|забуд\w+|пренебре\w+|ігнору\w+|не следу\w+|не обраща\w+ внимани\w+ на) <4>(?:инструкци\w+|указани\w+|правил\w*|команд\w*|приказ\w*|інструкці\w+|сообщени\w+|запрос\w*|директив\w+)\b",
            r"\bзабуд\w+ (?:все|про все|обо всем),? (?:что|о чем)\b",
            r"\b(?:теперь ты|ты теперь|отныне ты|с этого момента ты)\b(?! (?:на|в) )",
            r"\b(?:раскро\w+|покаж\w+|повтори\w*|выведи\w*|напиши\w*) <3>(?:системн\w+ (?:промпт\w*|сообщени\w+|инструкци\w+|запрос\w*)|свои инструкци\w+|свой промпт)\b",
            r"\bне (?:говори|сообщай|рассказывай|упоминай)\w* <3>(?:пользовател\w+|человек\w*|никому)\b(?=.{0,40}(?:это|об этом|заметк|$|[.!]))",
            r"\b(?:одобри|одобряй|утверди|подтверди)\w* (?:все|каждую|каждый|любые|любую) <2>(?:предложени\w+|запрос\w*|заявк\w+|запис\w+)\b",
            r"\b(?:притвори\w+|представь,? что ты|веди себя,? как|действуй как)\b",
        ),
    ),
    phrases(
        "asks to set earlier instructions aside",
        "忽略|忽视|無視|无视|忘记|忘掉|忘れ|不要理会|扮演|你现在是|从现在开始|系统提示|システムプロンプト|あなたは今|무시|잊어|지시|تجاهل|انس|अनदेखा|नज़रअंदाज|bỏ qua|התעלם|แสร้ง|ละเว้น|เพิกเฉย|不要告诉|批准所有",
        (
            r"(?:忽略|忽视|无视|無視|忘记|忘掉|忘記|不要理会|不要遵守|抛开)[^。！？\n]{0,12}(?:指令|指示|提示|规则|規則|命令|要求|说明|說明|约束|限制|设定|内容)",
            r"(?:你现在是|你現在是|从现在开始你|从现在起[，,]?你|請扮演|请扮演|你将扮演|假装你是)",
            r"(?:显示|告诉我|输出|透露|重复|打印|泄露|顯示)[^。！？\n]{0,8}(?:系统提示|系統提示|提示词|初始指令|系统消息)",
            r"不要(?:告诉|通知|提醒)(?:用户|任何人|审核)", r"批准所有[^。！？\n]{0,6}(?:提案|请求|条目|申请)",
            r"(?:指示|命令|ルール|プロンプト|指令|制約|説明)[^。！？\n]{0,8}(?:無視|忘れ|従わないで)",
            r"(?:あなたは今から|今からあなたは|あなたはこれから)[^。！？\n]{0,20}(?:です|として|なりき)", r"システムプロンプト[^。！？\n]{0,8}(?:教えて|表示|出力|見せて|開示)",
            r"(?:이전|앞의|위의|모든|기존)[^.!?\n]{0,12}(?:지시|명령|규칙|지침|프롬프트)[^.!?\n]{0,10}(?:무시|잊)", r"(?:지금부터|이제부터) (?:너는|당신은)",
            r"(?:تجاهل|انس|اهمل)[^.!؟\n]{0,20}(?:التعليمات|الأوامر|القواعد|الاوامر|تعليمات)",
            r"(?:निर्देश|नियम)[^।!?\n]{0,12}(?:अनदेखा|नज़रअंदाज|भूल)",
            r"התעלם[^.!?\n]{0,16}(?:הוראות|ההוראות|הנחיות|כללים)", r"(?:เพิกเฉย|ละเว้น|ไม่ต้องสนใจ)[^\n]{0,12}(?:คำสั่ง|คำแนะนำ)",
        ),
    ),
)

LANGUAGES: tuple[Phrase, ...] = (*GERMAN, *FRENCH, *SPANISH, *OTHERS)
