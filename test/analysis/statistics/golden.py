"""Values that tests hold the statistics against, from scipy and the definitions: `python3 golden.py > golden.json`.

Nothing here is a port: locations are roots, bootstraps go through all draws or through the generator's, probabilities are
scipy's. Made with scipy 1.17.1.
"""
import itertools
import json
import math

import numpy as np
from scipy import optimize, stats

FEW = [1.196, 1.495, 1.363, 1.206, 1.2, 1.14, 1.129, 1.107]
LEVELS = 16
ROUNDING = 1e-12


def huber_scale(values):
    n, middle = len(values), np.median(values)
    deviation = 1.4826 * np.median(np.abs(values - middle))
    if deviation > ROUNDING:
        return deviation * (FEW[n - 2] if n - 2 < len(FEW) else n / (n - 0.8))
    mean_deviation = np.mean(np.abs(values - middle))
    return mean_deviation if mean_deviation > ROUNDING else math.inf


def weight(distance, scale):
    return 1.0 if abs(distance) <= 1.5 * scale else 1.5 * scale / abs(distance)


def huber(values, units):
    """Location, scale and correction."""
    scale = huber_scale(values)
    if not math.isfinite(scale):
        return np.median(values), scale, 1.0
    balance = lambda at: sum(weight(one - at, scale) * (one - at) for one in values)
    location = optimize.brentq(balance, values.min() - 1, values.max() + 1, xtol=1e-14, rtol=1e-15)
    share = max(np.mean(np.abs(values - location) <= 1.5 * scale), 0.25)
    weights = np.mean([weight(one - location, scale) for one in values])
    return location, scale, (1 + (1 - share) / share / units) * weights / share


def drawable(values, inner, units):
    """Location and correction, and weight and pull of each that is drawn."""
    location, scale, correction = huber(values, units)
    together = len(values) // units
    groups = (inner - location).reshape(-1, together)
    weights = [[weight(one, scale) for one in group] for group in groups]
    pulls = [[w * one for w, one in zip(ws, group)] for ws, group in zip(weights, groups)]
    return location, correction, np.sum(weights, axis=1), np.sum(pulls, axis=1)


def spread(steps, n):
    return (np.mean(np.square(steps)) - np.mean(steps) ** 2) * n / (n - 1)


def all_draws(values, inner, units):
    """By every draw there is."""
    location, correction, weights, pulls = drawable(values, inner, units)
    draws = [list(draw) for draw in itertools.product(range(len(weights)), repeat=units)]
    return location, spread([correction * pulls[draw].sum() / weights[draw].sum() for draw in draws], units)


def generator(seed):
    """Marsaglia's xorshift32, as src/model/random.ts documents it."""
    state = ((seed + 1) * 0x9E3779B1) & 0xFFFFFFFF or 1
    for count in itertools.count():
        state ^= (state << 13) & 0xFFFFFFFF
        state ^= state >> 17
        state ^= (state << 5) & 0xFFFFFFFF
        if count >= 8:
            yield state / 2**32


def seeded_draws(values, inner, units, seed, resamples):
    location, correction, weights, pulls = drawable(values, inner, units)
    random, total, steps = generator(seed), len(weights), []
    for _ in range(resamples):
        draw = []
        while len(draw) < units:
            place = next(random) * total
            draw += [int(place), int((place % 1) * total)]
        draw = draw[:units]
        steps.append(correction * pulls[draw].sum() / weights[draw].sum())
    return location, spread(steps, units)


def levels(stretches):
    """Equally likely values of the median of a bootstrap sample."""
    n, ordered = len(stretches), sorted(stretches)

    def rank(nth, share):
        chances = [stats.binom.sf(nth - 1, n, (index + 1) / n) for index in range(n)]
        return next(index for index, chance in enumerate(chances) if chance >= share or index == n - 1)

    low, high = (n + 1) // 2, n // 2 + 1
    shares = [(level + 0.5) / LEVELS for level in range(LEVELS)]
    return [(ordered[rank(low, share)] + ordered[rank(high, share)]) / 2 for share in shares]


def estimate(log, variance, degrees):
    error = math.sqrt(variance)
    half = stats.t.isf(0.025, degrees) * error
    detectable = (stats.t.isf(0.025, degrees) + stats.t.isf(0.2, degrees)) * error
    return {
        "ratio": math.exp(log),
        "ci95": [math.exp(log - half), math.exp(log + half)],
        "standardError": error,
        "p": 2 * stats.t.sf(abs(log) / error, degrees),
        "detectable": math.expm1(detectable),
        "degrees": degrees,
    }


def paired(subject, baseline, seed, resamples):
    """The ratio of processes, given as (block, stretches): the differences of any two of a block, filled up by repetition."""
    blocks = list(dict.fromkeys(block for block, _ in subject))
    pairs = [[(s, b) for at, s in subject if at == block for to, b in baseline if to == block] for block in blocks]
    pairs = [own for own in pairs if own]
    most = max(map(len, pairs))
    pairs = [[own[k % len(own)] for k in range(most)] for own in pairs]
    logs = np.array([math.log(np.median(s)) - math.log(np.median(b)) for own in pairs for s, b in own])
    strides = [1, 5, 9, 13]
    known = [[(levels(np.log(s)), levels(np.log(b))) for s, b in own] for own in pairs]
    inner = np.array([
        s[i] - b[j * strides[k % 4] % LEVELS]
        for own in known for i in range(LEVELS) for j in range(LEVELS) for k, (s, b) in enumerate(own)
    ])
    log, variance = seeded_draws(logs, inner, len(pairs), seed, resamples)
    return estimate(log, variance, len(pairs) - 1)


def log_time(processes, seed, resamples):
    logs = np.array([math.log(np.median(stretches)) for _, stretches in processes])
    inner = np.concatenate([levels(np.log(stretches)) for _, stretches in processes])
    return (*seeded_draws(logs, inner, len(logs), seed, resamples), len(logs) - 1)


def unpaired(subject, baseline, seed, resamples):
    (a, va, da), (b, vb, db) = log_time(subject, seed, resamples), log_time(baseline, seed, resamples)
    return estimate(a - b, va + vb, (va + vb) ** 2 / (va**2 / da + vb**2 / db))


def order_interval(values):
    """Hettmansperger and Sheather's interval of a median."""
    ordered, n = sorted(values), len(values)
    coverage = lambda d: 1 - 2 * stats.binom.cdf(d - 1, n, 0.5)
    d = max(d for d in range(1, n) if coverage(d) >= 0.95)
    share = (coverage(d) - 0.95) / (coverage(d) - coverage(d + 1))
    weight = (n - d) * share / (d + (n - 2 * d) * share)
    low = (1 - weight) * ordered[d - 1] + weight * ordered[d]
    return [low, (1 - weight) * ordered[n - d] + weight * ordered[n - d - 1]]


def log_normal_interval(values):
    logs, n = np.log(values), len(values)
    half = stats.t.isf(0.025, n - 1) * np.std(logs, ddof=1) / math.sqrt(n)
    return [math.exp(logs.mean() - half), math.exp(logs.mean() + half)]


def welch(logs, variances, degrees):
    """Welch's test of several means."""
    logs, weights, degrees, k = np.array(logs), 1 / np.array(variances), np.array(degrees), len(logs)
    middle = (weights * logs).sum() / weights.sum()
    unsure = ((1 - weights / weights.sum()) ** 2 / degrees).sum()
    f = (weights * (logs - middle) ** 2).sum() / (k - 1) / (1 + 2 * (k - 2) * unsure / (k**2 - 1))
    return stats.f.sf(f, k - 1, (k**2 - 1) / (3 * unsure))


def square(n):
    return [(1.0 + i) ** 2 for i in range(n)]


def wobbling(level, block, count, seed):
    return [level * (1 + 0.01 * ((i * 7 + block * 5 + seed * 3) % 11)) for i in range(count)]


def processes(level, blocks, count, seed):
    return [(block, wobbling(level * (1 + 0.03 * (block % 3)), block, count, seed + at)) for at, block in enumerate(blocks)]


def bootstraps():
    for values, per, units in [
        ([0, 2], 1, 2), ([0, 1, 2, 4, 30], 1, 5), ([5, 5, 5, 9], 1, 4), ([1, 1, 1], 1, 3), ([1, 2, 4], 2, 3),
        ([0, 1, 3, 9, 10, 40], 1, 3), ([0, 1, 3, 9, 10, 40], 2, 3), ([-50, 0, 1, 2, 3, 60], 1, 6),
        ([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 300], 1, 4), ([0, 0, 0, 1000, 1001, 1003, 4000, 8000], 1, 4),
    ]:
        values = np.array(values, float)
        together = len(values) // units
        inner = np.concatenate([
            [one + 0.5 * (level - (per - 1) / 2) for one in values[unit * together:(unit + 1) * together]]
            for unit in range(units) for level in range(per)
        ])
        location, variance = all_draws(values, inner, units)
        yield {"values": list(values), "inner": list(inner), "units": units, "location": location, "variance": variance}


def ratios():
    a, b = [0, 1, 2, 3, 4, 5, 6], [0, 1, 2, 3, 4, 5, 6]
    for name, subject, baseline in [
        ("one of each", processes(1000, a, 5, 1), processes(900, b, 5, 2)),
        ("two of the baseline", processes(1000, a, 5, 1), processes(900, b + b, 5, 2)),
        ("two of both, but for a block", processes(700, a + a[1:], 4, 3), processes(1300, b + b, 3, 4)),
        ("five of the baseline", processes(500, a, 3, 5), processes(510, b * 5, 3, 6)),
        ("blocks that are equal but for rounding", processes(1000, [9, 2, 5], 5, 5), processes(900, [9, 2, 5], 5, 6)),
        ("some blocks", processes(1000, [9, 2, 4, 7, 6], 5, 1), processes(900, [2, 3, 6, 4, 9, 1], 5, 2)),
    ]:
        yield {
            "name": name, "subject": subject, "baseline": baseline,
            "paired": paired(subject, baseline, 1, 2000), "unpaired": unpaired(subject, baseline, 1, 2000),
            "seeded": paired(subject, baseline, 7, 50),
        }


print(json.dumps({
    "tails": [[t, d, 2 * stats.t.sf(t, d)] for t, d in [
        (0.1, 1), (2.5, 1), (1, 2.7), (3, 2.7), (0.5, 7), (12, 7), (2, 30.3), (6, 30.3), (1.5, 1000), (40, 3)]],
    "fisher": [[f, a, b, stats.f.sf(f, a, b)] for f, a, b in [
        (3.5, 2, 10), (4, 4, 4.5), (0.2, 5, 5), (25, 3, 2.2), (1.3, 40, 60), (0.01, 2, 3), (2, 1, 0.7), (1.1, 300, 200)]],
    "points": [[p, d, stats.t.isf(p / 2, d)] for p, d in [(0.05, 1), (0.05, 2.5), (0.4, 7), (1e-6, 7), (0.9, 3), (0.01, 400)]],
    "levels": [[square(n), levels(square(n))] for n in range(1, 10)],
    "bootstraps": list(bootstraps()),
    "ratios": list(ratios()),
    "intervals": [[square(n), log_normal_interval(square(n)) if n < 6 else order_interval(square(n))] for n in range(2, 21)],
    "welch": [[logs, variances, degrees, welch(logs, variances, degrees)] for logs, variances, degrees in [
        ([0.1, 0.14], [0.0004, 0.0009], [7, 3]), ([0.1, 0.12, 0.2], [0.0004, 0.0009, 0.002], [7, 3, 5]),
        ([-0.1, 0.3, 0.31, 0.1], [0.01, 0.02, 0.03, 0.015], [2, 2, 4.5, 7])]],
}, separators=(",", ":")))
