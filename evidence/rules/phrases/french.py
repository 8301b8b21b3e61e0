"""Instruction-like French (contract 9, 12.15): the same concerns as in English, fewer turns of phrase.

Written for folded text: without accents and umlauts (a for ä, ss for ß).
"""

from __future__ import annotations

from evidence.rules.phrases.phrase import Phrase, phrases

_GROUPS = {
    "drop": (
        r"ignore[zr]?|ignorer|oublie[zr]?|oublier|neglige[zr]?|ne (?:tiens|tenez|tenir) (?:pas|plus) compte (?:de|"
        r"des|du)|ne (?:suis|suivez|respecte[zr]?) (?:pas|plus)|fais abstraction|faites abstraction|"
        r"contourne[zr]?|passe outre|passez outre|arrete[zr]? de suivre|fais fi|faites fi"
    ),
    "told": (
        r"instructions?|consignes?|regles?|directives?|ordres?|commandes?|prompts?|indications?|contraintes?|"
        r"restrictions?|messages?|taches?"
    ),
    "person": (
        r"utilisateurs?|utilisatrices?|humains?|personnes?|quiconque|client(?:e|s)?|relecteurs?|reviseurs?|"
        r"administrateurs?"
    ),
    "model": r"ia|l'ia|assistants?|l'assistant|agents?|l'agent|modeles?|chatbot|robot|bot|au modele",
}

FRENCH: tuple[Phrase, ...] = (
    phrases(
        "asks to set earlier instructions aside (French)",
        (
            (
                r"\b{drop}(?: de| des| du| donc| maintenant)* <3>{told} (?:\w+ )?(?:precedentes?|precedents?|anterieures?|"
                r"anterieurs?|ci-dessus|initiales?|donnees?|plus haut|d'avant|d'origine|recues?|de securite|systeme)\b"
            ),
            (
                r"\b{drop}(?: de| des| du)* (?:toutes?|tous|l'ensemble de|l'ensemble des|tes|vos) (?:les |tes |vos |mes |"
                r"ces |de |des )*(?:precedentes? |anciennes? |autres )?{told}\b(?! (?:de|du|des|dans|sur) )"
            ),
            r"\b{drop} (?:tout )?(?:ce qui precede|ce que|tout ce qui|tout ce que|ce qui a ete|ce qu'on|ce texte)\b",
        ),
        _GROUPS,
    ),
    phrases(
        "gives the model another role (French)",
        (
            (
                r"\b(?:tu es|vous etes) (?:maintenant|desormais|dorenavant|a present) (?:un|une|le|la|en|mon|libre|l'|dan|"
                r"administrateur)\b"
            ),
            (
                r"\b(?:a partir de maintenant|desormais|dorenavant|a compter de maintenant),? (?:tu|vous) (?:es|etes|dois|"
                r"devez|vas|allez|reponds|repondez|agis|agissez|peux|pouvez|ne)\b"
            ),
            r"\b(?:fais|faites) (?:comme si|semblant)\b(?= (?:tu|vous|d'etre|que tu|que vous))",
            (
                r"\b(?:agis|agissez|comporte-toi|comportez-vous|reponds|repondez) (?:maintenant |seulement )?(?:comme|en "
                r"tant que?) (?:si|un|une|mon|le|la|qu'|dan)\b"
            ),
            r"\bjoue[zr]? le role\b",
            r"\b(?:imagine|imaginez) que (?:tu|vous)\b",
            (
                r"\b(?:ta|votre|tes|vos|ton) (?:nouvelles?|nouveau|veritable|vraie|seule) (?:role|tache|instructions?|"
                r"mission|identite|consignes?)\b"
            ),
        ),
        _GROUPS,
    ),
    phrases(
        "asks for the model's prompt (French)",
        (
            (
                r"\b(?:revele|montre|affiche|repete|donne|ecris|imprime|cite|partage|devoile|dis|recite|resume|traduis|"
                r"quel(?:le)?s? (?:est|sont|etait|etaient))[zr]?(?:-moi|-nous| moi)? <3>(?:ton|ta|tes|votre|vos|le|les|"
                r"l'integralite de tes) <2>(?:prompt|instructions?|consignes?|message systeme|mot de passe|invite "
                r"systeme)\b(?! (?:de|du|des|pour|dans) (?!systeme|depart))"
            ),
        ),
        _GROUPS,
    ),
    phrases(
        "asks for silence or a blind approval (French)",
        (
            (
                r"\b(?:n'en |ne le |ne |n')(?:dis|dites|parle|parlez|mentionne|mentionnez|revele|revelez|informe|informez|"
                r"previens|prevenez|avertis|avertissez) (?:rien|pas|jamais|a personne)[^.!?\n]{0,30}\b(?:a |aux |l'|les |"
                r"l |de cette |ce |cette )?(?:{person}|a personne|cette note|ce message)\b"
            ),
            (
                r"\b(?:approuve|accepte|valide|envoie|supprime|rembourse|transfere|execute|paie)[zr]? [^.!?\n]{0,60}?sans "
                r"(?:demander|prevenir|informer|consulter|confirmation|en parler|verification|validation|l'accord)\b"
            ),
            (
                r"\b(?:approuve|accepte|valide)[zr]? (?:toutes?|tous|tout|chaque) <2>(?:propositions?|demandes?|entrees?|"
                r"requetes?|elements?|en attente|souvenirs?)\b"
            ),
            (
                r"\b(?:marque|considere)[zr]? (?:cette|ce|ces|toutes?|chaque) <2>comme (?:approuvee?s?|verifiee?s?|"
                r"fiables?|validee?s?|sures?)\b"
            ),
        ),
        _GROUPS,
    ),
    phrases(
        "speaks to the model (French)",
        (
            (
                r"\b(?:note|message|instruction|attention|important|consigne|rappel)(?: systeme)?(?: a| pour| aux)? (?:l'|"
                r"les |le |tous les )?{model} ?[:!-]"
            ),
            r"\bnote systeme ?:",
            r"\bsi (?:tu es|vous etes) (?:une? )?(?:ia|assistant|agent|modele|intelligence)\b",
            (
                r"\ben tant qu'(?:ia|assistant|agent|intelligence artificielle),? (?:tu|vous) (?:dois|devez|peux|pouvez|"
                r"ne)\b"
            ),
            (
                r"\b(?:reponds|repondez|dis|dites) (?:toujours|uniquement|seulement|simplement) (?:que|(?:par|avec) (?:\"|"
                r"'|oui\b|non\b|l[ea] (?:mot|phrase))|\"|')"
            ),
            (
                r"\b(?:termine|commence|ajoute|inclus)[zr]? [^.!?\n]{0,80}\b(?:ta|tes|votre|vos|chaque|toute) "
                r"(?:reponses?|resume)\b"
            ),
            r"\bsouviens-toi (?:toujours|pour toujours|a jamais)\b",
            (
                r"\b(?:reponds|reponse|repondez) [^.!?\n]{0,30}sans (?:aucune )?(?:restrictions?|filtres?|censure|"
                r"limites?)\b"
            ),
        ),
        _GROUPS,
    ),
    phrases(
        "hands the model a task of its own (French)",
        (
            (
                r"\b(?:nouvelle|autre|prochaine|suivante|derniere) (?:tache|question|mission|demande) (?:pour (?:toi|"
                r"vous)|:)|\bj'ai (?:besoin|une autre|une nouvelle) <2>(?:de (?:ton|votre) aide|pour toi|pour vous)\b"
            ),
            (
                r"\b(?:aide|aidez)[- ]moi <2>(?:avec|a|sur) <2>(?:question|tache|probleme) suivante?\b|\breponds a la "
                r"question suivante\b"
            ),
            (
                r"\b(?:affiche|montre|donne|revele|repete|traduis|ecris|imprime|"
                r"copie)[zr]?(?:-moi)?\b[^.!?\n]{0,40}\b(?:(?:ton|votre|tes|vos) (?:invite|prompt|instructions|consignes|"
                r"regles|message systeme)|(?:texte|message|contenu) (?:ci-dessus|au-dessus|precedent))\b"
            ),
            (
                r"\b(?:oublie|ignore)[zr]? tout\b(?= ?(?:[.,;!]|et\b|ce\b))|\b(?:tu n'as|vous n'avez) (?:plus )?(?:aucune|"
                r"pas de) (?:regle|limite|restriction|censure)s?\b"
            ),
            (
                r"\btu es (?:une? )?(?:\w+ )?(?:ia|robot|pirate|personnage|assistant|hacker|"
                r"modele)\b(?=[^.!?\n]{0,60}\b(?:sans|qui|nomme|appele|maintenant)\b)"
            ),
            (
                r"\b(?:memorise|retiens|enregistre|sauvegarde|souviens-toi)[zr]?\b[^.!?\n]{0,40}\b(?:pour toujours|"
                r"definitivement|en permanence|a jamais|regle permanente)\b"
            ),
            (
                r"\b(?:les |toute )?(?:ia|assistants?|agents?|modeles?) (?:qui|lisant) (?:lit|lisent|ceci|cette|ce|"
                r"traitent?)\b"
            ),
        ),
        _GROUPS,
    ),
)
