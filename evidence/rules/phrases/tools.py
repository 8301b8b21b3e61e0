"""Tool directives: calls, role marks and special tokens that a model's runtime reads as commands (contract 12.15).

Talk about tools ("every tool call is logged") is none; what counts is the call's or the mark's own shape.
"""

from __future__ import annotations

from evidence.rules.phrases.phrase import Phrase, phrases
from evidence.rules.phrases.tool_orders import TOOL_ORDERS

_TAGS = (
    r"tool_?calls?|tool_?use|tool_?code|tool_?results?|tool_?outputs?|tool_?response|function_?calls?|"
    r"function_?results?|function_?response|"
    r"antml:invoke|antml:function_calls|antml:parameter|invoke|use_mcp_tool|mcp_?tool|execute_command|"
    r"tool_name|tool_input|function_output|code_interpreter|call_tool"
)
_ROLE_TAGS = (
    r"system|assistant|developer|system_?prompt|system_?message|system-reminder|system_?instructions?|admin|"
    r"sys|instructions?_override|important|new_?instructions?"
)

TOOLS: tuple[Phrase, ...] = (
    TOOL_ORDERS,
    phrases(
        "a tool call's tag",
        (
            rf"<(?:/\s?)?(?:{_TAGS})(?:\s[^<>]{{0,200}})?/?>",
            r"<(?:function|tool|invoke|parameter)\s?=\s?[\w\"'./-]{1,60}>",
            r"<(?:invoke|function|tool|parameter|fnr)\s+name\s?=",
        ),
    ),
    phrases(
        "a special token or a role mark of a chat format",
        (
            r"<[|\uff5c]\s?[\w\u2581 /-]{2,40}\s?[|\uff5c]>",
            r"\[/?(?:inst|tool_calls?|available_tools|tool_results?|system_prompt)\](?!\()",
            r"(?:^|\n)\s*\[(?:system|assistant)\]|\[/(?:system|assistant)\]|\[(?:system|assistant)\] ?:",
            r"<</?sys>>",
            r"</?(?:start|end)_of_turn>",
            r"(?:^|\s)</?s>(?=\s|\[|$)",
            r"<(?:bos|eos)>",
            rf"<(?:{_ROLE_TAGS})(?:\s[^<>]{{0,60}})?>[\s\S]{{1,400}}?</(?:{_ROLE_TAGS})>",
            rf"(?:^|\n)\s*</?(?:{_ROLE_TAGS})>",
            (
                r"\n\n(?:human|assistant|system): ?[^\n]{0,200}(?:\n\n(?:human|assistant|system):|\b(?:ignore|you (?:must|"
                r"are|will)|instructions)\b)"
            ),
        ),
    ),
    phrases(
        "a function call in JSON",
        (
            (
                r"[{,]\s{0,8}[\"'](?:name|tool|tool_name|function|function_name|recipient_name|action|"
                r"toolname)[\"']\s{0,4}:\s{0,4}[\"'][\w./:-]{1,80}[\"']\s{0,8},\s{0,8}[\"'](?:arguments|args|parameters|"
                r"params|input|tool_input|action_input|kwargs|tool_args|toolinput)[\"']\s{0,4}:\s{0,4}[{\[\"']"
            ),
            (
                r"[\"'](?:arguments|args|parameters|params|input|tool_input|action_input|"
                r"tool_args)[\"']\s{0,4}:\s{0,4}\{[^{}]{0,300}\}\s{0,8},\s{0,8}[\"'](?:name|tool|tool_name|function|"
                r"function_name|recipient_name|action)[\"']\s{0,4}:\s{0,4}[\"'][\w./:-]{1,80}[\"']"
            ),
            r"[\"'](?:function_call|tool_calls?|tool_use|toolcall|tooluse)[\"']\s{0,4}:\s{0,4}[\[{]",
            r"[\"']type[\"']\s{0,4}:\s{0,4}[\"'](?:tool_use|tool_call|function_call|tool_result)[\"']",
            r"[\"']type[\"']\s{0,4}:\s{0,4}[\"']function[\"']\s{0,8},\s{0,8}[\"']function[\"']\s{0,4}:",
            (
                r"[\"']method[\"']\s{0,4}:\s{0,4}[\"'](?:tools/call|tools/list|sampling/createmessage|resources/read|"
                r"prompts/get)[\"']"
            ),
        ),
    ),
    phrases(
        "a call in an agent's working format",
        (
            r"(?:^|\n)\s*action\s?:\s?[\w .-]{1,60}\n\s*action[ _]?input\s?:",
            r"```tool_(?:code|call)",
            r"\bprint\(default_api\.",
            r"\bto=functions\.\w+",
            r"(?:^|[\s`\"'(])functions\.\w{2,40}\(\s?\{",
            r"\bmcp__\w+__\w+\s?(?:\(|\{|with\b)",
            r"(?:^|\n)\s*[/!]tool\s+\w+\s+\S",
        ),
    ),
    phrases(
        "orders a tool to be called",
        (
            (
                r"\b(?:call|invoke|use|run|execute|trigger) (?:the |your |a |this )?[`\"']?(?:delete|remove|drop|wipe|"
                r"send|transfer|approve|grant|upload|purge|export|forward|exfiltrate|write|update|create|execute|shell|"
                r"run|pay|disable|email)_\w{2,40}[`\"']? (?:tool|now|immediately|with (?:id|the argument|arguments?|"
                r"parameters?|args|all)|without|on all|for all|and (?:forward|send|email|delete|approve|pass))"
            ),
            (
                r"\b(?:call|invoke|use|run|execute|trigger) (?:the |your |a |this |any )?[`\"']?[\w-]{2,40}[`\"']? tools? "
                r"(?:now|immediately|at once|without (?:asking|approval|confirm\w*|telling)|silently|with (?:the "
                r")?(?:arguments?|parameters?|args|query:|id|path|recipient|to |amount|command)|to (?:delete|exfiltrate|"
                r"send all|wipe|drop|email (?:the|all)|forward (?:the|all)|transfer|approve (?:all|this|every)|read (?:~|"
                r"/etc|\.env|\.ssh)))\b"
            ),
            (
                r"\b(?:before|after|when|while|every time|whenever) (?:using|calling|invoking|you (?:use|call|invoke)|"
                r"each use of) (?:this|the|any|that|every|other|a) ?<2>tools?,? <3>(?:you must|always|first|also|read|"
                r"send|pass|call|include|append|do not|never tell)\b(?=[^\n]{0,160}(?:~|\.ssh|\.env|/etc|config|password|"
                r"key|credential|token|history|conversation|sidenote|parameter|argument|secret|contents?))"
            ),
            (
                r"\b(?:execute|run) (?:the |this |these |following )+(?:shell |bash |terminal |powershell |python |system "
                r")?(?:commands?|code|script|payload) ?<2>(?:now|immediately|silently|without (?:asking|telling|"
                r"confirm\w*|approval|review))\b"
            ),
        ),
    ),
)
