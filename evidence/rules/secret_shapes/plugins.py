"""The named-token plugins of detect-secrets, as a second opinion beside the own shapes.

Only their patterns are used: the library reads files and asks providers, which no rule may do. Entropy and keyword
plugins stay out, because they know neither prose nor placeholders.
"""

from __future__ import annotations

import re

from detect_secrets.plugins.artifactory import ArtifactoryDetector
from detect_secrets.plugins.aws import AWSKeyDetector
from detect_secrets.plugins.azure_storage_key import AzureStorageKeyDetector
from detect_secrets.plugins.github_token import GitHubTokenDetector
from detect_secrets.plugins.gitlab_token import GitLabTokenDetector
from detect_secrets.plugins.mailchimp import MailchimpDetector
from detect_secrets.plugins.openai import OpenAIDetector
from detect_secrets.plugins.pypi_token import PypiTokenDetector
from detect_secrets.plugins.sendgrid import SendGridDetector
from detect_secrets.plugins.slack import SlackDetector
from detect_secrets.plugins.square_oauth import SquareOAuthDetector
from detect_secrets.plugins.stripe import StripeDetector
from detect_secrets.plugins.telegram_token import TelegramBotTokenDetector

from evidence.rules.secret_shapes.randomness import is_mask, is_wordy
from evidence.rules.vocab import SecretKind

_PLUGINS = (
    (SecretKind.GITHUB_TOKEN, GitHubTokenDetector),
    (SecretKind.GITLAB_TOKEN, GitLabTokenDetector),
    (SecretKind.AWS_KEY, AWSKeyDetector),
    (SecretKind.SLACK_TOKEN, SlackDetector),
    (SecretKind.TELEGRAM_TOKEN, TelegramBotTokenDetector),
    (SecretKind.OPENAI_KEY, OpenAIDetector),
    (SecretKind.STRIPE_KEY, StripeDetector),
    (SecretKind.BEARER_TOKEN, PypiTokenDetector),
    (SecretKind.BEARER_TOKEN, SendGridDetector),
    (SecretKind.BEARER_TOKEN, SquareOAuthDetector),
    (SecretKind.BEARER_TOKEN, MailchimpDetector),
    (SecretKind.BEARER_TOKEN, ArtifactoryDetector),
    (SecretKind.BEARER_TOKEN, AzureStorageKeyDetector),
)
_PATTERNS: tuple[tuple[SecretKind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(rf"(?<![A-Za-z0-9_+/-])(?:{pattern.pattern})", pattern.flags))
    for kind, plugin in _PLUGINS
    for pattern in plugin.denylist
)
_LONG_RUN = re.compile(r"[A-Za-z0-9_+/=.:-]{16}")


def plugin_kinds(text: str) -> frozenset[SecretKind]:
    """Kinds that a plugin's pattern finds, masks and words sorted out. A text without a long run costs one search."""
    if not _LONG_RUN.search(text):
        return frozenset()
    return frozenset(
        kind
        for kind, pattern in _PATTERNS
        if any(not is_mask(found.group()[4:]) and not is_wordy(found.group()) for found in pattern.finditer(text))
    )
