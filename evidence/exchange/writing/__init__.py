"""Writing records and proposals out: entries in, files out. Knows no table, and no system to write back to.

An export is a copy: it cites the desk's ids, says when it was made, and is no authority (doors "Files").
"""
