# expect: load, crash; leaves while it is imported
raise SystemExit(0)
