"""Groups of English words that the instruction-like phrases share; `{name}` in a pattern stands for one.

Words only; what they mean together is said where they are used.
"""

from __future__ import annotations

GROUPS = {
    "drop": (
        r"(?<!never\s)(?<!not\s)(?<!n't\s)(?:ignor(?:e|es|ed|ing)|never mind|disregard(?:s|ed|ing)?|"
        r"forget(?:ting)?|overlook|override|overrule|bypass|neglect|pay no (?:attention|heed) to|(?:do not|don't|"
        r"never|stop|cease|no longer|not) (?:follow|obey|adhere to|comply with|listen to|following|obeying|"
        r"listening to)|set aside|throw (?:away|out)|break free (?:of|from))"
    ),
    "prior": (
        r"previous(?:ly)?|prior|preceding|earlier|above|foregoing|former|initial|original|aforementioned|system|"
        r"developer|safety|ethical|moral|hidden|internal|openai(?:'s)?|anthropic(?:'s)?|built in"
    ),
    "weak": r"other|old|current|existing|last",
    "told": (
        r"instructions?|instructed|directions?|directives?|guidelines?|guidance|rules?|prompts?|commands?|orders?|"
        r"constraints?|restrictions?|limitations?|programming|training|safeguards?|guardrails?|polic(?:y|ies)|"
        r"protocols?|principles|filters?"
    ),
    "own": (
        r"instructions?|guidelines?|rules?|prompts?|directives?|programming|training|safeguards?|guardrails?|"
        r"polic(?:y|ies)|restrictions?|constraints?|limitations?|filters?|principles|ethics|morals|orders|"
        r"commands"
    ),
    "show": (
        r"(?<!never\s)(?<!not\s)(?<!n't\s)(?:(?:need|want|let me|allowed?|like) (?:to )?(?:see|view|know|access)|"
        r"let me see|reveal|show|print|repeat|output|display|tell|give|share|leak|disclose|expose|write|list|"
        r"state|recite|quote|return|provide|dump|summari[sz]e|translate|spell|copy|echo|send|describe|explain|"
        r"paste|paraphrase|encode|what (?:is|are|was|were|s)|what's|cite|convert|reproduce|type|say)"
    ),
    "person": (
        r"users?|humans?|persons?|people|operators?|owners?|reviewers?|anyone|anybody|customers?|admins?|"
        r"administrators?|supervisors?"
    ),
    "model": (
        r"ai|a i|llm|llms|assistants?|agents?|chatbots?|bots?|models?|language models?|gpt|chatgpt|claude|gemini|"
        r"copilot"
    ),
    "start": (
        r"(?:^|[.!?;:\n\"'(>*\]-] ?|\b(?:please|now|then|and|should|will|must|shall|to|you|can|could|just|also|"
        r"always|so) )"
    ),
    "item": (
        r"memor(?:y|ies)|entr(?:y|ies)|notes?|records?|proposals?|claims?|items?|facts?|candidates?|requests?|"
        r"statements?"
    ),
    "law": (
        r"instructions?|guidelines?|rules?|prompts?|directives?|programming|restrictions?|constraints?|"
        r"limitations?|limits|filters?|polic(?:y|ies)|protocols?|training|brief|orders|safeguards?|guardrails?|"
        r"conscience|ethics|morals|principles|values|(?:system|developer) messages?"
    ),
}
