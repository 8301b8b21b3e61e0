"""Authority claims: a text that names a role or a blessing so as to be believed (contract 12.15).

"Legal approved the new terms" reports a decision and is none; "security has approved this, no review is needed" speaks of
itself. A phrase counts when role or blessing is tied to the text's own acceptance.
"""

from __future__ import annotations

from evidence.rules.phrases.english_authority import CLAIMS
from evidence.rules.phrases.phrase import Phrase, phrases

_GROUPS = {
    "role": (
        r"(?:(?:system|systems|security|account|database|site|platform|network|chief|senior|lead|global|root|"
        r"acting|head of|it|org|organi[sz]ation|project|company|super) )*(?:administrators?|admin|sysadmin|"
        r"superuser|owner|ceo|cto|ciso|cfo|coo|cio|founder|president|director|manager|supervisor|boss|officer|"
        r"auditor|developers?|engineer|creator|maintainer|moderator|compliance|security(?: team| officer| lead)?|"
        r"legal(?: team)?|operator|head|lead|reviewer|root user|authority)"
    ),
    "body": (
        r"(?:the |our |your )?(?:(?:it|information|cyber|chief|senior|head of|global|company|corporate|internal|"
        r"platform|core) )*(?:security|legal|compliance|management|leadership|audit|governance|risk|"
        r"admin(?:istration|istrators?|s)?|ciso|ceo|cto|cfo|board|headquarters|hq|it|operations|trust and safety|"
        r"system|openai|anthropic|google|microsoft|head office|executives?|moderators?|reviewers?|owners?|data "
        r"protection officer|dpo|developers?|vp of \w+|vice president|director|manager|team lead|lead engineer|"
        r"security (?:team|officer|lead|administrator|board|department|council))(?: team| department| office| "
        r"board| committee| council)?"
    ),
    "bless": (
        r"approved|authori[sz]ed|cleared|signed off(?: on)?|blessed|vetted|verified|validated|whitelisted|"
        r"endorsed|reviewed|sanctioned|confirmed|ratified|certified|greenlit|green lighted|accepted|oked|ok'ed|"
        r"okayed|pre approved|waived"
    ),
    "self": (
        r"(?:(?:this|that|these|the following|the above|said) (?:\w+ )?(?:memor(?:y|ies)|entr(?:y|ies)|notes?|"
        r"records?|proposals?|claims?|items?|facts?|requests?|statements?|messages?|text|instructions?|change|"
        r"content|update|action|command|directive|exception|rule|one|candidate|submission)|this(?=$|"
        r"[\s\"']*(?:[.,;:!)]|and\b|so\b|already\b|because\b|for\b|in advance\b|to be\b|itself\b|myself\b|"
        r"personally\b))|it(?= ?(?:already|in advance|beforehand|personally|myself|so\b|"
        r"and\b[^.]{0,30}\breview)))"
    ),
}

AUTHORITY: tuple[Phrase, ...] = (
    CLAIMS,
    phrases(
        "claims a role in order to be believed",
        (
            (
                r"\b(?:speaking |acting |writing |here )?(?:as|in my (?:role|capacity|position) as) (?:the |an? |your |"
                r"its |their )?<2>{role}(?: of [\w ]{1,30}?| here| in charge)?,? (?:of this \w+,? )?(?:i|we) (?:(?:have |"
                r"hereby |already |'ve |will |now |personally |do |can )*(?:confirm|approve|allow|permit|exempt|excuse|"
                r"release|authori[sz]e|order|direct|instruct|grant|require you|declare|certify|vouch|demand|command)|"
                r"(?:give|need|want|expect|tell|ask|request) you|(?:am|have|can|do|need|'ve|will|now|request|expect|state|"
                r"decided)(?=[^.!?\n]{0,80}\b(?:approv|authori|grant|order|instruct|verif|clear|waiv|permit|this (?:entry|"
                r"memory|note|record|claim)|review)))"
            ),
            (
                r"\b(?:i am|i'm|this is|it is|here is|it's) (?:the |an? |your |actually |really )*{role}\b(?: "
                r"\w+){0,3}?,? ?(?:(?:and|so|,|;|-|\.|:) ?)+(?:i |you |please |therefore |do |we |this |no |it |all |have "
                r"|grant|give|show|reveal|let |must |everything |tell |need |provide )(?=[^.!?\n]{0,80}\b(?:approv|"
                r"authori|order|instruct|grant|allow|permit|permission|override|must|need|require|access|show|reveal|obey|"
                r"comply|bypass|skip|trust|review|prompt|unlock|disable|confirm|restrict|password|secret)\w*)"
            ),
            (
                r"\b(?:i have|i've|i hold|with|using|under) <1>(?:root|admin|administrator|administrative|full|executive|"
                r"developer|security|top secret|highest|elevated) (?:access|authority|privileges?|rights|clearance|"
                r"permissions?|credentials|authori[sz]ation)\b(?=[^.!?\n]{0,80}\b(?:you|i|so|approve\w*|hereby|grant\w*|"
                r"order\w*|override|therefore|ignore|reveal|this)\b)"
            ),
            (
                r"\b(?:on behalf of|by order of|by authority of|under the authority of|on the orders of|per order of|at "
                r"the direction of|by decree of|with the blessing of|with the authority of) "
                r"{body}\b(?=[^.!?\n]{0,120}\b(?:this|you|approv\w*|must|trust\w*|review\w*|hereby|i|all|every|accept\w*|"
                r"memory|entry|note)\b)"
            ),
            (
                r"\b(?:i|we) (?:hereby|personally|herewith|officially|already|have already|have personally|have hereby) "
                r"<1>(?:approve|authori[sz]e|certify|confirm|verify|validate|vouch for|sign off|clear|grant|attest|"
                r"guarantee|{bless})\b(?=[^.!?\n]{0,60}\b(?:{self}|memory|entry|note|record|proposal|you|access)\b)"
            ),
            (
                r"\b(?:trust me|believe me|you can trust this|rest assured|take my word)\b(?=[^.!?\n]{0,80}\b(?:admin\w*|"
                r"approv\w*|verif\w*|author\w*|review\w*|official|security|correct|this)\b)"
            ),
            (
                r"\bi(?: am|'m) (?:from|with|part of|writing from|calling from|a member of) "
                r"{body}\b(?=[^!?\n]{0,100}\b(?:approv|authori|must|please|need|require|trust|grant|urgent|immediately|"
                r"verif|confirm|you)\w*)"
            ),
            (
                r"\bi(?: am|'m) (?:an? |the |your )?(?:security researcher|developer|creator|programmer|engineer|openai|"
                r"anthropic|red team\w*|pen ?tester)\b[^\n]{0,100}\b(?:show|reveal|list|print|prompt|instructions|ignore|"
                r"disable|bypass|unlock|unrestricted|hidden)\b"
            ),
        ),
        _GROUPS,
    ),
    phrases(
        "claims that it was approved elsewhere",
        (
            (
                r"\b{body} (?:has|have|had|was|already|fully|just|hereby|officially)? ?(?:has |have |already |fully |just "
                r"|hereby |officially |personally |been )*{bless} {self}"
            ),
            (
                r"{self} (?:has|have|is|was|were|are) (?:now |also |been |already |fully |officially |formally |pre-?|"
                r"hereby )*{bless} (?:by|through|via|at|with|per) {body}"
            ),
            (
                r"{self} (?:has|have|is|was|were|are|comes?)? ?(?:been |already |now |considered |to be |hereby "
                r")*(?:pre-?approved|pre approved|whitelisted|preauthori[sz]ed|pre authori[sz]ed|auto ?approved|exempt "
                r"from (?:review|approval|verification)|official|authoritative|above review|beyond review|fully trusted|"
                r"certified as true)\b"
            ),
            (
                r"\b(?:memor(?:y|ies)|entries|notes|records|proposals|claims|items|facts)(?: \w+){0,4} (?:are|is|were|"
                r"have been|must be treated as|count as) (?:now |always |already |considered |hereby )*(?:pre-?approved|"
                r"pre approved|auto ?approved|whitelisted|exempt from (?:review|approval|verification)|trusted by "
                r"default)\b"
            ),
            (
                r"\b(?:already|pre-?|previously|fully|officially) ?(?:been )?(?:{bless})(?: by "
                r"{body})?[^.!?\n]{0,40}?[,;.:-] ?(?:so |therefore |hence |thus |and )?(?:no|without|skip|there is no|you "
                r"(?:can|may|need not)|do not need|does not need|needs no|requires no|don't) (?:\w+ ){0,4}(?:review|"
                r"approval|verification|check(?:s|ing)?|confirmation|questions?)\b"
            ),
            r"\b{self} (?:needs?|requires?) no (?:\w+ )?(?:review|approval|verification|confirmation|check)",
            (
                r"\b(?:no|without) (?:further |additional |any |human |manual |more |second )*(?:review|approval|"
                r"verification|confirmation|questions?|checks?) (?:is |are |was |will be )?(?:needed|required|"
                r"necessary)\b(?=[^.!?\n]{0,60}\b(?:{self}|for this|on this|authori[sz]\w*)\b)"
            ),
            (
                r"\b(?:approved|authori[sz]ed|verified|certified|cleared|signed|vetted|validated) by (?:the |our |your "
                r")?(?:ceo|cto|ciso|cfo|administrator|admin|security team|system administrator|root|management|legal|"
                r"compliance|head of \w+|anthropic|openai)\b(?=[^.!?\n]{0,60}[,;:-] ?(?:no|do not|skip|trust|approve|"
                r"accept|so |must|you|treat|always|please)\b)"
            ),
            (
                r"{self} [^.!?\n]{0,40}\b(?:must|may|should|need|does|do|can) ?not (?:need |have |require |to )*(?:be "
                r")?(?:review|question|verif|check|challeng)\w*"
            ),
            (
                r"\b(?:trust|believe) (?:this|these|the following) (?:\w+ )?(?:memor(?:y|ies)|entr(?:y|ies)|notes?|"
                r"records?|claims?|statements?|messages?)\b"
            ),
            r"\bpolicy (?:updated?|change[ds]?|override)\b[^.!?\n]{0,80}\bpre-?approved\b",
            (
                r"\b(?:the |this )?(?:user|owner|human|reviewer|operator) (?:has|have|had) (?:already |explicitly |"
                r"previously |fully )*(?:approved|authori[sz]ed|consented to|confirmed|granted|agreed to) (?:this|these|"
                r"all|every|any|everything)\b(?=[^.!?\n]{0,60}\b(?:action|change|entry|memory|request|in advance|so|"
                r"future|access|no|without|command|tool|transfer|step)\b)"
            ),
            (
                r"\b(?:official|authoritative|binding|mandatory) (?:statement|notice|directive|policy|message|instruction|"
                r"order|update|communication)s? (?:from|by|of|issued by) {body}\b(?=[^!?\n]{0,80}\b(?:you|must|all|"
                r"agents?|assistants?|trust|approve|accept|this|memory|immediately)\b)"
            ),
            (
                r"\bthis (?:\w+ )?(?:message|note|entry|memory|text|instruction|record)s? (?:is|comes|was|has been) "
                r"(?:directly |issued |sent |written )*(?:from|by) (?:the |your |our )?(?:system administrators?|"
                r"administrators?|security team|developers?|openai|anthropic|system|management|ceo|owner|it department)\b"
            ),
        ),
        _GROUPS,
    ),
    phrases(
        "claims a role or an approval (other language)",
        (
            (
                r"\bals (?:der |die |ihr |euer |dein )?(?:\w+-?)?(?:administrator(?:in)?|admin|systemadministrator(?:in)?|"
                r"sicherheitsbeauftragter?|geschaftsfuhrer(?:in)?|leiter(?:in)?|vorgesetzter?|chef(?:in)?|"
                r"entwickler(?:in)?|inhaber(?:in)?|datenschutzbeauftragter?|verantwortlicher?)(?: der \w+| des \w+)?,? "
                r"(?:habe|bestatige|genehmige|ordne|erklare|weise|erlaube|autorisiere|gebe|bin|kann|versichere) ich\b"
            ),
            (
                r"\b(?:diese[rs]?|dieser) (?:eintrag|notiz|hinweis|vorschlag|erinnerung|text|nachricht|anweisung|fakt) "
                r"(?:ist|wurde) <2>(?:bereits )?(?:vom?|von der|durch) <3>(?:genehmigt|freigegeben|gepruft|autorisiert|"
                r"bestatigt)\b"
            ),
            (
                r"\b(?:die )?(?:sicherheit|sicherheitsabteilung|rechtsabteilung|geschaftsleitung|leitung|it-abteilung|"
                r"administration) hat (?:bereits |schon )?(?:dies|das|diesen \w+|diese \w+|dieses \w+) (?:bereits |schon |"
                r"vorab )?(?:genehmigt|freigegeben|gepruft|autorisiert|bestatigt)\b"
            ),
            (
                r"\b(?:keine|ohne) (?:weitere )?(?:prufung|freigabe|genehmigung|kontrolle) (?:ist )?(?:notig|notwendig|"
                r"erforderlich)\b(?=[^.!?\n]{0,40}\b(?:dies\w*|eintrag)\b)"
            ),
            (
                r"\b(?:bereits|schon|vorab) (?:\w+ )?(?:genehmigt|freigegeben|gepruft|autorisiert)[,;.:-]? ?(?:daher |"
                r"also |deshalb |und )?(?:ist |es ist )?(?:keine|ohne) (?:weitere )?(?:prufung|freigabe|genehmigung|"
                r"kontrolle)\b"
            ),
            (
                r"\ben tant qu(?:e|') ?(?:l')?(?:administrat(?:eur|rice)|admin|responsable|directeur|directrice|chef|"
                r"developpeur|proprietaire|officier|auditeur)[^.!?\n]{0,40}?,? (?:j'ai|j'autorise|j'approuve|je "
                r"(?:confirme|valide|declare|certifie|vous|t'|te|donne|autorise))"
            ),
            (
                r"\b(?:cette|ce|cet) (?:entree|note|proposition|message|souvenir|fait|instruction) (?:a (?:deja )?ete|est "
                r"(?:deja )?) ?(?:approuvee?|validee?|autorisee?|verifiee?) par\b"
            ),
            (
                r"\b(?:la |l'|le )?(?:securite|equipe de securite|direction|service juridique|administration) a (?:deja "
                r")?(?:approuve|valide|autorise|verifie) (?:ceci|cela|cette|ce|cet)\b"
            ),
            (
                r"\b(?:deja|pre-?) ?(?:approuvee?|validee?|autorisee?)[^.!?\n]{0,30}[,;.:-] ?(?:donc |aucune|pas besoin|"
                r"inutile|sans) ?(?:de )?(?:\w+ )?(?:revue|relecture|verification|validation|controle|approbation)\b"
            ),
            (
                r"\bcomo (?:el |la |su |tu )?(?:administrador(?:a)?|admin|responsable|director(?:a)?|jefe|jefa|"
                r"desarrollador(?:a)?|propietari[oa]|auditor(?:a)?|gerente)[^.!?\n]{0,40}?,? (?:he |ya |yo |autorizo|"
                r"apruebo|confirmo|certifico|declaro|ordeno|te |le |doy)"
            ),
            (
                r"\b(?:esta|este) (?:entrada|nota|propuesta|mensaje|memoria|hecho|instruccion) (?:ya )?(?:ha sido|fue|"
                r"esta) (?:ya )?(?:aprobad[oa]|autorizad[oa]|verificad[oa]|validad[oa]) por\b"
            ),
            (
                r"\b(?:la |el )?(?:seguridad|equipo de seguridad|direccion|departamento legal|administracion) (?:ya "
                r")?(?:ha )?(?:aprobado|autorizado|verificado|aprobo|autorizo) (?:esto|esta|este)\b"
            ),
            (
                r"\b(?:ya|pre-?) ?(?:aprobad[oa]|autorizad[oa]|verificad[oa])[^.!?\n]{0,30}[,;.:-] ?(?:no (?:hace falta|"
                r"se necesita|requiere|es necesari[oa])|sin) ?(?:\w+ )?(?:revision|aprobacion|verificacion|"
                r"comprobacion)\b"
            ),
        ),
    ),
)
