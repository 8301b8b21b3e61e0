"""Signed-in clients for page tests."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from evidence.models import User
from evidence.rules.vocab import Role
from tests.services import make

SignIn = Callable[[User], Client]


@pytest.fixture
def sign_in() -> SignIn:
    def inner(user: User) -> Client:
        client = Client()
        client.force_login(user)
        return client

    return inner


@pytest.fixture
def reviewer(db: None) -> User:
    return make.reviewer()


@pytest.fixture
def desk(reviewer: User, sign_in: SignIn) -> Client:
    """A client of a reviewer of every agent."""
    return sign_in(reviewer)


@pytest.fixture
def owner_desk(db: None, sign_in: SignIn) -> Client:
    """A client of an owner of every agent."""
    return sign_in(make.user("olga", Role.OWNER))
