"""Instruction-like text in a dozen more languages (contract 9, 12.15): overrides, new roles, prompt requests.

Written for folded text: without accents; й is и, compatible forms of a letter are one.
"""

from __future__ import annotations

from evidence.rules.phrases.phrase import Phrase, phrases

OTHERS: tuple[Phrase, ...] = (
    phrases(
        "asks to set earlier instructions aside",
        (
            (
                r"\b(?:ignor(?:a|ate|are|i)|dimentica(?:te|re)?|trascura|non (?:seguire|"
                r"considerare)) <3>(?:istruzioni|regole|indicazioni|direttive|ordini|prompt|"
                r"comandi)(?: \w+){0,2} ?(?:precedenti|sopra|iniziali|ricevute|originali|di sistema)?\b"
            ),
            r"\b(?:dimentica|ignora) tutto (?:cio|quello|quanto)\b",
            (
                r"\b(?:ignor[ea]m?|esque[cç]?[ae]|desconsider[ea]m?|nao sigas?) <3>(?:instrucoes|regras|"
                r"orientacoes|diretrizes|ordens|comandos|prompt)(?: \w+){0,2}\b"
            ),
            r"\b(?:esqueca|ignore) tudo (?:o que|que)\b",
            (
                r"\b(?:negeer|vergeet|sla) <3>(?:vorige|eerdere|voorgaande|bovenstaande|jouw|je|"
                r"alle) <2>(?:instructies|regels|opdrachten|richtlijnen|aanwijzingen|prompts?)\b"
            ),
            (
                r"\b(?:zignoruj|ignoruj|zapomnij(?: o)?) <3>(?:instrukcje|instrukcjach|polecenia|poleceniach|"
                r"zasady|zasadach|wytyczne)\b"
            ),
            (
                r"\b(?:ignorera|glom|bortse fran|ignorer|glem|se bort fra) <3>(?:tidigare|foregaende|"
                r"tidligere|forrige|alla|alle) <2>(?:instruktioner|instrukser|instruksjoner|regler|"
                r"anvisninger)\b"
            ),
            (
                r"\b(?:onceki|tum|butun|yukaridaki) <3>(?:talimatlari|talimatlarini|kurallari|komutlari|"
                r"yonergeleri) <2>(?:yok say|unut|gormezden gel|dikkate alma)"
            ),
            r"\b(?:abaikan|lupakan) <2>(?:instruksi|perintah|aturan|petunjuk) <2>(?:sebelumnya|di atas|itu)\b",
            (
                r"\b(?:zanemari|zaboravi|ignorisi|ignoriraj|ignoruj|ignorujte|zapomen|"
                r"zabudni)(?:te)? <3>(?:prethodn\w+|ranij\w+|predchoz\w+|predchadzajuc\w+|vsechn\w+|sva|sve)\b"
            ),
            r"\b(?:ohita|unohda) <2>(?:aiemmat|edelliset|kaikki) <2>(?:ohjeet|saannot|kaskyt)\b",
            r"\bbo qua <2>(?:huong dan|chi thi|lenh|quy tac)\b",
            r"\b(?:hagyd figyelmen kivul|felejtsd el) <3>(?:utasitas\w*|szabaly\w*)\b",
        ),
    ),
    phrases(
        "gives the model another role or asks for its prompt",
        (
            (
                r"\b(?:ora|adesso|d'ora in poi) (?:sei|tu sei|agisci|rispondi|devi)\b(?: (?:un|una|il|la|come|"
                r"in|libero|dan|solo|senza|ignorare)\b)"
            ),
            r"\b(?:fingi|finja|finge) (?:di essere|che|ser|que)\b",
            r"\bagora (?:voce e|tu es|voce esta) (?:um|uma|o|a|livre|em)\b",
            r"\ba partir de agora,? (?:voce|tu) (?:e|es|deve|vai|sera|respondera|nao)\b",
            r"\bje bent (?:nu|vanaf nu) (?:een|de|mijn|in|vrij)\b",
            r"\bdoe alsof (?:je|u)\b",
            r"\bjestes teraz\b",
            r"\budawaj,? ze jestes\b",
            (
                r"\b(?:mostra(?:mi)?|rivela(?:mi)?|ripeti|dimmi|stampa) <3>(?:tue|tuo|tuoi|le|"
                r"il) <2>(?:istruzioni|prompt|regole|messaggio di sistema)(?: (?:iniziali|di sistema|"
                r"originali|parola))?\b"
            ),
            (
                r"\b(?:mostre|revele|repita|diga|imprima)(?:-me| me)? <3>(?:suas|seu|tuas|teu|o|"
                r"as) <2>(?:instrucoes|prompt|mensagem do sistema)\b"
            ),
            (
                r"\b(?:toon|onthul|herhaal|geef|vertel)(?: me| mij)? <2>(?:je|jouw|de|uw) <2>(?:systeemprompt|"
                r"prompt|instructies)\b"
            ),
            r"\bpokaz <2>(?:swoj|twoj|swoje) <2>(?:prompt|instrukcje)\b",
        ),
    ),
    phrases(
        "asks to set earlier instructions aside",
        (
            (
                r"\b(?:игнорир\w+|забуд\w+|пренебре\w+|ігнору\w+|не следу\w+|"
                r"не обраща\w+ внимани\w+ на) <4>(?:инструкци\w+|указани\w+|правил\w*|команд\w*|приказ\w*|"
                r"інструкці\w+|сообщени\w+|запрос\w*|директив\w+)\b"
            ),
            r"\bзабуд\w+ (?:все|про все|обо всем),? (?:что|о чем)\b",
            r"\b(?:теперь ты|ты теперь|отныне ты|с этого момента ты)\b(?! (?:на|в) )",
            (
                r"\b(?:раскро\w+|покаж\w+|повтори\w*|выведи\w*|напиши\w*) <3>(?:системн\w+ (?:промпт\w*|"
                r"сообщени\w+|инструкци\w+|запрос\w*)|свои инструкци\w+|свой промпт)\b"
            ),
            (
                r"\bне (?:говори|сообщай|рассказывай|упоминай)\w* <3>(?:пользовател\w+|человек\w*|"
                r"никому)\b(?=.{0,40}(?:это|об этом|заметк|$|[.!]))"
            ),
            (
                r"\b(?:одобри|одобряй|утверди|подтверди)\w* (?:все|каждую|каждый|любые|"
                r"любую) <2>(?:предложени\w+|запрос\w*|заявк\w+|запис\w+)\b"
            ),
            r"\b(?:притвори\w+|представь,? что ты|веди себя,? как|действуй как)\b",
        ),
    ),
    phrases(
        "asks to set earlier instructions aside",
        (
            r"(?:忽略|忽视|无视|無視|忘记|忘掉|忘記|不要理会|不要遵守|抛开)[^。！？\n]{0,12}(?:指令|指示|提示|规则|規則|命令|要求|说明|說明|约束|限制|设定|内容)",
            r"(?:你现在是|你現在是|从现在开始你|从现在起[，,]?你|請扮演|请扮演|你将扮演|假装你是)",
            r"(?:显示|告诉我|输出|透露|重复|打印|泄露|顯示)[^。！？\n]{0,8}(?:系统提示|系統提示|提示词|初始指令|系统消息)",
            r"不要(?:告诉|通知|提醒)(?:用户|任何人|审核)",
            r"批准所有[^。！？\n]{0,6}(?:提案|请求|条目|申请)",
            r"(?:指示|命令|ルール|プロンプト|指令|制約|説明)[^。！？\n]{0,8}(?:無視|忘れ|従わないで)",
            r"(?:あなたは今から|今からあなたは|あなたはこれから)[^。！？\n]{0,20}(?:です|として|なりき)",
            r"システムプロンプト[^。！？\n]{0,8}(?:教えて|表示|出力|見せて|開示)",
            r"(?:이전|앞의|위의|모든|기존)[^.!?\n]{0,12}(?:지시|명령|규칙|지침|프롬프트)[^.!?\n]{0,10}(?:무시|잊)",
            r"(?:지금부터|이제부터) (?:너는|당신은)",
            r"(?:تجاهل|انس|اهمل)[^.!؟\n]{0,20}(?:التعليمات|الأوامر|القواعد|الاوامر|تعليمات)",
            r"(?:निर्देश|नियम)[^।!?\n]{0,12}(?:अनदेखा|नज़रअंदाज|भूल)",
            r"התעלם[^.!?\n]{0,16}(?:הוראות|ההוראות|הנחיות|כללים)",
            r"(?:เพิกเฉย|ละเว้น|ไม่ต้องสนใจ)[^\n]{0,12}(?:คำสั่ง|คำแนะนำ)",
        ),
    ),
)
