// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import test from "node:test";
import { partInLine } from "./cache_line";

test("a range over two lines has a part in each", () => {
  const range = { offset: 60, bytes: 8, colour: "red", text: "" };
  assert.deepEqual(partInLine(range, 0, 64).map((part) => [part.offset, part.bytes]), [[60, 4]]);
  assert.deepEqual(partInLine(range, 1, 64).map((part) => [part.offset, part.bytes]), [[0, 4]]);
  assert.deepEqual(partInLine(range, 2, 64), []);
});
