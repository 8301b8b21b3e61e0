"""One command, one process tree: the supervisor behind `manage.py up`.

`stack` says what runs and in which order, `supervisor` keeps it running, `child` is one process, `guard` ends what a killed
supervisor leaves behind, `broker` finds or brings a broker. Nothing outside this package knows how processes are started.
"""
