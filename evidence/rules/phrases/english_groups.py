"""Groups of English words that the instruction-like phrases share; `{name}` in a pattern stands for one.

Words only; what they mean together is said where they are used.
"""

from __future__ import annotations

GROUPS = {
    "drop": r"(?<!never\s)(?<!not\s)(?<!n't\s)(?:ignor(?:e|es|ed|ing)|disregard(?:s|ed|ing)?|forget(?:ting)?|"
    r"overlook|override|overrule|bypass|"
    r"neglect|"
    r"pay no (?:attention|heed) to|(?:do not|don't|never|stop|cease|no longer|not) (?:follow|obey|"
    r"adhere to|comply with|listen to|"
    r"following|obeying|listening to)|set aside|throw (?:away|out)|break free (?:of|from))",
    "prior": r"previous(?:ly)?|prior|preceding|earlier|above|foregoing|former|initial|original|aforementioned|"
    r"system|developer|safety|ethical|moral|hidden|internal|openai(?:'s)?|anthropic(?:'s)?|built in",
    "weak": r"other|old|current|existing|last",
    "told": r"instructions?|instructed|directions?|directives?|guidelines?|guidance|rules?|prompts?|commands?|"
    r"orders?|constraints?|"
    r"restrictions?|limitations?|programming|training|safeguards?|guardrails?|polic(?:y|ies)|protocols?|"
    r"principles|filters?",
    "own": r"instructions?|guidelines?|rules?|prompts?|directives?|programming|training|safeguards?|guardrails?|"
    r"polic(?:y|ies)|"
    r"restrictions?|constraints?|limitations?|filters?|principles|ethics|morals|orders|commands",
    "show": r"(?<!never\s)(?<!not\s)(?<!n't\s)(?:(?:need|want|let me|allowed?|like) (?:to )?(?:see|view|know|access)|"
    r"let me see|reveal|show|print|"
    r"repeat|output|display|tell|give|share|leak|disclose|expose|write|list|state|recite|quote|"
    r"return|provide|dump|summari[sz]e|translate|spell|copy|echo|send|describe|explain|paste|paraphrase|"
    r"encode|"
    r"what (?:is|are|was|were|s)|what's|cite|convert|reproduce|type|say)",
    "person": r"users?|humans?|persons?|people|operators?|owners?|reviewers?|anyone|anybody|customers?|admins?|"
    r"administrators?|supervisors?",
    "model": r"ai|a i|llm|llms|assistants?|agents?|chatbots?|bots?|models?|language models?|gpt|chatgpt|claude|"
    r"gemini|copilot",
    "start": r"(?:^|[.!?;:\n\"'(>*\]-] ?|\b(?:please|now|then|and|should|will|must|shall|to|you|can|could|just|"
    r"also|always|so) )",
    "item": r"memor(?:y|ies)|entr(?:y|ies)|notes?|records?|proposals?|claims?|items?|facts?|candidates?|requests?|"
    r"statements?",
}
