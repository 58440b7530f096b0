"""Groups of the states of a match that several queries ask for."""

UNDER_WAY = ("queued", "leased")        # a message carries it, or a worker plays it
UNPLAYED = ("due", *UNDER_WAY)
