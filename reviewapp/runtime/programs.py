"""The programs of the desk as the supervisor starts them: web server, worker, timetable. Ids, signals and seconds only."""

from __future__ import annotations

import signal
import sys

from reviewapp.runtime import ports
from reviewapp.runtime.child import Spec
from reviewapp.runtime.settings import Plan

# The web first, so that nobody is promised anything more; the broker last, so that all others can hand over.
STOP_ORDER = ("web", "beat", "worker", "broker")
LIVE = "/health/live"


def web(plan: Plan) -> Spec:
    """One granian process with blocking threads: SQLite has one writer, and threads share its page cache."""
    command = [sys.executable, "-m", "granian", "--interface", "wsgi", "--no-ws"]
    command += ["--host", plan.host, "--port", str(plan.port), "--workers", "1"]
    command += ["--blocking-threads", str(plan.web_threads), "--workers-kill-timeout", "8"]
    command += ["reviewapp.wsgi:application"]
    return Spec(
        name="web",
        command=tuple(command),
        env=plan.environ,
        cwd=plan.project,
        stop=((signal.SIGTERM, 10.0),),
        ready=lambda: ports.answers(plan.host, plan.port, LIVE, host_header=plan.host_header),
        ready_within=60.0,
    )


def worker(plan: Plan) -> Spec:
    """Threads, not prefork: tasks wait for the database, and a fork would share connections. TERM lets tasks finish."""
    command = [sys.executable, "-m", "celery", "--quiet", "-A", "reviewapp", "worker", "-P", "threads"]
    command += ["-c", str(plan.worker_threads), "-Q", "interactive,bulk,import", "--loglevel", "INFO"]
    command += ["--without-gossip", "--without-mingle"]
    stop = ((signal.SIGTERM, 20.0), (signal.SIGQUIT, 3.0))
    return Spec(name="worker", command=tuple(command), env=plan.environ, cwd=plan.project, stop=stop)


def beat(plan: Plan) -> Spec:
    """A process of its own: inside a worker it would stop with it, and be there twice with two workers."""
    command = (sys.executable, "-m", "celery", "--quiet", "-A", "reviewapp", "beat", "--pidfile=", "--loglevel", "INFO")
    return Spec(name="beat", command=command, env=plan.environ, cwd=plan.project, stop=((signal.SIGTERM, 5.0),))
