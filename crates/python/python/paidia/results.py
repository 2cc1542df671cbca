"""Results: dictionaries whose entries are attributes, too, with tables for notebooks."""

import json


class Result(dict):
    """A dictionary whose entries are attributes, too: `result.goals` is `result["goals"]`."""

    __slots__ = ()

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            known = ", ".join(self)
            raise AttributeError(f"there is no `{name}`; there are {known}") from None

    def __dir__(self):
        return [*super().__dir__(), *self]

    def table(self, entry=None):
        """A list of results (`moves` of an analysis, `depths` of a perft) as a pandas table."""
        import pandas

        if entry is None:
            lists = [key for key, value in self.items() if _is_table(value)]
            if not lists:
                return pandas.Series(dict(self))
            entry = lists[0]
        return pandas.DataFrame(self[entry])

    def _repr_html_(self):
        rows = []
        for key, value in self.items():
            shown = _table(value) if _is_table(value) else _escape(_short(value))
            rows.append(f"<tr><th style='text-align:left'>{_escape(key)}</th><td>{shown}</td></tr>")
        return f"<table>{''.join(rows)}</table>"


def read(text):
    """A result of its JSON."""
    return json.loads(text, object_hook=Result)


def _is_table(value):
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


def _short(value):
    if isinstance(value, float):
        return f"{value:.6g}"
    text = str(value)
    return text if len(text) <= 200 else f"{text[:200]} ..."


def _escape(text):
    text = str(text)
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _table(rows, most=20):
    keys = list(rows[0])
    head = "".join(f"<th>{_escape(key)}</th>" for key in keys)
    body = "".join(
        "<tr>" + "".join(f"<td>{_escape(_short(row.get(key)))}</td>" for key in keys) + "</tr>"
        for row in rows[:most]
    )
    more = f"<tr><td>and {len(rows) - most} more</td></tr>" if len(rows) > most else ""
    return f"<table><tr>{head}</tr>{body}{more}</table>"
