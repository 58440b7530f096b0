# expect: load; a file without a bot
moves = [0, 1, 2]
