// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import test from "node:test";
import type { AnnotatedLine, Annotation, Causes } from "../../schema";
import { filesOf, hottest, largestShare, placesByLine } from "./listing";

const line = (file: string | null, number: number | null, samples: number): AnnotatedLine => ({
  file, line: number, source: null, counts: { l1: samples }, estimated: {}, share: {},
});

test("files by samples, lines in order, what has no file last", () => {
  const lines = [line("a.h", 9, 1), line("b.c", 7, 5), line(null, null, 50), line("b.c", 3, 0)];
  const files = filesOf({ lines } as Annotation, ["l1"]);
  assert.deepEqual(files.map((file) => [file.file, file.lines.map((each) => each.line)]), [
    ["b.c", [3, 7]],
    ["a.h", [9]],
    [null, [null]],
  ]);
});

test("places of the function by line", () => {
  const places = [
    { physical_function: "f", file: "a.c", line: 1 },
    { physical_function: "g", file: "a.c", line: 1 },
    { physical_function: "f", file: null, line: null, address: 4096 },
  ];
  const causes = { events: [{ name: "l1", places }] } as unknown as Causes;
  const found = placesByLine(causes, "f", ["l1"]);
  assert.deepEqual([...found.keys()], ["a.c:1", "@4096"]);
  assert.equal(found.get("a.c:1")?.length, 1);
  assert.equal(placesByLine(causes, "f", ["l2"]).size, 0);
  assert.equal(placesByLine(null, "f", ["l1"]).size, 0);
});

test("the hottest row and the largest share are of one event", () => {
  const share = (value: number) => ({ value, low: value, high: value });
  const rows = [
    { ...line("a.c", 1, 2), share: { l1: share(0.2) } },
    { ...line("a.c", 2, 8), share: { l1: share(0.8) } },
    { ...line("a.c", 3, 0), share: { l1: share(0) } },
  ];
  assert.equal(hottest(rows, "l1")?.line, 2);
  assert.equal(largestShare(rows, "l1"), 0.8);
  assert.equal(hottest(rows, "l2"), undefined);
  assert.equal(largestShare(rows, "l2"), 1);
});
