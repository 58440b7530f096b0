"""What runs inside Redis. Every script gets the board's prefix as KEYS[1] and works on the keys below it.

An entry travels as eight arguments: member, score, sequence, rated_at, owner, version, rating, counts.
"""

_COMMON = """
local ranks, about = KEYS[1] .. ':ranks', KEYS[1] .. ':about'

local function hash_of(member) return KEYS[1] .. ':bot:' .. string.sub(member, 10) end

local function write(first, hash, set)
    redis.call('HSET', hash, 'member', ARGV[first], 'sequence', ARGV[first + 2], 'rated_at', ARGV[first + 3],
        'owner', ARGV[first + 4], 'version', ARGV[first + 5], 'rating', ARGV[first + 6], 'counts', ARGV[first + 7])
    redis.call('ZADD', set, ARGV[first + 1], ARGV[first])
end

local function advance(sequence, moment)
    if tonumber(sequence) <= tonumber(redis.call('HGET', about, 'sequence') or '-1') then return end
    redis.call('HSET', about, 'sequence', sequence)
    if moment ~= '' then redis.call('HSET', about, 'as_of', moment) end
end
"""

# Of a bot that was removed, the hash has only a sequence, and a time after which it is forgotten.
APPLY = _COMMON + """
if redis.call('EXISTS', about) == 0 then return 0 end
for first = 3, #ARGV, 8 do
    local hash = hash_of(ARGV[first])
    local known = redis.call('HMGET', hash, 'sequence', 'member')
    if not known[1] or tonumber(ARGV[first + 2]) > tonumber(known[1]) then
        if known[2] then
            redis.call('ZREM', ranks, known[2])
        elseif known[1] then
            redis.call('PERSIST', hash)
        end
        write(first, hash, ranks)
    end
end
advance(ARGV[1], ARGV[2])
return 1
"""

# A board of any size is filled in steps that are short enough for everybody else.  It is not complete meanwhile, so
# nobody reads or changes it.  `:filling` names who is at it, and is gone soon after that one has died.
_FILLING = _COMMON + """
local fresh, filling = KEYS[1] .. ':fresh', KEYS[1] .. ':filling'

local function is_mine(token)
    if redis.call('GET', filling) ~= token then return false end
    redis.call('EXPIRE', filling, 30)
    return true
end
"""

BEGIN = _FILLING + """
if not redis.call('SET', filling, ARGV[1], 'NX', 'EX', 30) then return 0 end
redis.call('DEL', about)
redis.call('UNLINK', fresh)
return 1
"""

# Whoever Redis knows by a later change than the snapshot stays as it is: changed, or removed, in the meantime.
SWEEP = _FILLING + """
if not is_mine(ARGV[1]) then return -1 end
local snapshot, start, count = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local members = redis.call('ZRANGE', ranks, start, start + count - 1)
for _, member in ipairs(members) do
    local known = redis.call('HGET', hash_of(member), 'sequence')
    if known and tonumber(known) > snapshot then
        redis.call('ZADD', fresh, redis.call('ZSCORE', ranks, member), member)
    else
        redis.call('DEL', hash_of(member))
    end
end
return #members
"""

FILL = _FILLING + """
if not is_mine(ARGV[1]) then return 0 end
local snapshot = tonumber(ARGV[2])
for first = 3, #ARGV, 8 do
    local hash = hash_of(ARGV[first])
    local known = redis.call('HGET', hash, 'sequence')
    if not known or tonumber(known) <= snapshot then
        if known then redis.call('PERSIST', hash) end
        write(first, hash, fresh)
    end
end
return 1
"""

FINISH = _FILLING + """
if not is_mine(ARGV[1]) then return 0 end
redis.call('UNLINK', ranks, filling)
if redis.call('EXISTS', fresh) == 1 then redis.call('RENAME', fresh, ranks) end
advance(ARGV[2], ARGV[3])
return 1
"""

# The hash stays for a day with nothing but its sequence, so that a late change of before cannot bring the bot back.
REMOVE = _COMMON + """
if redis.call('EXISTS', about) == 0 then return 0 end
local hash = KEYS[1] .. ':bot:' .. ARGV[1]
local known = redis.call('HMGET', hash, 'sequence', 'member')
if known[1] and tonumber(known[1]) > tonumber(ARGV[2]) then return 0 end
if known[2] then redis.call('ZREM', ranks, known[2]) end
redis.call('DEL', hash)
redis.call('HSET', hash, 'sequence', ARGV[2])
redis.call('EXPIRE', hash, 86400)
return 1
"""

_ANSWER = """
local function answer(start, limit)
    local known = redis.call('HMGET', about, 'sequence', 'as_of')
    local reply = {redis.call('ZCARD', ranks), known[1], known[2] or '', start + 1}
    if limit > 0 then
        for _, member in ipairs(redis.call('ZRANGE', ranks, start, start + limit - 1)) do
            reply[#reply + 1] = redis.call(
                'HMGET', hash_of(member), 'member', 'sequence', 'rated_at', 'owner', 'version', 'rating', 'counts')
        end
    end
    return reply
end
"""

# Members are compared by their bytes, as sorted sets do; Lua's own `<` follows the server's locale.
PAGE = _COMMON + _ANSWER + """
local function is_before(one, other)
    for place = 1, math.min(#one, #other) do
        local difference = string.byte(one, place) - string.byte(other, place)
        if difference ~= 0 then return difference < 0 end
    end
    return #one < #other
end

if redis.call('EXISTS', about) == 0 then return false end
local limit, score, last = tonumber(ARGV[1]), ARGV[2], ARGV[3]
local start = 0
if score ~= '' then
    start = redis.call('ZCOUNT', ranks, '-inf', '(' .. score)
    for _, member in ipairs(redis.call('ZRANGEBYSCORE', ranks, score, score)) do
        if not is_before(last, member) then start = start + 1 end
    end
end
return answer(start, limit)
"""

AROUND = _COMMON + _ANSWER + """
if redis.call('EXISTS', about) == 0 then return false end
local limit, member = tonumber(ARGV[1]), redis.call('HGET', KEYS[1] .. ':bot:' .. ARGV[2], 'member')
if not member then return answer(0, 0) end
local rank, size = redis.call('ZRANK', ranks, member), redis.call('ZCARD', ranks)
return answer(math.max(0, math.min(rank - math.floor(limit / 2), size - limit)), limit)
"""
