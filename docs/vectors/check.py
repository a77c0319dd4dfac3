#!/usr/bin/env python3
"""Holds an implementation of pod requests to requests.json, and prints what it gets wrong.

    python3 check.py

The implementation below is the usual naive one. Put yours in its place: pod_requests takes the spec
of a pod, as JSON has it, and returns a Decimal for each resource.
"""
import json
import os
import sys
from collections import Counter
from decimal import Decimal

SUFFIXES = {"m": Decimal("0.001"), "": 1, "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12,
            "Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40}


def quantity(text):
    """Reads an amount as most programs do: digits, and a suffix of a short list."""
    digits = text.rstrip("mkMGTi" + "K")
    return Decimal(digits) * SUFFIXES[text[len(digits):]]


def add(total, requests):
    for name, amount in requests.items():
        total[name] = total.get(name, Decimal(0)) + quantity(amount)


def pod_requests(spec):
    """The naive sum: sidecars are taken for init containers, and overhead and spec.resources for
    nothing."""
    total = {}
    for container in spec.get("containers") or []:
        add(total, container.get("resources", {}).get("requests", {}))
    for container in spec.get("initContainers") or []:
        for name, amount in container.get("resources", {}).get("requests", {}).items():
            total[name] = max(total.get(name, Decimal(0)), quantity(amount))
    return total


def feature(spec):
    """Names what the pod has that is often overlooked."""
    if any(c.get("restartPolicy") == "Always" for c in spec.get("initContainers") or []):
        return "sidecars"
    for field in ("overhead", "resources"):
        if field in spec:
            return "spec." + field
    return "amounts"


def main():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "requests.json")
    with open(path, encoding="utf-8") as file:
        cases = json.load(file)["cases"]
    wrong = Counter()
    for case in cases:
        spec, want = case["input"]["spec"], {n: Decimal(a) for n, a in case["answer"]["requests"].items()}
        try:
            got = pod_requests(spec)
        except Exception as error:  # an amount that it cannot read, mostly
            got = f"{type(error).__name__}: {error}"
        if got == want:
            continue
        wrong[feature(spec)] += 1
        if wrong[feature(spec)] <= 3:
            show = got if isinstance(got, str) else ", ".join(f"{n}={a}" for n, a in sorted(got.items())) or "nothing"
            print(f"{case['name']}\n  want {', '.join(f'{n}={a}' for n, a in sorted(want.items())) or 'nothing'}\n  got  {show}\n  why  {case['why']}")
    print(f"\n{sum(wrong.values())} of {len(cases)} wrong: {', '.join(f'{n} for {f}' for f, n in wrong.most_common())}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
