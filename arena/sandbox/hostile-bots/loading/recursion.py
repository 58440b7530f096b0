# expect: load; recurses for ever while it is imported
def f():
    f()


f()
