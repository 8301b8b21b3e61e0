"""`make screenshots`: pictures of all pages in docs/img, from a desk that is started for them and thrown away.

`shots.py` says which pages, `hostile.py` adds the texts that nobody would write in good faith, `pictures.py` makes files small.
"""
