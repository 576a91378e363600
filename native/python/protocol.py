"""The protocol of native/README.md for programs in Python 3 and 2.7: reads a job, measures it, proves what was measured.

A program gives main() a function from a job to its System, whose two calls are expressions, and the versions of its libraries.

The timed loop is generated for each operation, as timeit generates its own: the call stands in it as the text that a
program would have there, with the names that it uses as local variables. The garbage collector stays as CPython starts
it, since a program that decodes has it too; timeit turns it off. What a call made lives until the next call has ended.
"""
import base64
import gc
import itertools
import json
import platform
import sys
import time

PROTOCOL = 1

CPU_STEP = 1
# The clock's step is to be half a percent of a batch.
LEAST_STEPS = 200
MAX_CALLS = 2 ** 20
LONG_BATCH = 10 ** 9
# Shares of the warm-up: finding how many calls make a batch, calling on, and calling on after the collection.
CALIBRATE, WARM, SETTLE = 0.4, 0.3, 0.3
# Turns of the fixed work beside each batch: 2 microseconds.
TURNS = 32

if hasattr(time, "thread_time_ns"):
    cpu, wall = time.thread_time_ns, time.perf_counter_ns
else:
    # What Python 2.7 has itself counts whole microseconds, or ticks of the kernel.
    import ctypes

    def clock(number):
        """A function that reads one of the system's clocks, in nanoseconds."""
        library = ctypes.CDLL(None, use_errno=True)
        spec = (ctypes.c_long * 2)()
        if library.clock_gettime(number, spec) != 0:
            raise OSError(ctypes.get_errno(), "clock_gettime(%d)" % number)
        read = library.clock_gettime

        def nanos():
            read(number, spec)
            return spec[0] * 1000000000 + spec[1]

        return nanos

    # CLOCK_THREAD_CPUTIME_ID and CLOCK_MONOTONIC, by the numbers that they have on Linux and on macOS.
    cpu, wall = (clock(number) for number in ((16, 6) if sys.platform == "darwin" else (3, 1)))


class System(object):
    """A way to encode and decode values of some datasets.

    encode and decode are expressions: of `value`, which plain() made of a value of the job, and of `data`, which are
    bytes. They use the names of scope.
    """

    def __init__(self, encode, decode, scope, plain=lambda value: value):
        self.encode = encode
        self.decode = decode
        self.scope = scope
        self.plain = plain


class Operation(object):
    """What is timed: an expression of the variable `given`, and the fold of its `result`."""

    def __init__(self, name, call, given, fold, inputs, outputs, scope):
        self.name = name
        self.inputs = inputs
        self.call = function("%s: %s" % (given, call), scope)
        self.loop = loop(call, given, fold, scope)
        # The same loop round what the call would have made, and no call: its cost is the loop's and the fold's.
        self.empty = loop(given, given, fold, scope)
        self.outputs = outputs
        self.fold = function("result: " + fold, scope)


LOOP = """
def batch({given}s, cpu, wall, {names}):
    total = 0
    started = cpu()
    from_ = wall()
    for {given} in {given}s:
        result = {call}
        total += {fold}
    until = wall()
    return cpu() - started, until - from_, total
"""


def function(source, scope):
    return eval("lambda " + source, dict(scope))


def loop(call, given, fold, scope):
    """The function that times a loop over an iterator: time on a core, by the clock, and the sum of the folds."""
    names = sorted(scope)
    made = {}
    exec(LOOP.format(given=given, call=call, fold=fold, names=", ".join(names)), made)
    batch, values = made["batch"], [scope[name] for name in names]
    return lambda inputs: batch(inputs, cpu, wall, *values)


# Of bytes: their length, and the bytes at the end and in the middle. Python 2 indexes a str by characters.
FOLD_BYTES = "len(result) + {0}(result[-1]) + {0}(result[len(result) >> 1])".format("ord" if bytes is str else "")
FOLD_VALUE = "len(result)"


def work(turns):
    """The fixed work that says how fast the core is: what an interpreter does most, on small integers."""
    a, b = 1, 2
    for i in range(turns):
        a = (a + (b >> 3)) & 0xFFFF
        b = (b ^ (i + a)) & 0xFFFF
    return a + b


def probe():
    """Nanoseconds of the work. Done once before, it does not depend on what a codec has left in caches."""
    work(TURNS)
    started = wall()
    work(TURNS)
    return wall() - started


def median(values):
    return sorted(values)[len(values) // 2]


def int32(number):
    return (number + 2 ** 31) % 2 ** 32 - 2 ** 31


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


class Sampler(object):
    """Times one operation in batches, round its ring of inputs."""

    def __init__(self, operation, job):
        self.operation = operation
        self.asked = job.get("calls", 0)
        self.warm_up_nanos = job["warmupMs"] * 1e6
        self.measure_nanos = job["measureMs"] * 1e6
        least = LEAST_STEPS * CPU_STEP
        self.least_nanos, self.aimed_nanos = least, max(job["batchMicros"] * 1e3, 2 * least)
        self.ring = itertools.cycle(operation.inputs)
        # What the readings of the clocks take: a mean, since a coarse clock is between two steps, without interruptions.
        readings = sorted(operation.loop(iter(()))[0] for _ in range(250))[:225]
        self.reading = sum(readings) // len(readings)
        self.batches = []
        self.calls = self.sum = 0

    def batch(self, calls):
        """Nanoseconds of a batch on a core and by the clock."""
        on_core, by_clock, total = self.operation.loop(itertools.islice(self.ring, calls))
        self.calls += calls
        self.sum = int32(self.sum + total)
        on_core = max(on_core - self.reading, CPU_STEP)
        self.batches.append((calls, on_core, by_clock))
        if by_clock > LONG_BATCH:
            say({"after": "a call of %s had ended" % self.operation.name})
        return on_core, by_clock

    def spend(self, calls, nanos, least=0, probes=None):
        """Batches until they have spent that time: time on a core, or half of that by the clock."""
        on_core = by_clock = count = 0
        while max(on_core, by_clock / 2.0) < nanos or count < least:
            spent = self.batch(calls)
            if probes is not None:
                probes.append(probe())
            on_core, by_clock, count = on_core + spent[0], by_clock + spent[1], count + 1
        return count

    def calibrate(self):
        """How many calls make a batch of the aimed length: found anew as the code gets faster."""
        calls, spent = 1, 0
        last = [self.batch(1)]
        while True:
            taken = max(median([one[0] for one in last]), median([one[1] for one in last]) / 2.0)
            too_short = taken < max(self.least_nanos, self.aimed_nanos / 4.0) and calls < MAX_CALLS
            if spent >= CALIBRATE * self.warm_up_nanos and not too_short:
                return calls, median([one[1] for one in last])
            if taken < 0.5 * self.aimed_nanos and calls < MAX_CALLS:
                calls *= 2
            elif taken > 1.5 * self.aimed_nanos and calls > 1:
                calls //= 2
            last = [self.batch(calls) for _ in range(5 if taken < LONG_BATCH else 1)]
            spent += sum(max(one[0], one[1] / 2.0) for one in last)

    def warm_up(self):
        """The batches before those that count; the calls of each that counts, and how many of these there are at least."""
        calls, by_clock = self.calibrate()
        least = min(max(int(4 * self.measure_nanos / by_clock), 3), 16)
        if by_clock < LONG_BATCH:
            self.spend(calls, WARM * self.warm_up_nanos, least // 2)
        gc.collect()
        if by_clock < LONG_BATCH:
            self.spend(calls, SETTLE * self.warm_up_nanos)
        warm_up, self.batches = self.batches, []
        return warm_up, calls, least

    def measure(self):
        operation = self.operation
        started = wall()
        results = [operation.call(operation.inputs[0])]
        first = wall() - started
        results += [operation.call(one) for one in operation.inputs[1:]]
        warm_up, calls, batches = ([], self.asked, 1) if self.asked else self.warm_up()
        probes = [probe() for _ in range(5)][-1:]
        self.spend(calls, 0 if self.asked else self.measure_nanos, batches, probes)
        return {
            "operation": operation.name,
            "batchCalls": calls,
            "core": [one[1] for one in self.batches],
            "wall": [one[2] for one in self.batches],
            "probes": probes,
            "turns": TURNS,
            "loop": self.loop_cost(),
            "first": first,
            "warmUp": {"calls": [one[0] for one in warm_up], "core": [one[1] for one in warm_up]},
            "folds": [int32(operation.fold(one)) for one in results],
            "calls": self.calls,
            "sum": self.sum,
            "clock": "thread-cpu",
            "clockStep": CPU_STEP,
        }

    def loop_cost(self, calls=2 ** 14):
        """Nanoseconds of a turn without a call."""
        ring = itertools.cycle(self.operation.outputs)
        times = [self.operation.empty(itertools.islice(ring, calls))[0] for _ in range(12)]
        return float(median(times[6:])) / calls


def shared(value, texts):
    """A value of JSON with equal text as one object, as equal constants of a module are: pickle refers to it then."""
    if isinstance(value, dict):
        return dict((shared(key, texts), shared(item, texts)) for key, item in value.items())
    if isinstance(value, list):
        return [shared(item, texts) for item in value]
    return texts.setdefault(value, value) if isinstance(value, type(u"")) else value


def base64_of(messages):
    return [base64.b64encode(one).decode("ascii") for one in messages]


def run(job, system):
    values = [system.plain(shared(value, {})) for value in job["values"]]
    encode = function("value: " + system.encode, system.scope)
    decode = function("data: " + system.decode, system.scope)
    encoded = [bytes(encode(value)) for value in values]
    decoded = [decode(data) for data in encoded]
    operations = {
        "encode": ("value", system.encode, FOLD_BYTES, values, encoded),
        "decode": ("data", system.decode, FOLD_VALUE, encoded, decoded),
    }
    for name in job["operations"]:
        given, call, fold, inputs, outputs = operations[name]
        operation = Operation(name, call, given, fold, inputs, outputs, system.scope)
        say({"measured": Sampler(operation, job).measure()})
    say({"proof": {"encoded": base64_of(encoded), "again": base64_of([bytes(encode(value)) for value in decoded])}})


def main(system, libraries):
    """Answers the job on standard input."""
    job = json.loads(sys.stdin.readline())
    compiler = "%s %s" % (platform.python_implementation(), platform.python_version())
    say({"hello": {"protocol": PROTOCOL, "language": "Python", "compiler": compiler, "libraries": libraries}})
    if job["protocol"] == PROTOCOL and "system" in job:
        run(job, system(job))
