# expect: exception; an error whose name and text are hostile
Hostile = type("<b>Hostile\x1b[31m\u202e" + "x" * 1000, (Exception,), {})


def choose_move(position):
    raise Hostile("<img src=x onerror=alert(1)>\n" * 1000 + "\ud800\x00")
