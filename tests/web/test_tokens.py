"""The colours of the site, by calculation: inks can be read on their grounds, in light and in dark."""

import re
from pathlib import Path

import pytest

STATIC = Path(__file__).parents[2] / "web" / "static"
READABLE = 4.5                  # WCAG 2.2, 1.4.3, level AA
VISIBLE = 3.0                   # 1.4.11: what is not text
INKS_ON_GROUNDS = [
    *((ink, ground) for ink in ("ink", "soft", "accent", "south", "north", "good", "bad", "warn")
      for ground in ("ground", "surface", "sunken")),
    ("on-accent", "accent"),
    ("accent", "accent-ground"),
    ("ink", "accent-ground"),
    *((ink, wood) for ink in ("on-wood", "on-wood-soft") for wood in ("wood", "wood-light")),
    ("on-wood", "wood-dark"),
    ("seed", "pit"),
    ("seed", "pit-low"),
]
SHAPES_ON_GROUNDS = [("seed-sage", "pit"), ("seed-sand", "pit"), ("glow", "pit-deep"), ("on-wood-soft", "wood-dark")]


def colours(scheme: int) -> dict[str, str]:
    """The tokens that are colours; scheme 0 is light, 1 dark."""
    css = (STATIC / "tokens.css").read_text()
    return {
        name: (light, dark)[scheme]
        for name, light, dark in re.findall(r"--([\w-]+): light-dark\(#([0-9a-f]{6}), #([0-9a-f]{6})\)", css)
    }


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def test_contrast_is_that_of_the_standard() -> None:
    assert contrast("000000", "ffffff") == pytest.approx(21)
    assert contrast("777777", "ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_inks_can_be_read_on_their_grounds(scheme: int) -> None:
    named = colours(scheme)
    ratios = {pair: round(contrast(named[pair[0]], named[pair[1]]), 2) for pair in INKS_ON_GROUNDS}
    assert {pair: ratio for pair, ratio in ratios.items() if ratio < READABLE} == {}


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_shapes_can_be_seen_on_their_grounds(scheme: int) -> None:
    named = colours(scheme)
    ratios = {pair: round(contrast(named[pair[0]], named[pair[1]]), 2) for pair in SHAPES_ON_GROUNDS}
    assert {pair: ratio for pair, ratio in ratios.items() if ratio < VISIBLE} == {}


def test_every_token_that_a_style_or_script_uses_exists() -> None:
    defined = set(re.findall(r"(--[\w-]+):", "".join(path.read_text() for path in STATIC.glob("*.css"))))
    used = set(re.findall(r"var\((--[\w-]+)", "".join(path.read_text() for path in STATIC.glob("*.css"))))
    assert used <= defined
