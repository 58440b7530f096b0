"""What runs inside Redis. Every script gets the board's prefix as KEYS[1] and works on the keys below it.

Entries travel as two runs of arguments, the form in which Redis takes many at once: name and line of each, then score
and member of each.  A script may hand over only some thousand values in one call, hence the slices.
"""

from arena.store.redis_calls import Script

_COMMON = """
local ranks, bots, known = KEYS[1] .. ':ranks', KEYS[1] .. ':bots', KEYS[1] .. ':known'
local SLICE = 1000

local function member_of(name, line) return string.sub(line, 1, 8) .. ':' .. name end
"""

_WRITE = """
local function in_slices(command, key, first, last)
    for start = first, last, SLICE do
        redis.call(command, key, unpack(ARGV, start, math.min(last, start + SLICE - 1)))
    end
end

local function write(first)
    local half = (#ARGV - first + 1) / 2
    in_slices('HSET', bots, first, first + half - 1)
    in_slices('ZADD', ranks, first + half, #ARGV)
end
"""

# ARGV: base, reached, moment, how many are gone, names of the gone and of the changed, entries of the changed.  Changes
# are taken only as a whole, and only if they are news that begin no later than where the board is: so every change
# counts once, and none is jumped over.
APPLY = Script(_COMMON + _WRITE + """
local about = redis.call('GET', known)
if not about then return 0 end
local sequence, moment = string.match(about, '^(%d+) (.*)$')
if tonumber(ARGV[1]) > tonumber(sequence) then return 0 end
if tonumber(ARGV[2]) <= tonumber(sequence) then return 1 end

local gone = tonumber(ARGV[4])
local names_end = 4 + gone + (#ARGV - 4 - gone) / 5
for start = 5, names_end, SLICE do
    local old = {}
    local lines = redis.call('HMGET', bots, unpack(ARGV, start, math.min(names_end, start + SLICE - 1)))
    for place, line in ipairs(lines) do
        if line then old[#old + 1] = member_of(ARGV[start + place - 1], line) end
    end
    if #old > 0 then redis.call('ZREM', ranks, unpack(old)) end
end
in_slices('HDEL', bots, 5, 4 + gone)
write(names_end + 1)
redis.call('SET', known, ARGV[2] .. ' ' .. (ARGV[3] ~= '' and ARGV[3] or moment))
return 1
""")

# A board of any size is filled in steps that are short enough for everybody else.  It is not complete meanwhile, so
# nobody reads or changes it.  `:filling` names who is at it, and is gone soon after that one has died.
BEGIN = Script(_COMMON + """
if not redis.call('SET', KEYS[1] .. ':filling', ARGV[1], 'NX', 'EX', 30) then return 0 end
redis.call('UNLINK', known, ranks, bots)
return 1
""")

_FILLING = _COMMON + """
local filling = KEYS[1] .. ':filling'
if redis.call('GET', filling) ~= ARGV[1] then return 0 end
"""

FILL = Script(_FILLING + _WRITE + """
redis.call('EXPIRE', filling, 30)
write(2)
return 1
""")

FINISH = Script(_FILLING + """
redis.call('SET', known, ARGV[2] .. ' ' .. ARGV[3])
redis.call('UNLINK', filling)
return 1
""")

_ANSWER = """
local about = redis.call('GET', known)
if not about then return false end

local function answer(size, start, limit)
    local members, names, lines = {}, {}, {}
    if limit > 0 then members = redis.call('ZRANGE', ranks, start, start + limit - 1) end
    for place, member in ipairs(members) do names[place] = string.sub(member, 10) end
    for first = 1, #names, SLICE do
        local some = redis.call('HMGET', bots, unpack(names, first, math.min(#names, first + SLICE - 1)))
        for place, line in ipairs(some) do lines[first + place - 1] = line end
    end
    return {about, size, start + 1, names, lines}
end
"""

# Members are compared by their bytes, as sorted sets do; Lua's own `<` follows the server's locale.
PAGE = Script(_COMMON + _ANSWER + """
local function is_before(one, other)
    for place = 1, math.min(#one, #other) do
        local difference = string.byte(one, place) - string.byte(other, place)
        if difference ~= 0 then return difference < 0 end
    end
    return #one < #other
end

local limit, score, last = tonumber(ARGV[1]), ARGV[2], ARGV[3]
local start = 0
if score ~= '' then
    start = redis.call('ZCOUNT', ranks, '-inf', '(' .. score)
    for _, member in ipairs(redis.call('ZRANGEBYSCORE', ranks, score, score)) do
        if not is_before(last, member) then start = start + 1 end
    end
end
return answer(redis.call('ZCARD', ranks), start, limit)
""")

AROUND = Script(_COMMON + _ANSWER + """
local limit, size = tonumber(ARGV[1]), redis.call('ZCARD', ranks)
local line = redis.call('HGET', bots, ARGV[2])
if not line then return answer(size, 0, 0) end
local rank = redis.call('ZRANK', ranks, member_of(ARGV[2], line))
return answer(size, math.max(0, math.min(rank - math.floor(limit / 2), size - limit)), limit)
""")
