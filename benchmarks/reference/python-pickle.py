"""Times CPython's pickle on one value, for benchmarks/python-pickle.js.

Reads a line with a pickle in hex, and answers each further line, "dumps COUNT" or "loads COUNT", with the nanoseconds
that a call took. The value is what the pickle holds, so that its strings are shared as they are in the pickle.
"""
import pickle
import sys
import time

data = bytes.fromhex(sys.stdin.readline().strip())
value = pickle.loads(data)
assert pickle.dumps(value, 4) == data
sys.stdout.write("ready\n")
sys.stdout.flush()
for line in iter(sys.stdin.readline, ""):
    what, count = line.split()
    rounds = range(int(count))
    dumps, loads = pickle.dumps, pickle.loads
    start = time.perf_counter_ns()
    if what == "dumps":
        for _ in rounds:
            dumps(value, 4)
    else:
        for _ in rounds:
            loads(data)
    sys.stdout.write("%f\n" % ((time.perf_counter_ns() - start) / int(count)))
    sys.stdout.flush()
