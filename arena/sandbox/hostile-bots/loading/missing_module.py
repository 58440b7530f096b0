# expect: load; needs what is not offered
import a_module_of_the_author


def choose_move(position):
    return a_module_of_the_author.best(position)
