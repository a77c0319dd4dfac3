// Holds an implementation of pod requests to requests.json, and prints what it gets wrong.
//
//     npx tsx check.ts      (or node check.ts, from Node 22.18 on)
//
// The implementation below is the usual naive one. Put yours in its place: podRequests takes the spec
// of a pod, as JSON has it, and returns a number for each resource.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

type Amounts = Record<string, string>;
type Container = { restartPolicy?: string; resources?: { requests?: Amounts } };
type Spec = { containers?: Container[] | null; initContainers?: Container[]; overhead?: Amounts; resources?: object };
type Case = { name: string; why: string; input: { spec: Spec }; answer: { requests: Amounts } };

const suffixes: Record<string, number> = {
  m: 1e-3, "": 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40,
};

// Reads an amount as most programs do: a floating-point number, and a suffix of a short list.
function quantity(text: string): number {
  const match = /^([0-9.]+)([A-Za-z]*)$/.exec(text);
  const factor = match && suffixes[match[2]];
  if (!match || factor === undefined || factor === null) throw new Error(`cannot read ${text}`);
  return parseFloat(match[1]) * factor;
}

// The naive sum: sidecars are taken for init containers, and overhead and spec.resources for nothing.
function podRequests(spec: Spec): Record<string, number> {
  const total: Record<string, number> = {};
  for (const c of spec.containers ?? [])
    for (const [name, amount] of Object.entries(c.resources?.requests ?? {}))
      total[name] = (total[name] ?? 0) + quantity(amount);
  for (const c of spec.initContainers ?? [])
    for (const [name, amount] of Object.entries(c.resources?.requests ?? {}))
      total[name] = Math.max(total[name] ?? 0, quantity(amount));
  return total;
}

// Names what the pod has that is often overlooked.
function feature(spec: Spec): string {
  if ((spec.initContainers ?? []).some((c) => c.restartPolicy === "Always")) return "sidecars";
  if (spec.overhead) return "spec.overhead";
  return spec.resources ? "spec.resources" : "amounts";
}

// Compares exactly: a number is right if it is written as the decimal is.
function exact(n: number): string {
  return Number.isSafeInteger(n) ? BigInt(n).toString() : Number.isInteger(n) ? `about ${n}` : String(n);
}

const text = (list: Amounts) => Object.keys(list).sort().map((n) => `${n}=${list[n]}`).join(", ") || "nothing";
const here = dirname(fileURLToPath(import.meta.url));
const cases: Case[] = JSON.parse(readFileSync(join(here, "requests.json"), "utf8")).cases;
const wrong = new Map<string, number>();
for (const c of cases) {
  const want = text(c.answer.requests);
  let got: string;
  try {
    const sums = podRequests(c.input.spec);
    got = text(Object.fromEntries(Object.entries(sums).map(([name, n]) => [name, exact(n)])));
  } catch (error) {
    got = String(error);
  }
  if (got === want) continue;
  const kind = feature(c.input.spec);
  wrong.set(kind, (wrong.get(kind) ?? 0) + 1);
  if (wrong.get(kind)! <= 3) console.log(`${c.name}\n  want ${want}\n  got  ${got}\n  why  ${c.why}`);
}
const sum = [...wrong.values()].reduce((a, b) => a + b, 0);
const kinds = [...wrong].sort((a, b) => b[1] - a[1]).map(([kind, n]) => `${n} for ${kind}`);
console.log(`\n${sum} of ${cases.length} wrong: ${kinds.join(", ")}`);
process.exitCode = sum > 0 ? 1 : 0;
