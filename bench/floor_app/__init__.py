"""The one model of the floor, its admin and its action."""
