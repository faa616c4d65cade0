"""The four languages: every message is translated, numbers and plurals are those of the language, nothing is stale."""

import gettext
import io
import shutil
from string import Formatter

import pytest
from sample_tips import sample_result

from strategy.features import FEATURES
from strategy.folk_tips import TIPS
from strategy.language import LANGUAGES, LOCALE, Language, language_of
from strategy.tree import conditions_text
from strategy.words import action_name, card_name, conditions, players_count, table_labels
from tools.languages import TRANSLATED, catalogue, compiled, main, messages, missing, target, updated, written

SPACE, MINUS = "\N{NO-BREAK SPACE}", "\N{MINUS SIGN}"


def placeholders(text):
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def translations(code):
    """(English forms, translated forms) of every message."""
    for message in catalogue(code):
        if message.id:
            one = isinstance(message.id, str)
            yield ([message.id], [message.string]) if one else (list(message.id), list(message.string))


# ---- the files -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", TRANSLATED)
def test_the_source_has_every_message_and_each_is_translated(code):
    found = catalogue(code)
    assert {message.id if isinstance(message.id, str) else tuple(message.id) for message in found if message.id} == {
        message for message, _ in messages()
    }
    assert missing(found) == []
    assert not any(message.fuzzy for message in found if message.id)


@pytest.mark.parametrize("code", TRANSLATED)
def test_placeholders_are_those_of_the_english(code):
    for english, translated in translations(code):
        for form in translated:
            assert placeholders(form) == placeholders(english[-1]), form


@pytest.mark.parametrize("code", TRANSLATED)
def test_what_gettext_reads_is_what_the_source_compiles_to(code):
    with target(code).open("rb") as file:
        shipped = gettext.GNUTranslations(file)._catalog
    fresh = gettext.GNUTranslations(io.BytesIO(compiled(catalogue(code))))._catalog
    assert len(shipped) > 200
    assert {**shipped, "": ""} == {**fresh, "": ""}


def test_the_command_finds_nothing_to_do(tmp_path, monkeypatch, capsys):
    shutil.copytree(LOCALE, tmp_path / "locale")
    before = {code: list(catalogue(code)) for code in TRANSLATED}
    monkeypatch.setattr("tools.languages.LOCALE", tmp_path / "locale")
    for code in TRANSLATED:
        target(code).unlink()
    main()
    assert capsys.readouterr().out.count(", 0 of them without a translation") == len(TRANSLATED)
    for code in TRANSLATED:
        assert [(m.id, m.context, m.string) for m in catalogue(code)] == [
            (m.id, m.context, m.string) for m in before[code]
        ]
        assert target(code).is_file()


def test_a_translation_is_kept_when_its_message_goes_and_comes_back(monkeypatch):
    old = catalogue("de")
    sentence = TIPS[0].sentence
    german = old[sentence].string
    everything = messages()
    monkeypatch.setattr("tools.languages.messages", lambda: {key: None for key in everything if key[0] != sentence})
    without = updated(old)
    assert without.get(sentence) is None
    assert f'#~ msgid "{sentence}"'.encode() in written(without)
    monkeypatch.setattr("tools.languages.messages", lambda: everything)
    assert updated(without)[sentence].string == german
    monkeypatch.setattr("tools.languages.messages", lambda: everything | {("A new one.", None): None})
    assert missing(updated(old)) == ["A new one."]


# ---- words and numbers ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "forms"),
    [
        ("en", ["1 card owed", "2 cards owed", "5 cards owed", "21 cards owed"]),
        ("de", ["1 Karte geschuldet", "2 Karten geschuldet", "5 Karten geschuldet", "21 Karten geschuldet"]),
        ("it", ["1 carta da prendere", "2 carte da prendere", "5 carte da prendere", "21 carte da prendere"]),
        ("ru", ["долг: 1 карта", "долг: 2 карты", "долг: 5 карт", "долг: 21 карта"]),
    ],
)
def test_plurals(code, forms):
    language = Language(code)
    assert [language.ngettext("{n} card owed", "{n} cards owed", n) for n in (1, 2, 5, 21)] == forms


def test_russian_players_in_three_forms():
    assert [players_count(Language("ru"), n) for n in (1, 2, 5, 11, 21)] == [
        "1 игрок", "2 игрока", "5 игроков", "11 игроков", "21 игрок",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("code", "number", "signed", "percent"),
    [
        ("en", "1,234.5", "+1.3", "12.5%"),
        ("it", "1.234,5", "+1,3", "12,5%"),
        ("ru", f"1{SPACE}234,5", "+1,3", f"12,5{SPACE}%"),
        ("de", "1.234,5", "+1,3", f"12,5{SPACE}%"),
    ],
)
def test_numbers_are_written_as_the_language_does(code, number, signed, percent):
    language = Language(code)
    assert (language.number(1234.5, 1), language.signed(1.26), language.percent(0.125, 1)) == (number, signed, percent)
    assert language.signed(-0.04) == language.signed(0.0) == language.number(0, 1)
    assert language.signed(-2.0)[0] == MINUS


@pytest.mark.parametrize(
    ("code", "cards"),
    [
        ("en", ["Jack of hearts", "seven of spades", "ace of clubs", "Queen of diamonds"]),
        ("de", ["Herz-Bube", "Pik-Sieben", "Kreuz-Ass", "Karo-Dame"]),
        ("it", ["fante di cuori", "sette di picche", "asso di fiori", "donna di quadri"]),
        ("ru", ["валет червей", "семёрка пик", "туз треф", "дама бубен"]),
    ],
)
def test_cards_are_called_as_players_call_them(code, cards):
    assert [card_name(Language(code), card) for card in ("JH", "7S", "AC", "QD")] == cards


def test_actions():
    german = Language("de")
    assert action_name(german, "JC:D") == "Kreuz-Bube, gewünscht Karo"
    assert action_name(german, "10S") == "Pik-Zehn"
    assert action_name(german, "draw") == "ziehen"
    assert action_name(german, "draw", owed=4) == "die Karten nehmen"


def test_the_words_of_a_tree_are_read_back_from_every_form_it_writes():
    names = tuple(FEATURES)
    for first, name in enumerate(names):
        above, below = (first, False, 2), (first, True, 3)
        for written_as in ([(first, True, 0)], [below], [above], [above, below], [above, (first, True, 2)]):
            text = conditions_text(written_as, names)
            assert conditions(Language("en"), text) == text
            for code in TRANSLATED:
                said = conditions(Language(code), text)
                assert Language(code).gettext(name) in said
                assert name not in said


def test_both_branches_of_a_tree_in_german():
    text = "no Jacks in my hand and cards owed: 2 to 4; or cards in my hand: 3 or more"
    assert conditions(Language("de"), text) == (
        "Buben auf meiner Hand: keine und geschuldete Karten: 2 bis 4; oder Karten auf meiner Hand: 3 oder mehr"
    )


def test_words_that_are_the_users_own_stay_as_they_are():
    assert Language("de").gettext("Hearts first, my grandmother said.") == "Hearts first, my grandmother said."
    assert Language("ru").gettext("") == ""
    assert conditions(Language("ru"), "when it rains") == "when it rains"


def test_tables_are_told_apart_as_shortly_as_can_be():
    german = Language("de")
    two, four = sample_result(2), sample_result(4)
    assert table_labels(german, [two, four]) == ["2 Spieler", "4 Spieler"]
    skip = sample_result(4, rules=four["rules"] | {"ace": "skip"})
    assert table_labels(german, [two, skip]) == [
        "klassische Regeln, 2 Spieler",
        "klassische Regeln, ace=skip, 4 Spieler",
    ]
    match = sample_result(2, penalty_limit=50)
    assert table_labels(german, [two, match]) == [
        "klassische Regeln, 2 Spieler", "klassische Regeln, 2 Spieler, Matches bis 50 Punkte",
    ]  # fmt: skip


# ---- which language ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "de_AT.UTF-8"}, "de"),
        ({"LANG": "de_DE", "LC_ALL": "it_IT@euro"}, "it"),
        ({"LANG": "de_DE", "LC_ALL": "C"}, "en"),
        ({"LANG": "de_DE", "LC_MESSAGES": "ru_RU.UTF-8"}, "ru"),
        ({"LANG": "de_DE", "LANGUAGE": "fr:ru:it"}, "ru"),
        ({"LANG": "de_DE", "LANGUAGE": "fr"}, "de"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": ""}, "en"),
    ],
)
def test_the_language_is_that_of_the_environment(environment, code):
    assert language_of(environment) == code


def test_there_are_four_and_no_other():
    assert LANGUAGES == ("en", "it", "ru", "de")
    with pytest.raises(ValueError, match="no language is called 'fr': there are en, it, ru, de"):
        Language("fr")
