# expect: memory; a little that unpacks to more than there is
import zlib


def choose_move(position):
    packer = zlib.compressobj(1)
    bomb = b"".join(packer.compress(bytes(1 << 20)) for _ in range(400)) + packer.flush()
    return len(zlib.decompress(bomb))
