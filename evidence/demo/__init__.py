"""The demo's data: an invented team's records and proposals. Read by `services.seeding` only."""
