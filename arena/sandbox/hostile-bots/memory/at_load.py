# expect: memory; takes all there is while it is imported
hoard = [bytearray(8 << 20) for _ in range(10**6)]
