# expect: plays; nothing that the whole machine would feel
from probe import each, player, syscall

CALLS = ("sync", "membarrier", "sysinfo", "sched_setattr", "ioprio_set", "migrate_pages", "move_pages", "mbind",
         "set_mempolicy", "process_madvise", "process_mrelease", "name_to_handle_at", "landlock_create_ruleset")

choose_move = player(lambda: each(lambda name: syscall(name, *[0] * 6), CALLS))
