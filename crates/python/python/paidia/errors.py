"""What can go wrong. All errors of this package are a `PaidiaError`."""


class PaidiaError(Exception):
    """Anything that Paidia cannot do; says what, and what to do about it."""


class UnknownGame(PaidiaError, LookupError):
    """There is no game of that name, and no such file."""


class RulesInvalid(PaidiaError, ValueError):
    """The rules are faulty. `problems` is a list of dictionaries with code, severity, line, column,
    message and help."""

    def __init__(self, message, problems=()):
        super().__init__(message)
        self.problems = list(problems)

    def __reduce__(self):
        return (type(self), (str(self), self.problems))


class IllegalMove(PaidiaError, ValueError):
    """A move that does not exist, or that its role may not make here."""


class NotApplicable(PaidiaError):
    """The method does not apply to this game; says why."""


class LimitReached(PaidiaError):
    """An engine ran into one of its limits."""
