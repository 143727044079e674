// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import test from "node:test";
import type { AnnotatedLine, Annotation, Causes } from "../../schema";
import { filesOf, placesByLine } from "./listing";

const line = (file: string | null, number: number | null, samples: number): AnnotatedLine => ({
  file, line: number, source: null, counts: { l1: samples }, estimated: {}, share: {},
});

test("files by samples, lines in order, what has no file last", () => {
  const lines = [line("a.h", 9, 1), line("b.c", 7, 5), line(null, null, 50), line("b.c", 3, 0)];
  const files = filesOf({ lines } as Annotation);
  assert.deepEqual(files.map((file) => [file.file, file.lines.map((each) => each.line)]), [
    ["b.c", [3, 7]],
    ["a.h", [9]],
    [null, [null]],
  ]);
});

test("places of the function by line", () => {
  const places = [{ function: "f", file: "a.c", line: 1 }, { function: "g", file: "a.c", line: 1 }];
  const found = placesByLine({ events: [{ name: "l1", places }] } as unknown as Causes, "f");
  assert.deepEqual([...found.keys()], ["a.c:1"]);
  assert.equal(found.get("a.c:1")?.length, 1);
  assert.equal(placesByLine(null, "f").size, 0);
});
