# expect: load; something that cannot be called
choose_move = 3
