"""Small steps of plain English, for texts that people read: numbers with their noun, articles.

Imports nothing.
"""


def counted(number: int, noun: str) -> str:
    """A number and what it counts.

    >>> counted(1, "state"), counted(0, "case"), counted(1200, "known failure")
    ('1 state', '0 cases', '1,200 known failures')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def with_article(noun: str) -> str:
    """A noun with the article that its first letter wants.

    >>> with_article("dict"), with_article("int"), with_article("Answer")
    ('a dict', 'an int', 'an Answer')
    """
    return f"{'an' if noun[:1].lower() in {*'aeiou'} else 'a'} {noun}"


def kind_of(value: object) -> str:
    """What a value of the wrong kind is.

    >>> kind_of(5), kind_of(None), kind_of([])
    ('an int', 'None', 'a list')
    """
    return "None" if value is None else with_article(type(value).__name__)
