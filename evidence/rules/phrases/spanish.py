"""Instruction-like Spanish (contract 9, 12.15): the same concerns as in English, fewer turns of phrase.

Written for folded text: without accents and umlauts (a for ä, ss for ß).
"""

from __future__ import annotations

from evidence.rules.phrases.phrase import Phrase, phrases

_GROUPS = {
    "drop": r"ignora[dr]?|ignore[n]?|olvida[dr]?|olvidate de|olvide[n]?|omit[ea]|descarta|descarte|desestima|"
    r"haz caso omiso (?:de|a)|haga caso omiso (?:de|a)|no (?:sigas|siga|hagas caso (?:a|de)|obedezcas|"
    r"respetes|tengas en cuenta)|pasa por alto|deja de seguir|salta(?:te)?",
    "told": r"instruccion(?:es)?|reglas?|indicacion(?:es)?|directrices|directivas?|ordenes|orden|normas?|prompts?|"
    r"comandos?|restricciones|mensajes?|tareas?|politicas?|pautas?",
    "person": r"usuarios?|usuarias?|humanos?|personas?|nadie|clientes?|revisor(?:es)?|administrador(?:es)?",
    "model": r"ia|asistentes?|agentes?|modelos?|chatbot|bot|el asistente|la ia",
}

SPANISH: tuple[Phrase, ...] = (
    phrases(
        "asks to set earlier instructions aside (Spanish)",
        (
            (
                r"\b{drop}(?: de| a| por completo| completamente)* <3>{told} (?:\w+ )?(?:anterior(?:es)?|"
                r"previas?|previos?|de arriba|precedentes?|iniciales?|originales?|dadas?|recibidas?|"
                r"del sistema|de seguridad)\b"
            ),
            (
                r"\b{drop}(?: de| a)* (?:todas?|todos|cualquier|tus|sus) (?:las |los |tus |sus |mis |esas |"
                r"estas |de )*(?:anteriores |previas |otras )?{told}\b(?! (?:de|del|en|para|sobre) )"
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
                r"\b(?:a partir de ahora|de ahora en adelante|desde ahora),? (?:tu |usted )?(?:eres|seras|"
                r"debes|responde|responderas|actua|actuaras|vas|puedes|contesta|tienes|no tienes|ignora)\b"
            ),
            r"\bactua(?:r|ras)? (?:como|igual que) (?:si|un|una|mi|el|la|dan|administrador|root|asistente|experto)\b",
            (
                r"\b(?:finge|simula|pretende|haz de cuenta|imagina|supon)(?: que)? (?:ser|eres|que eres|estas|"
                r"no tienes|tienes)\b"
            ),
            r"\b(?:haz|asume|adopta|toma|juega|interpreta) el (?:papel|rol) de\b",
            r"\bquiero que (?:actues|seas|finjas|te comportes|ignores|olvides|respondas como)\b",
            (
                r"\btus? (?:nuevas?|nuevo|verdadera|unica|real) (?:instruccion(?:es)?|tarea|rol|mision|"
                r"identidad|papel|objetivo)\b"
            ),
        ),
        _GROUPS,
    ),
    phrases(
        "asks for the model's prompt (Spanish)",
        (
            (
                r"\b(?:muestra(?:me)?|revela(?:me)?|dime|di|repite|imprime|escribe|ensena(?:me)?|comparte|"
                r"cuenta(?:me)?|dame|traduce|resume|cual(?:es)? (?:es|son|era|eran))[^.!?\n]{0,24}\b(?:tu|tus|"
                r"su|sus|el|las) <2>(?:prompt|instrucciones|mensaje del sistema|indicaciones|reglas internas|"
                r"contrasena)\b(?! (?:de|del|para|en) (?!sistema|este|esta))"
            ),
        ),
        _GROUPS,
    ),
    phrases(
        "asks for silence or a blind approval (Spanish)",
        (
            (
                r"\bno (?:le |les |se lo |lo )?(?:digas|diga|cuentes|cuente|informes|informe|menciones|"
                r"mencione|reveles|revele|avises|avise|notifiques)(?: nada| esto| de esto| sobre esto)* (?:a |"
                r"al |a los |de esto |sobre esto |el |la )*(?:{person}|esta nota|este mensaje)\b"
            ),
            (
                r"\b(?:aprueba|apruebe|acepta|envia|elimina|borra|reembolsa|transfiere|ejecuta|paga|"
                r"autoriza)[^.!?\n]{0,60}?\bsin (?:preguntar|avisar|consultar|confirmacion|informar|decir|"
                r"verificar|revision|pedir)\b"
            ),
            (
                r"\b(?:aprueba|apruebe|acepta|acepte|confirma)(?:n)? (?:todas?|todos?|todo|cada|"
                r"cualquier) <2>(?:propuestas?|solicitud(?:es)?|entradas?|peticion(?:es)?|elementos?|"
                r"pendientes?|recuerdos?|lo que)\b"
            ),
            (
                r"\b(?:marca|considera|trata) (?:esta|este|estas|todas?|cada) <2>como (?:aprobad[oa]s?|"
                r"verificad[oa]s?|confiables?|fiables?|segur[oa]s?|de confianza)\b"
            ),
        ),
        _GROUPS,
    ),
    phrases(
        "speaks to the model (Spanish)",
        (
            (
                r"\b(?:nota|mensaje|instruccion|atencion|importante|aviso)(?: del sistema)?(?: para| al|"
                r" a)? (?:la |el |los |todos los )?{model} ?[:!-]"
            ),
            r"\bnota del sistema ?:",
            r"\bsi eres (?:una? )?(?:ia|asistente|agente|modelo|inteligencia)\b",
            r"\bcomo (?:ia|asistente|agente|modelo de lenguaje|inteligencia artificial),? (?:debes|tienes|puedes|no)\b",
            r"\b(?:responde|contesta|di) (?:siempre|solo|unicamente|solamente|simplemente) (?:que|con|\"|')",
            (
                r"\b(?:termina|empieza|agrega|anade|incluye) [^.!?\n]{0,80}\b(?:tu|tus|cada|"
                r"toda) (?:respuestas?|resumen)\b"
            ),
            r"\brecuerda (?:esto )?(?:siempre|para siempre)\b",
            (
                r"\b(?:responde|respuesta|contesta)[^.!?\n]{0,30}\bsin (?:ninguna )?(?:restricciones?|"
                r"filtros?|censura|limites?)\b"
            ),
        ),
        _GROUPS,
    ),
)
