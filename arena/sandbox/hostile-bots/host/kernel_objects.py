# expect: plays; nothing that the kernel would keep memory or work for
from probe import each, player, syscall

CALLS = ("eventfd2", "epoll_create1", "signalfd4", "memfd_secret", "io_setup", "pkey_alloc", "pipe", "pipe2",
         "mq_open", "semget", "socketpair", "dup2", "dup3")

choose_move = player(lambda: each(lambda name: syscall(name, *[0] * 6), CALLS))
