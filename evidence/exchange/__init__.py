"""Files of other systems, read into typed items (importers) and, later, written back (exporters).

Readers know the rules and their own format. They store nothing, decide nothing and know no service.
"""
