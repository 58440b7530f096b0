"""Pages to read: every address and what answers it.  They read through the same services as the API."""

from collections.abc import Callable, Mapping

from flask import Blueprint, Response

from web.pages import boards, bots, home, matches, rules, tournaments, versions, wording

blueprint = Blueprint("pages", __name__)

ADDRESSES: Mapping[str, tuple[str, Callable[..., str | Response]]] = {
    "home": ("/", home.show),
    "games": ("/games", rules.list_games),
    "rules": ("/games/<ruleset:game>", rules.show),
    "boards": ("/leaderboards", boards.list_boards),
    "board": ("/leaderboards/<ruleset:ruleset>", boards.show),
    "bots": ("/bots", bots.list_bots),
    "bot": ("/bots/<name:name>", bots.show),
    "version": ("/bots/<name:name>/versions/<number:number>", versions.show),
    "version_file": ("/bots/<name:name>/versions/<number:number>/file", versions.file),
    "tournaments": ("/tournaments", tournaments.list_tournaments),
    "tournament": ("/tournaments/<id:tournament_id>", tournaments.show),
    "schedule": ("/tournaments/<id:tournament_id>/schedule", tournaments.schedule),
    "entrant": ("/tournaments/<id:tournament_id>/bots/<name:bot>", tournaments.entrant),
    "match": ("/matches/<id:match_id>", matches.show),
    "record": ("/matches/<id:match_id>/record.txt", matches.record),
}

for endpoint, (address, view) in ADDRESSES.items():
    blueprint.add_url_rule(address, endpoint, view)
for filter_name, say in wording.FILTERS.items():
    blueprint.add_app_template_filter(say, filter_name)
