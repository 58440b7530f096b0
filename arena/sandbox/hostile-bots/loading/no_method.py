# expect: load; a class that cannot play
class Bot:
    pass
