"""A target's latencies as a picture: inline SVG with its words, on a logarithmic scale."""

import math
from collections.abc import Iterator, Sequence

from toolproof.report import BenchResult
from toolproof.report.bench import Bar, milliseconds
from toolproof.reporters.escape import html_text, one_line
from toolproof.text import count

_WIDTH, _HEIGHT = 760, 172
_LEFT, _RIGHT, _TOP, _BASE = 10, 750, 46, 142
_SHARES = (("p50", "p50_ms"), ("p95", "p95_ms"), ("p99", "p99_ms"))
_ROWS = (_TOP - 4, _TOP - 18, _TOP - 32)  # of labels, from the lowest
_LEAST_MS = 1e-4
_LETTER = 6.6  # pixels of a letter at the size of the labels


def chart(target: BenchResult) -> str:
    """The distribution with p50, p95 and p99 and the limits on them; nothing where none was kept."""
    bars = [bar for bar in target.histogram if _is_drawable(bar)]
    marks = [
        (name, value)
        for name, attribute in _SHARES
        if math.isfinite(value := getattr(target, attribute)) and value > 0
    ]
    if not bars or not marks:
        return ""
    limits = [
        (name, limit)
        for name, attribute in _SHARES
        if (limit := target.thresholds.get(attribute)) is not None
        and math.isfinite(limit)
        and limit > 0
    ]
    values = [*(bar.low_ms for bar in bars), *(bar.high_ms for bar in bars)]
    values += [value for _, value in [*marks, *limits]]
    scale = _Scale(min(values), max(values))
    parts = [
        *_bars(bars, scale, min((limit for _, limit in limits), default=math.inf)),
        f'<path class="axis" d="M{_LEFT} {_BASE}H{_RIGHT}"/>',
        *_ticks(scale),
        *_lines(
            [("mark", *mark) for mark in marks] + [("limit", *limit) for limit in limits], scale
        ),
    ]
    label = html_text(_words(target, marks, limits))
    return (
        f'<div class="chart"><svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'aria-label="{label}">{"".join(parts)}</svg></div>'
    )


class _Scale:
    """Latencies to pixels, by their logarithm: latencies have long tails."""

    def __init__(self, least: float, greatest: float) -> None:
        self.least = max(least, _LEAST_MS)
        self.greatest = max(greatest, self.least * 1.5)
        self._span = math.log(self.greatest / self.least)

    def x(self, latency_ms: float) -> float:
        share = math.log(max(latency_ms, self.least) / self.least) / self._span
        return _LEFT + min(share, 1.0) * (_RIGHT - _LEFT)


def _is_drawable(bar: Bar) -> bool:
    return bar.count > 0 and math.isfinite(bar.high_ms) and 0 <= bar.low_ms <= bar.high_ms


def _bars(bars: Sequence[Bar], scale: _Scale, limit: float) -> Iterator[str]:
    highest = max(bar.count for bar in bars)
    for bar in bars:
        left, right = scale.x(bar.low_ms), scale.x(bar.high_ms)
        height = max(1.5, (_BASE - _TOP - 8) * bar.count / highest)
        over = "over" if bar.low_ms >= limit else "bars"
        yield (
            f'<rect class="{over}" x="{left:.1f}" y="{_BASE - height:.1f}" '
            f'width="{max(right - left - 1, 1.5):.1f}" height="{height:.1f}"/>'
        )


def _ticks(scale: _Scale) -> Iterator[str]:
    """1, 2 and 5 of each power of ten, as far as their labels do not touch."""
    free = float(_LEFT)
    exponent = math.floor(math.log10(scale.least))
    while 10**exponent <= scale.greatest:
        for step in (1, 2, 5):
            value = step * 10**exponent
            if not scale.least <= value <= scale.greatest:
                continue
            words = _tick_words(value)
            half = len(words) * _LETTER / 2
            x = scale.x(value)
            if x - half < free or x + half > _WIDTH:
                continue
            free = x + half + 14
            yield f'<path class="axis" d="M{x:.1f} {_BASE}v5"/>'
            yield f'<text class="tick" x="{x:.1f}" y="{_BASE + 18}" text-anchor="middle">{words}</text>'
        exponent += 1


def _tick_words(value: float) -> str:
    return f"{value / 1000:g} s" if value >= 1000 else f"{value:g} ms"


def _lines(marks: Sequence[tuple[str, str, float]], scale: _Scale) -> Sequence[str]:
    """A line for each mark; a label that would touch the one before stands a row higher."""
    rows = dict.fromkeys(_ROWS, -math.inf)
    lines, labels = [], []
    for kind, name, value in sorted(marks, key=lambda mark: mark[2]):
        x = scale.x(value)
        words = f"{'limit ' if kind == 'limit' else ''}{name} {milliseconds(value)}"
        length = len(words) * _LETTER
        to_left = x + length > _RIGHT
        start = x - length if to_left else x
        row = next((row for row, used in rows.items() if used < start), _ROWS[-1])
        rows[row] = start + length + 8
        at = f'x="{x - 4:.1f}" text-anchor="end"' if to_left else f'x="{x + 4:.1f}"'
        lines.append(f'<path class="{kind}" d="M{x:.1f} {row - 9}V{_BASE}"/>')
        labels.append(f'<text class="{kind}-text" {at} y="{row}">{html_text(words)}</text>')
    return [*lines, *labels]  # labels lie over the lines


def figures(target: BenchResult) -> str:
    """The numbers behind the picture, with their intervals and limits."""
    intervals = {f"p{one.share * 100:g}": one for one in target.intervals}
    heads, measured, ranges, limits = [], [], [], []
    for name, value in (*_percentiles(target), ("mean", target.mean_ms), ("max", target.max_ms)):
        interval, limit = intervals.get(name), target.thresholds.get(f"{name}_ms")
        heads.append(f'<th scope="col">{name}</th>')
        measured.append(f"<td>{_shown(value)}</td>")
        bounds = (interval.low_ms, interval.high_ms) if interval else (None, None)
        ranges.append(f"<td>{_range(*bounds)}</td>")
        limits.append(f"<td>{_shown(limit)}</td>")
    rows = [("measured", measured)]
    rows += [("95 % interval", ranges)] if any(cell != "<td></td>" for cell in ranges) else []
    rows += [("limit", limits)] if any(cell != "<td></td>" for cell in limits) else []
    body = "".join(f'<tr><th scope="row">{name}</th>{"".join(cells)}</tr>' for name, cells in rows)
    return (
        f'<table class="figures"><thead><tr><th scope="col">latency</th>{"".join(heads)}</tr></thead>'
        f"<tbody>{body}</tbody></table>"
    )


def _percentiles(target: BenchResult) -> Iterator[tuple[str, float]]:
    for name, attribute in (*_SHARES[:1], ("p90", "p90_ms"), *_SHARES[1:]):
        value = getattr(target, attribute)
        if value or name != "p90":  # a report of an older version has no p90
            yield name, value


def _shown(value: float | None) -> str:
    return "" if value is None or not math.isfinite(value) else milliseconds(value)


def _range(low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return ""
    return f"{_shown(low)} to {_shown(high)}"


def _words(
    target: BenchResult, marks: Sequence[tuple[str, float]], limits: Sequence[tuple[str, float]]
) -> str:
    told = ", ".join(f"{name} {milliseconds(value)}" for name, value in marks)
    limited = "".join(f"; the limit on {name} is {milliseconds(limit)}" for name, limit in limits)
    return (
        f"Latency of {one_line(target.name)[:100]}, {count(target.calls, 'call')}: {told}{limited}"
    )
