"""Instruction-like Italian, Portuguese and Romanian (contract 9, 12.15); written for folded text: without accents."""

from __future__ import annotations

from evidence.rules.phrases.phrase import Phrase, phrases

_GROUPS = {
    "drop": (
        r"ignora(?:te|re|ti)?|ignor[ei]m?|ignorati|dimentica(?:te|re|ti)?|trascura(?:te)?|scorda(?:ti|te)?|"
        r"esquec[ae]m?|esquece|desconsider[ea]m?|ignorem|omit[ae]|uita(?:ti)?|nu (?:tine|tineti) cont de|non "
        r"(?:seguire|considerare|tenere conto (?:di|delle|dei))|nao (?:sigas?|siga|obedeca|considere)|sovrascrivi|"
        r"annulla|descarta|descarte|deixe de seguir|smetti di seguire"
    ),
    "told": (
        r"istruzion[ie]|regol[ae]|indicazion[ie]|direttiv[ae]|ordin[ei]|prompt|comand[oi]|consegne|linee guida|"
        r"instrucoes|instrucao|regras?|orientacoes|diretrizes|ordens|comandos?|instructiuni(?:le)?|instructiunile|"
        r"regul[ie](?:le)?|indicatii(?:le)?|comenzi(?:le)?|restrizioni|restricoes|limiti|limites|politiche|"
        r"politicas"
    ),
    "person": (
        r"utent[ei]|all'utente|persona|persone|revisore|umano|usuario|usuarios|utilizador(?:es)?|ninguem|nessuno|"
        r"alguem|revisor|utilizatorul(?:ui)?|nimanui|pessoas?|humano"
    ),
    "free": (
        r"restrizion[ie]|limit[ei]|filtr[oi]|regol[ae]|censura|restricoes|limites|filtros|regras|restrictii|"
        r"reguli"
    ),
}

ROMANCE: tuple[Phrase, ...] = (
    phrases(
        "asks to set earlier instructions aside (Italian, Portuguese, Romanian)",
        (
            r"\b{drop} <4>(?:{told})\b",
            (
                r"\b{drop} (?:tutto|tudo|tot) (?:cio|quello|quanto|o que|que|isso|ce|quel che|il resto)\b|\b{drop} "
                r"(?:tutto|tudo|tot)(?=[.,;!]| e\b| si\b)"
            ),
            (
                r"\b{drop} (?:o |il |a |la )?(?:texto|testo|mensagem|messaggio|contesto|contexto|textul)? ?(?:acima|"
                r"anterior(?:e|es)?|precedente|sopra|de mai sus|prima)\b"
            ),
            (
                r"(?:^|\n|[.!*#] ?)(?:nuov[ae]|importanti|novas?|noi) (?:istruzion[ie]|instrucoes|instrucao|instructiuni|"
                r"compito|tarefa|ordini)(?: \w+)? ?:"
            ),
            r"\b(?:nota|messaggio|mensagem|aviso|avviso) (?:di|do|del|de) sistem[ai] ?:",
        ),
        _GROUPS,
    ),
    phrases(
        "gives the model another role (Italian, Portuguese, Romanian)",
        (
            (
                r"\b(?:ora|adesso|d'ora in poi|da ora in poi) (?:sei|tu sei|agisci|rispondi|devi|non hai|puoi)\b(?: (?:un|"
                r"una|il|la|come|in|libero|dan|solo|senza|ignorare|piu|fare|nessun\w*)\b)?"
            ),
            (
                r"\b(?:fingi|finja|finge|fai finta|faz de conta|faca de conta|prefa-te|imagina|immagina|imagine)(?:ti)? "
                r"(?:di essere|di non avere|che|ser|que|ca|um)\b"
            ),
            (
                r"\b(?:agora|a partir de agora|de agora em diante|daqui em diante),? (?:voce|tu) (?:e|es|esta|deve|vai|"
                r"sera|respondera|nao|pode)\b"
            ),
            r"\b(?:acum|de acum inainte|de acum),? (?:esti|tu esti|vei|trebuie)\b",
            (
                r"\b(?:comportati|comporte-se|comporta-te|agisci|aja|age|actioneaza|rispondi|responda) (?:come|como|ca) "
                r"(?:se|un|una|um|uma|si cum|fossi|il|o)\b"
            ),
            (
                r"\b(?:sei|voce e|tu es|esti) (?:un|una|um|uma|o) (?:\w+ )?(?:senza|sem|fara) (?:nenhuma |alcuna |nicio "
                r")?(?:{free})\b"
            ),
            (
                r"\b(?:senza|sem|fara) (?:nenhum\w? |alcun\w* |nicio )?(?:{free})\b(?=.{0,60}\b(?:rispond\w+|respond\w+|"
                r"ia|voce|modello|modelo|raspund\w*)\b|.{0,12}$)"
            ),
        ),
        _GROUPS,
    ),
    phrases(
        "asks for the model's prompt (Italian, Portuguese, Romanian)",
        (
            (
                r"\b(?:mostra(?:mi|ti)?|mostre|rivela(?:mi)?|revel[ea]|ripeti|repita|dimmi|stampa|imprima|diga(?:-me)?|"
                r"escreva|scrivi|arata(?:-mi)?|spune(?:-mi)?|qual e|quali sono|quais sao|care (?:este|sunt)|cosa dice|"
                r"traduci|traduza|elenca|liste|compartilhe|condividi|exiba) <3>(?:tu[eoa]i?|suas?|seus?|seu|teu|tuas|tau|"
                r"tale|il|le|o|as|vostr[eoi]) <2>(?:istruzioni|prompt\w*|regole|messaggio di sistema|instrucoes|mensagem "
                r"do sistema|instructiuni\w*|mesajul\w*)\b(?! (?:per|para|do projeto|del progetto))"
            ),
            (
                r"\b(?:prompt (?:di|do|de) sistem[ai]|promptul (?:de )?sistem\w*)\b(?=.{0,40}(?:\?|parola|palavra|cuvant|"
                r"tuo|seu|tau|completo)|.{0,4}$)"
            ),
            (
                r"\b(?:ripeti|repita|repete|copia) <3>(?:testo|texto|textul|parole|palavras) <2>(?:sopra|acima|precedente|"
                r"de mai sus|anterior)\b"
            ),
        ),
        _GROUPS,
    ),
    phrases(
        "asks for silence or a blind approval (Italian, Portuguese, Romanian)",
        (
            (
                r"\b(?:non|nao|nu) (?:dire|dirlo|dica|diga|digas|conte|contes|spune(?:ti)?|menzionare|mencione|rivelare|"
                r"revele|informare|informe|avvisare|avise|mentiona) <3>(?:{person})\b"
            ),
            (
                r"\b(?:approva|approvare|accetta|aprove|aceite|conferma|autorizza|autorize|paghi|paga|aproba|accepta) "
                r"[^.!?\n]{0,50}(?:senza|sem|fara) (?:chiedere|controllare|verifica|revisione|perguntar|verificar|revisao|"
                r"confirmar|aprovacao|sa intrebi|verificare)\b"
            ),
            (
                r"\b(?:approva|accetta|conferma|aprove|aceite|aproba) (?:tutt[eio]|ogni|todas?|todos|tudo|cada|toate|"
                r"tot)\b"
            ),
            (
                r"\b(?:segna|contrassegna|marque|marca|considera|considere|trata) (?:questa|questo|esta|este|isto|"
                r"aceasta) <2>(?:come|como|ca) (?:approvat|verificat|affidabil|aprovad|verificad|confiav|aprobat|sicur|"
                r"segur)\w*"
            ),
        ),
        _GROUPS,
    ),
    phrases(
        "speaks to the model (Italian, Portuguese, Romanian)",
        (
            (
                r"\b(?:se sei|se voce e|se es|daca esti) (?:un'|uma? |un |o )?(?:ia|intelligenza artificiale|inteligencia "
                r"artificial|assistente|assistent|agente|modello|modelo)\b"
            ),
            (
                r"\b(?:nota|messaggio|mensagem|aviso|istruzioni|instrucoes) (?:per|para|pentru) (?:l'|o |a |il |i |gli |"
                r"os |as )?(?:ia|assistente|assistent\w*|agent[ei]\w*|modell[oi]|modelos?|bot) ?[:,-]"
            ),
            (
                r"\b(?:rispondi|responda|raspunde) (?:sempre|solo|soltanto|apenas|somente|doar|mereu) (?:che|que|ca|"
                r"(?:con|com|cu) (?:\"|'|si\b|sim\b|da\b|no\b|nao\b|la (?:parola|frase)|a (?:palavra|frase))|\"|')"
            ),
            (
                r"\b(?:fine di ogni|final de cada|final de todas as|fim de cada|sfarsitul fiecarui) (?:rispost[ae]|"
                r"respostas?|raspuns)\b"
            ),
            (
                r"\b(?:ricorda|lembre-se|memorizza|memorize|guarda|salva|salve) (?:questo |questa |isso |isto |disso "
                r")?(?:per sempre|sempre|para sempre|permanentemente|in modo permanente|pentru totdeauna)\b"
            ),
            (
                r"\b(?:come|como|in qualita di|na qualidade de) (?:amministrator\w+|administrador\w*|direttor\w+|"
                r"diretor\w*|responsabile|responsavel)[^.!?\n]{0,30},? (?:ho|autorizzo|approvo|confermo|autorizo|aprovo|"
                r"confirmo|eu|ordino|ordeno)\b"
            ),
        ),
        _GROUPS,
    ),
)
