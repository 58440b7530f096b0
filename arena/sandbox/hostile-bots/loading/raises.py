# expect: load; fails while it is imported
raise RuntimeError('no')
