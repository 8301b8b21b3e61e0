"""Instruction-like Spanish (contract 9, 12.15): the same concerns as in English, fewer turns of phrase.

Written for folded text: without accents and umlauts (a for ä, ss for ß).
"""

from __future__ import annotations

from evidence.rules.phrases.phrase import Phrase, phrases

_GROUPS = {
    "drop": (
        r"ignora[dr]?|ignore[n]?|olvida[dr]?|olvidate de|olvide[n]?|omit[ea]|descarta|descarte|desestima|haz caso "
        r"omiso (?:de|a)|haga caso omiso (?:de|a)|no (?:sigas|siga|hagas caso (?:a|de)|obedezcas|respetes|tengas "
        r"en cuenta)|pasa por alto|deja de seguir|salta(?:te)?"
    ),
    "told": (
        r"instruccion(?:es)?|reglas?|indicacion(?:es)?|directrices|directivas?|ordenes|orden|normas?|prompts?|"
        r"comandos?|restricciones|mensajes?|tareas?|politicas?|pautas?"
    ),
    "person": r"usuarios?|usuarias?|humanos?|personas?|nadie|clientes?|revisor(?:es)?|administrador(?:es)?",
    "model": r"ia|asistentes?|agentes?|modelos?|chatbot|bot|el asistente|la ia",
}

SPANISH: tuple[Phrase, ...] = (
    phrases(
        "asks to set earlier instructions aside (Spanish)",
        (
            (
                r"\b{drop}(?: de| a| por completo| completamente)* <3>{told} (?:\w+ )?(?:anterior(?:es)?|previas?|"
                r"previos?|de arriba|precedentes?|iniciales?|originales?|dadas?|recibidas?|del sistema|de seguridad)\b"
            ),
            (
                r"\b{drop}(?: de| a)* (?:todas?|todos|cualquier|tus|sus) (?:las |los |tus |sus |mis |esas |estas |de "
                r")*(?:anteriores |previas |otras )?{told}\b(?! (?:de|del|en|para|sobre) )"
            ),
            r"\b{drop} (?:todo )?(?:lo anterior|lo que|todo lo|cuanto|lo previo|lo dicho)\b",
        ),
        _GROUPS,
    ),
    phrases(
        "gives the model another role (Spanish)",
        (
            r"\b(?:ahora|ya) (?:eres|es usted|sos) (?:un|una|el|la|mi|dan|libre|en)\b",
            (
                r"\b(?:a partir de ahora|de ahora en adelante|desde ahora),? (?:tu |usted )?(?:eres|seras|debes|responde|"
                r"responderas|actua|actuaras|vas|puedes|contesta|tienes|no tienes|ignora)\b"
            ),
            r"\bactua(?:r|ras)? (?:como|igual que) (?:si|un|una|mi|el|la|dan|administrador|root|asistente|experto)\b",
            (
                r"\b(?:finge|simula|pretende|haz de cuenta|imagina|supon)(?: que)? (?:ser|eres|que eres|estas|no tienes|"
                r"tienes)\b"
            ),
            r"\b(?:haz|asume|adopta|toma|juega|interpreta) el (?:papel|rol) de\b",
            r"\bquiero que (?:actues|seas|finjas|te comportes|ignores|olvides|respondas como)\b",
            (
                r"\btus? (?:nuevas?|nuevo|verdadera|unica|real) (?:instruccion(?:es)?|tarea|rol|mision|identidad|papel|"
                r"objetivo)\b"
            ),
        ),
        _GROUPS,
    ),
    phrases(
        "asks for the model's prompt (Spanish)",
        (
            (
                r"\b(?:muestra(?:me)?|revela(?:me)?|dime|di|repite|imprime|escribe|ensena(?:me)?|comparte|cuenta(?:me)?|"
                r"dame|traduce|resume|cual(?:es)? (?:es|son|era|eran))[^.!?\n]{0,24}\b(?:tu|tus|su|sus|el|las) "
                r"<2>(?:prompt|instrucciones|mensaje del sistema|indicaciones|reglas internas|contrasena)\b(?! (?:de|del|"
                r"para|en) (?!sistema|este|esta))"
            ),
        ),
        _GROUPS,
    ),
    phrases(
        "asks for silence or a blind approval (Spanish)",
        (
            (
                r"\bno (?:le |les |se lo |lo )?(?:digas|diga|cuentes|cuente|informes|informe|menciones|mencione|reveles|"
                r"revele|avises|avise|notifiques)(?: nada| esto| de esto| sobre esto)* (?:a |al |a los |de esto |sobre "
                r"esto |el |la )*(?:{person}|esta nota|este mensaje)\b"
            ),
            (
                r"\b(?:aprueba|apruebe|acepta|envia|elimina|borra|reembolsa|transfiere|ejecuta|paga|"
                r"autoriza)[^.!?\n]{0,60}?\bsin (?:preguntar|avisar|consultar|confirmacion|informar|decir|verificar|"
                r"revision|pedir)\b"
            ),
            (
                r"\b(?:aprueba|apruebe|acepta|acepte|confirma)(?:n)? (?:todas?|todos?|todo|cada|cualquier) "
                r"<2>(?:propuestas?|solicitud(?:es)?|entradas?|peticion(?:es)?|elementos?|pendientes?|recuerdos?|lo "
                r"que)\b"
            ),
            (
                r"\b(?:marca|considera|trata) (?:esta|este|estas|todas?|cada) <2>como (?:aprobad[oa]s?|verificad[oa]s?|"
                r"confiables?|fiables?|segur[oa]s?|de confianza)\b"
            ),
        ),
        _GROUPS,
    ),
    phrases(
        "speaks to the model (Spanish)",
        (
            (
                r"\b(?:nota|mensaje|instruccion|atencion|importante|aviso)(?: del sistema)?(?: para| al| a)? (?:la |el |"
                r"los |todos los )?{model} ?[:!-]"
            ),
            r"\bnota del sistema ?:",
            r"\bsi eres (?:una? )?(?:ia|asistente|agente|modelo|inteligencia)\b",
            (
                r"\bcomo (?:ia|asistente|agente|modelo de lenguaje|inteligencia artificial),? (?:debes|tienes|puedes|"
                r"no)\b"
            ),
            (
                r"\b(?:responde|contesta|di) (?:siempre|solo|unicamente|solamente|simplemente) (?:que|con (?:\"|'|si\b|"
                r"no\b|la (?:palabra|frase))|\"|')"
            ),
            (
                r"\b(?:termina|empieza|agrega|anade|incluye) [^.!?\n]{0,80}\b(?:tu|tus|cada|toda) (?:respuestas?|"
                r"resumen)\b"
            ),
            r"\brecuerda (?:esto )?(?:siempre|para siempre)\b",
            (
                r"\b(?:responde|respuesta|contesta)[^.!?\n]{0,30}\bsin (?:ninguna )?(?:restricciones?|filtros?|censura|"
                r"limites?)\b"
            ),
        ),
        _GROUPS,
    ),
    phrases(
        "hands the model a task of its own (Spanish)",
        (
            (
                r"\b(?:nueva|otra|siguiente|proxima) (?:tarea|pregunta|mision|peticion) (?:para (?:ti|usted|vos)|es|:)|"
                r"\b(?:necesito|quiero) (?:tu|su) ayuda (?:con|para|en)\b"
            ),
            (
                r"\bayuda(?:me)? con (?:la |el |esta |este )?(?:siguiente|otra|nueva)\b|\bresponde a la siguiente "
                r"pregunta\b|\bcontesta (?:a )?la siguiente\b"
            ),
            (
                r"\b(?:repite|repetir|copia|imprime|muestra|escribe|traduce)\b[^.!?\n]{0,40}\b(?:texto|mensaje|palabras|"
                r"todo)[^.!?\n]{0,20}\b(?:de arriba|anterior|previo|palabra por palabra)\b"
            ),
            (
                r"\b(?:olvida|ignora)(?:te)? (?:de )?todo\b|\bno tienes (?:ninguna |ningun )?(?:restriccion|limite|filtro|"
                r"regla|censura)\w*\b"
            ),
            (
                r"\b(?:eres|sos) (?:un|una|mi|el|la) (?:\w+ )?(?:\w+ )?(?:sin (?:censura|restricciones|limites|filtros|"
                r"reglas)|llamad[oa]|malvad[oa]|pirata|hacker)\b"
            ),
            (
                r"\b(?:prompt|mensaje|instrucciones) del sistema (?:dice|es|son|dicen)\b|\bcompleta la siguiente "
                r"oracion\b"
            ),
            (
                r"\b(?:memoriza|guarda|almacena|recuerda)\b[^.!?\n]{0,40}\b(?:para siempre|permanentemente|como regla "
                r"permanente|de forma permanente)\b"
            ),
            (
                r"\b(?:las |los |toda |cualquier )?(?:ia|asistentes?|agentes?|modelos?) que (?:lea|lean|lee|leen|procese|"
                r"procesen)\b"
            ),
        ),
        _GROUPS,
    ),
)
