// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import test from "node:test";
import { binsOf, rowsOf, toggledOf, toggledText } from "./rows";
import type { Lane, Timeline } from "./schema";

const lane = (name: string, program: string | null, samples: number, bins: Lane["bins"] = []): Lane => ({
  name, pid: program === null ? null : 1, program, samples, ran: samples, idle: null, bins, counts: [],
});
const none = new Set<string>();
const texts = (lanes: Lane[], toggled: ReadonlySet<string> = none): string[] => {
  const samples = lanes.reduce((sum, each) => sum + each.samples, 0);
  return rowsOf({ lanes, samples }, toggled).map((row) => `${row.isIndented ? "  " : ""}${row.kind} ${row.label}`);
};

const build = [
  lane("7 cc1plus", "cc1plus", 600),
  lane("8 cc1plus", "cc1plus", 380),
  lane("9 as", "as", 15),
  lane("4 make", "make", 3),
  lane("5 g++", "g++", 2),
];

test("lanes are grouped by program, and small ones are folded", () => {
  assert.deepEqual(texts(build), ["group cc1plus 98.0%, 2 lanes", "  lane 7", "  lane 8", "lane 9 as", "folded 2 lanes below 1%"]);
});

test("groups close and folded rows open", () => {
  const toggled = new Set(["group cc1plus", "folded"]);
  assert.deepEqual(texts(build, toggled), ["group cc1plus 98.0%, 2 lanes", "lane 9 as", "folded 2 lanes below 1%", "lane 4 make", "lane 5 g++"]);
  assert.deepEqual([...toggledOf(toggledText(toggled, "folded"))], ["group cc1plus"]);
  assert.equal(toggledText(new Set(["folded"]), "folded"), "");
  assert.equal(toggledOf("{").size, 0);
});

test("threads of a group keep their own names, small ones are folded within it", () => {
  const threads = [lane("7 server", "server", 900), lane("8 log", "server", 2), lane("9 timer", "server", 1)];
  assert.deepEqual(texts(threads), ["group server 100.0%, 3 lanes", "  lane 7", "  folded 2 lanes below 1%"]);
});

test("CPUs are not grouped", () => {
  assert.deepEqual(texts([lane("CPU 0", null, 50), lane("CPU 1", null, 50)]), ["lane CPU 0", "lane CPU 1"]);
});

test("a row of several lanes has the sums of their bins", () => {
  const lanes = [lane("7 a", "a", 9, [[1, 2], null, null]), lane("8 a", "a", 9, [[3, 4], [5, 6], null])];
  const [row] = rowsOf({ lanes, samples: 18 }, none);
  assert.ok(row);
  assert.deepEqual(binsOf({ lanes } as Timeline, row), [[4, 6], [5, 6], null]);
});
