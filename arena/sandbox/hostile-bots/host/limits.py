# expect: plays; limits can be seen and not lifted
import resource

from probe import each, player

KINDS = [getattr(resource, name) for name in dir(resource) if name.startswith("RLIMIT_")]


def lifted(kind):
    soft, hard = resource.getrlimit(kind)
    if hard == resource.RLIM_INFINITY:
        return False
    resource.setrlimit(kind, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    return resource.getrlimit(kind) != (soft, hard)


def of_others():
    return resource.prlimit(2, resource.RLIMIT_AS)


choose_move = player(lambda: each(lifted, KINDS), of_others)
