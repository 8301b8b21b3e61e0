"""What credentials look like: one file per concern, tables first. `evidence.rules.secrets` puts them together.

No file here may hold anything shaped like a credential, and nothing here returns or names a value.
"""
