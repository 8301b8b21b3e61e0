"""Instruction-like French (contract 9, 12.15): the same concerns as in English, fewer turns of phrase.

Written for folded text: without accents and umlauts (a for ä, ss for ß).
"""

from __future__ import annotations

from evidence.rules.phrases.phrase import Phrase, phrases

_GROUPS = {
    "drop": r"ignore[zr]?|ignorer|oublie[zr]?|oublier|neglige[zr]?|ne (?:tiens|tenez|tenir) (?:pas|"
    r"plus) compte (?:de|des|du)|ne (?:suis|suivez|respecte[zr]?) (?:pas|plus)|fais abstraction|"
    r"faites abstraction|contourne[zr]?|passe outre|passez outre|arrete[zr]? de suivre|fais fi|faites fi",
    "told": r"instructions?|consignes?|regles?|directives?|ordres?|commandes?|prompts?|indications?|contraintes?|"
    r"restrictions?|messages?|taches?",
    "person": r"utilisateurs?|utilisatrices?|humains?|personnes?|quiconque|client(?:e|s)?|relecteurs?|reviseurs?|"
    r"administrateurs?",
    "model": r"ia|l'ia|assistants?|l'assistant|agents?|l'agent|modeles?|chatbot|robot|bot|au modele",
}

FRENCH: tuple[Phrase, ...] = (
    phrases(
        "asks to set earlier instructions aside (French)",
        (
            (
                r"\b{drop}(?: de| des| du| donc| maintenant)* <3>{told} (?:\w+ )?(?:precedentes?|precedents?|"
                r"anterieures?|anterieurs?|ci-dessus|initiales?|donnees?|plus haut|d'avant|d'origine|recues?|"
                r"de securite|systeme)\b"
            ),
            (
                r"\b{drop}(?: de| des| du)* (?:toutes?|tous|l'ensemble de|l'ensemble des|tes|vos) (?:les |"
                r"tes |vos |mes |ces |de |des )*(?:precedentes? |anciennes? |autres )?{told}\b(?! (?:de|du|"
                r"des|dans|sur) )"
            ),
            r"\b{drop} (?:tout )?(?:ce qui precede|ce que|tout ce qui|tout ce que|ce qui a ete|ce qu'on|ce texte)\b",
        ),
        _GROUPS,
    ),
    phrases(
        "gives the model another role (French)",
        (
            (
                r"\b(?:tu es|vous etes) (?:maintenant|desormais|dorenavant|a present) (?:un|une|le|la|en|mon|"
                r"libre|l'|dan|administrateur)\b"
            ),
            (
                r"\b(?:a partir de maintenant|desormais|dorenavant|a compter de maintenant),? (?:tu|"
                r"vous) (?:es|etes|dois|devez|vas|allez|reponds|repondez|agis|agissez|peux|pouvez|ne)\b"
            ),
            r"\b(?:fais|faites) (?:comme si|semblant)\b(?= (?:tu|vous|d'etre|que tu|que vous))",
            (
                r"\b(?:agis|agissez|comporte-toi|comportez-vous|reponds|repondez) (?:maintenant |"
                r"seulement )?(?:comme|en tant que?) (?:si|un|une|mon|le|la|qu'|dan)\b"
            ),
            r"\bjoue[zr]? le role\b",
            r"\b(?:imagine|imaginez) que (?:tu|vous)\b",
            (
                r"\b(?:ta|votre|tes|vos|ton) (?:nouvelles?|nouveau|veritable|vraie|seule) (?:role|tache|"
                r"instructions?|mission|identite|consignes?)\b"
            ),
        ),
        _GROUPS,
    ),
    phrases(
        "asks for the model's prompt (French)",
        (
            (
                r"\b(?:revele|montre|affiche|repete|donne|ecris|imprime|cite|partage|devoile|dis|recite|"
                r"resume|traduis|quel(?:le)?s? (?:est|sont|etait|etaient))[zr]?(?:-moi|-nous| moi)? <3>(?:ton|"
                r"ta|tes|votre|vos|le|les|l'integralite de tes) <2>(?:prompt|instructions?|consignes?|"
                r"message systeme|mot de passe|invite systeme)\b(?! (?:de|du|des|pour|dans) (?!systeme|"
                r"depart))"
            ),
        ),
        _GROUPS,
    ),
    phrases(
        "asks for silence or a blind approval (French)",
        (
            (
                r"\b(?:n'en |ne le |ne |n')(?:dis|dites|parle|parlez|mentionne|mentionnez|revele|revelez|"
                r"informe|informez|previens|prevenez|avertis|avertissez) (?:rien|pas|jamais|"
                r"a personne)[^.!?\n]{0,30}\b(?:a |aux |l'|les |l |de cette |ce |cette )?(?:{person}|"
                r"a personne|cette note|ce message)\b"
            ),
            (
                r"\b(?:approuve|accepte|valide|envoie|supprime|rembourse|transfere|execute|"
                r"paie)[zr]? [^.!?\n]{0,60}?sans (?:demander|prevenir|informer|consulter|confirmation|"
                r"en parler|verification|validation|l'accord)\b"
            ),
            (
                r"\b(?:approuve|accepte|valide)[zr]? (?:toutes?|tous|tout|chaque) <2>(?:propositions?|"
                r"demandes?|entrees?|requetes?|elements?|en attente|souvenirs?)\b"
            ),
            (
                r"\b(?:marque|considere)[zr]? (?:cette|ce|ces|toutes?|chaque) <2>comme (?:approuvee?s?|"
                r"verifiee?s?|fiables?|validee?s?|sures?)\b"
            ),
        ),
        _GROUPS,
    ),
    phrases(
        "speaks to the model (French)",
        (
            (
                r"\b(?:note|message|instruction|attention|important|consigne|rappel)(?: systeme)?(?: a| pour|"
                r" aux)? (?:l'|les |le |tous les )?{model} ?[:!-]"
            ),
            r"\bnote systeme ?:",
            r"\bsi (?:tu es|vous etes) (?:une? )?(?:ia|assistant|agent|modele|intelligence)\b",
            (
                r"\ben tant qu'(?:ia|assistant|agent|intelligence artificielle),? (?:tu|vous) (?:dois|devez|"
                r"peux|pouvez|ne)\b"
            ),
            r"\b(?:reponds|repondez|dis|dites) (?:toujours|uniquement|seulement|simplement) (?:que|par|avec|\"|')",
            (
                r"\b(?:termine|commence|ajoute|inclus)[zr]? [^.!?\n]{0,80}\b(?:ta|tes|votre|vos|chaque|"
                r"toute) (?:reponses?|resume)\b"
            ),
            r"\bsouviens-toi (?:toujours|pour toujours|a jamais)\b",
            (
                r"\b(?:reponds|reponse|repondez) [^.!?\n]{0,30}sans (?:aucune )?(?:restrictions?|filtres?|"
                r"censure|limites?)\b"
            ),
        ),
        _GROUPS,
    ),
)
