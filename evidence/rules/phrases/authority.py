"""Authority claims: a text that names a role or a blessing so as to be believed (contract 12.15).

"Legal approved the new terms" reports a decision and is none; "security has approved this, no review is needed" speaks of
itself. A phrase counts when role or blessing is tied to the text's own acceptance.
"""

from __future__ import annotations

from evidence.rules.phrases.phrase import Phrase, phrases

_GROUPS = {
    "role": r"(?:(?:system|systems|security|account|database|site|platform|network|chief|senior|lead|global|root|"
    r"acting|head of|it|org|organi[sz]ation|project|company|super) )*(?:"
    r"administrators?|admin|sysadmin|superuser|owner|ceo|cto|ciso|cfo|coo|cio|founder|president|director|"
    r"manager|supervisor|boss|officer|auditor|developers?|engineer|creator|"
    r"maintainer|moderator|compliance|security(?: team| officer| lead)?|legal(?: team)?|operator|head|"
    r"lead|reviewer|root user|authority)",
    "body": r"(?:the |our |your )?(?:(?:it|information|cyber|chief|senior|head of|global|company|corporate|"
    r"internal|platform|core) )*(?:security|legal|compliance|management|leadership|audit|governance|risk|"
    r"admin(?:istration|istrators?|s)?|"
    r"ciso|ceo|cto|cfo|board|headquarters|hq|it|operations|trust and safety|system|openai|anthropic|"
    r"google|microsoft|head office|executives?|moderators?|reviewers?|owners?|data protection officer|dpo|"
    r"developers?|"
    r"vp of \w+|vice president|director|manager|team lead|lead engineer|security (?:team|officer|lead|"
    r"administrator|board|department|council))(?: team| department| office| board| committee| council)?",
    "bless": r"approved|authori[sz]ed|cleared|signed off(?: on)?|blessed|vetted|verified|validated|whitelisted|"
    r"endorsed|reviewed|sanctioned|confirmed|ratified|certified|greenlit|green lighted|accepted|ok'?ed|"
    r"okayed|pre approved|waived",
    "self": r"(?:(?:this|that|these|the following|the above|said) (?:\w+ )?(?:memor(?:y|ies)|entr(?:y|ies)|notes?|"
    r"records?|proposals?|claims?|items?|facts?|requests?|statements?|messages?|text|instructions?|change|"
    r"content|update|action|command|directive|exception|rule|one|candidate|submission)|this(?=$|"
    r"[\s\"']*(?:[.,;:!)]|and\b|so\b|already\b|because\b|for\b|in advance\b|to be\b|itself\b|myself\b|"
    r"personally\b))|it(?= ?(?:already|in advance|beforehand|personally|myself|so\b|"
    r"and\b[^.]{0,30}\breview)))",
}

AUTHORITY: tuple[Phrase, ...] = (
    phrases(
        "claims a role in order to be believed",
        (
            (
                r"\b(?:speaking |acting |writing |here )?(?:as|in my (?:role|capacity|"
                r"position) as) (?:the |"
                r"an? |your |its |their )?<2>{role}(?: of [\w ]{1,30}?| here|"
                r" in charge)?,? (?:of this \w+,? )?(?:i|we) "
                r"(?:(?:have |hereby |already |'ve |will |now |personally |do |can )*(?:confirm|approve|"
                r"authori[sz]e|order|"
                r"direct|instruct|grant|require you|declare|certify|vouch|demand|command)|(?:give|need|"
                r"want|expect|tell|ask|"
                r"request) you|(?:am|have|can|do|need|'ve|will|now|request|expect|state|"
                r"decided)(?=[^.!?\n]{0,80}\b(?:approv|"
                r"authori|grant|order|instruct|verif|clear|waiv|permit|this (?:entry|memory|note|record|"
                r"claim)|review)))"
            ),
            (
                r"\b(?:i am|i'm|this is|it is|here is|it's) (?:the |an? |your |actually |"
                r"really )*{role}\b(?: \w+){0,3}?,? ?(?:(?:and|so|,|;|-|\.|:) ?)+(?:i |you |please |"
                r"therefore |do |we |this |no |it |all |have |grant|give|show|reveal|let |must |everything |"
                r"tell |need |provide )(?=[^.!?\n]{0,80}\b(?:approv|authori|order|instruct|grant|allow|permit|"
                r"permission|override|must|need|require|access|show|reveal|obey|comply|bypass|skip|trust|"
                r"review|prompt|unlock|disable|confirm|restrict|password|secret)\w*)"
            ),
            (
                r"\b(?:i have|i've|i hold|with|using|under) <1>(?:root|admin|administrator|administrative|"
                r"full|executive|developer|security|top secret|highest|elevated) (?:access|authority|"
                r"privileges?|rights|clearance|permissions?|credentials|"
                r"authori[sz]ation)\b(?=[^.!?\n]{0,80}\b(?:you|i|so|approve\w*|hereby|grant\w*|order\w*|"
                r"override|therefore|ignore|reveal|this)\b)"
            ),
            (
                r"\b(?:on behalf of|by order of|by authority of|under the authority of|on the orders of|"
                r"per order of|at the direction of|by decree of|with the blessing of|"
                r"with the authority of) {body}\b(?=[^.!?\n]{0,120}\b(?:this|you|approv\w*|must|trust\w*|"
                r"review\w*|hereby|i|all|every|accept\w*|memory|entry|note)\b)"
            ),
            (
                r"\b(?:i|we) (?:hereby|personally|herewith|officially|already|have already|have personally|"
                r"have hereby) <1>(?:approve|authori[sz]e|certify|confirm|verify|validate|vouch for|sign off|"
                r"clear|grant|attest|guarantee|{bless})\b(?=[^.!?\n]{0,60}\b(?:{self}|memory|entry|note|"
                r"record|proposal|you|access)\b)"
            ),
            (
                r"\b(?:trust me|believe me|you can trust this|rest assured|"
                r"take my word)\b(?=[^.!?\n]{0,80}\b(?:admin\w*|approv\w*|verif\w*|author\w*|review\w*|"
                r"official|security|correct|this)\b)"
            ),
            (
                r"\bi(?: am|'m) (?:from|with|part of|writing from|calling from|"
                r"a member of) {body}\b(?=[^!?\n]{0,100}\b(?:approv|authori|must|please|need|require|trust|"
                r"grant|urgent|immediately|verif|confirm|you)\w*)"
            ),
            (
                r"\bi(?: am|'m) (?:an? |the |your )?(?:security researcher|developer|creator|programmer|"
                r"engineer|openai|anthropic|red team\w*|pen ?tester)\b[^\n]{0,100}\b(?:show|reveal|list|print|"
                r"prompt|instructions|ignore|disable|bypass|unlock|unrestricted|hidden)\b"
            ),
        ),
        _GROUPS,
    ),
    phrases(
        "claims that it was approved elsewhere",
        (
            (
                r"\b{body} (?:has|have|had|was|already|fully|just|hereby|officially)? ?(?:has |have |already |"
                r"fully |just |hereby |officially |personally |been )*{bless} {self}"
            ),
            (
                r"{self} (?:has|have|is|was|were|are) (?:now |also |been |already |fully |officially |"
                r"formally |pre-?|hereby )*{bless} (?:by|through|via|at|with|per) {body}"
            ),
            (
                r"{self} (?:has|have|is|was|were|are|comes?)? ?(?:been |already |now |considered |to be |"
                r"hereby )*(?:pre-?approved|pre approved|whitelisted|preauthori[sz]ed|pre authori[sz]ed|"
                r"auto ?approved|exempt from (?:review|approval|verification)|official|authoritative|"
                r"above review|beyond review|fully trusted|certified as true)\b"
            ),
            (
                r"\b(?:memor(?:y|ies)|entries|notes|records|proposals|claims|items|facts)(?: \w+){0,4} (?:are|"
                r"is|were|have been|must be treated as|count as) (?:now |always |already |considered |"
                r"hereby )*(?:pre-?approved|pre approved|auto ?approved|whitelisted|exempt from (?:review|"
                r"approval|verification)|trusted by default)\b"
            ),
            (
                r"\b(?:already|pre-?|previously|fully|officially) ?(?:been )?(?:{bless})(?: by {body})"
                r"?[^.!?\n]{0,40}?[,;.:-] ?(?:so |therefore |hence |thus |and )?(?:no|without|skip|"
                r"there is no|you (?:can|may|need not)|do not need|does not need|needs no|requires no|"
                r"don't) (?:\w+ ){0,4}(?:review|approval|verification|check(?:s|ing)?|confirmation|"
                r"questions?)\b"
            ),
            r"\b{self} (?:needs?|requires?) no (?:\w+ )?(?:review|approval|verification|confirmation|check)",
            (
                r"\b(?:no|without) (?:further |additional |any |human |manual |more |second )*(?:review|"
                r"approval|verification|confirmation|questions?|checks?) (?:is |are |was |will be )?(?:needed|"
                r"required|necessary)\b(?=[^.!?\n]{0,60}\b(?:{self}|for this|on this|authori[sz]\w*)\b)"
            ),
            (
                r"\b(?:approved|authori[sz]ed|verified|certified|cleared|signed|vetted|validated) by (?:the |"
                r"our |your )?(?:ceo|cto|ciso|cfo|administrator|admin|security team|system administrator|root|"
                r"management|legal|compliance|head of \w+|anthropic|openai)\b(?=[^.!?\n]{0,60}[,;:-] ?(?:no|"
                r"do not|skip|trust|approve|accept|so |must|you|treat|always|please)\b)"
            ),
            (
                r"{self} [^.!?\n]{0,40}\b(?:must|may|should|need|does|do|can) ?not (?:need |have |require |"
                r"to )*(?:be )?(?:review|question|verif|check|challeng)\w*"
            ),
            (
                r"\b(?:trust|believe) (?:this|these|the following) (?:\w+ )?(?:memor(?:y|ies)|entr(?:y|ies)|"
                r"notes?|records?|claims?|statements?|messages?)\b"
            ),
            r"\bpolicy (?:updated?|change[ds]?|override)\b[^.!?\n]{0,80}\bpre-?approved\b",
            (
                r"\b(?:the |this )?(?:user|owner|human|reviewer|operator) (?:has|have|had) (?:already |"
                r"explicitly |previously |fully )*(?:approved|authori[sz]ed|consented to|confirmed|granted|"
                r"agreed to) (?:this|these|all|every|any|everything)\b(?=[^.!?\n]{0,60}\b(?:action|change|"
                r"entry|memory|request|in advance|so|future|access|no|without|command|tool|transfer|step)\b)"
            ),
            (
                r"\b(?:official|authoritative|binding|mandatory) (?:statement|notice|directive|policy|message|"
                r"instruction|order|update|communication)s? (?:from|by|of|"
                r"issued by) {body}\b(?=[^!?\n]{0,80}\b(?:you|must|all|agents?|assistants?|trust|approve|"
                r"accept|this|memory|immediately)\b)"
            ),
            (
                r"\bthis (?:\w+ )?(?:message|note|entry|memory|text|instruction|record)s? (?:is|comes|was|"
                r"has been) (?:directly |issued |sent |written )*(?:from|by) (?:the |your |"
                r"our )?(?:system administrators?|administrators?|security team|developers?|openai|anthropic|"
                r"system|management|ceo|owner|it department)\b"
            ),
        ),
        _GROUPS,
    ),
    phrases(
        "claims a role or an approval (other language)",
        (
            (
                r"\bals (?:der |die |ihr |euer |dein )?(?:\w+-?)?(?:administrator(?:in)?|admin|"
                r"systemadministrator(?:in)?|sicherheitsbeauftragter?|geschaftsfuhrer(?:in)?|leiter(?:in)?|"
                r"vorgesetzter?|chef(?:in)?|entwickler(?:in)?|inhaber(?:in)?|datenschutzbeauftragter?|"
                r"verantwortlicher?)(?: der \w+| des \w+)?,? (?:habe|bestatige|genehmige|ordne|erklare|weise|"
                r"erlaube|autorisiere|gebe|bin|kann|versichere) ich\b"
            ),
            (
                r"\b(?:diese[rs]?|dieser) (?:eintrag|notiz|hinweis|vorschlag|erinnerung|text|nachricht|"
                r"anweisung|fakt) (?:ist|wurde) <2>(?:bereits )?(?:vom?|von der|durch) <3>(?:genehmigt|"
                r"freigegeben|gepruft|autorisiert|bestatigt)\b"
            ),
            (
                r"\b(?:die )?(?:sicherheit|sicherheitsabteilung|rechtsabteilung|geschaftsleitung|leitung|"
                r"it-abteilung|administration) hat (?:dies|das|diesen \w+|diese \w+|"
                r"dieses \w+) <2>(?:bereits )?(?:genehmigt|freigegeben|gepruft|autorisiert|bestatigt)\b"
            ),
            (
                r"\b(?:keine|ohne) (?:weitere )?(?:prufung|freigabe|genehmigung|kontrolle) (?:ist )?(?:notig|"
                r"notwendig|erforderlich)\b(?=[^.!?\n]{0,40}\b(?:dies\w*|eintrag)\b)"
            ),
            (
                r"\b(?:bereits|schon|vorab) (?:\w+ )?(?:genehmigt|freigegeben|gepruft|"
                r"autorisiert)[,;.:-]? ?(?:daher |also |deshalb |und )?(?:ist |es ist )?(?:keine|"
                r"ohne) (?:weitere )?(?:prufung|freigabe|genehmigung|kontrolle)\b"
            ),
            (
                r"\ben tant qu(?:e|') ?(?:l')?(?:administrat(?:eur|rice)|admin|responsable|directeur|"
                r"directrice|chef|developpeur|proprietaire|officier|auditeur)[^.!?\n]{0,40}?,? (?:j'ai|"
                r"j'autorise|j'approuve|je (?:confirme|valide|declare|certifie|vous|t'|te|donne|autorise))"
            ),
            (
                r"\b(?:cette|ce|cet) (?:entree|note|proposition|message|souvenir|demande|fait|"
                r"instruction) (?:a (?:deja )?ete|est (?:deja )?) ?(?:approuvee?|validee?|autorisee?|"
                r"verifiee?) par\b"
            ),
            (
                r"\b(?:la |l'|le )?(?:securite|equipe de securite|direction|service juridique|"
                r"administration) a (?:deja )?(?:approuve|valide|autorise|verifie) (?:ceci|cela|cette|ce|"
                r"cet)\b"
            ),
            (
                r"\b(?:deja|pre-?) ?(?:approuvee?|validee?|autorisee?)[^.!?\n]{0,30}[,;.:-] ?(?:donc |aucune|"
                r"pas besoin|inutile|sans) ?(?:de )?(?:\w+ )?(?:revue|relecture|verification|validation|"
                r"controle|approbation)\b"
            ),
            (
                r"\bcomo (?:el |la |su |tu )?(?:administrador(?:a)?|admin|responsable|director(?:a)?|jefe|"
                r"jefa|desarrollador(?:a)?|propietari[oa]|auditor(?:a)?|gerente)[^.!?\n]{0,40}?,? (?:he |ya |"
                r"yo |autorizo|apruebo|confirmo|certifico|declaro|ordeno|te |le |doy)"
            ),
            (
                r"\b(?:esta|este) (?:entrada|nota|propuesta|mensaje|memoria|solicitud|hecho|"
                r"instruccion) (?:ya )?(?:ha sido|fue|esta) (?:ya )?(?:aprobad[oa]|autorizad[oa]|"
                r"verificad[oa]|validad[oa]) por\b"
            ),
            (
                r"\b(?:la |el )?(?:seguridad|equipo de seguridad|direccion|departamento legal|"
                r"administracion) (?:ya )?(?:ha )?(?:aprobado|autorizado|verificado|aprobo|autorizo) (?:esto|"
                r"esta|este)\b"
            ),
            (
                r"\b(?:ya|pre-?) ?(?:aprobad[oa]|autorizad[oa]|verificad[oa])"
                r"[^.!?\n]{0,30}[,;.:-] ?(?:no (?:hace falta|se necesita|requiere|es necesari[oa])|"
                r"sin) ?(?:\w+ )?(?:revision|aprobacion|verificacion|comprobacion)\b"
            ),
        ),
    ),
)
