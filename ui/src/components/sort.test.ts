// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import test from "node:test";
import { filtered, sorted, type Value } from "./sort";

const self = (value: Value): Value => value;

test("numbers and names", () => {
  assert.deepEqual(sorted([3, 1, 2], self, false), [1, 2, 3]);
  assert.deepEqual(sorted([3, 1, 2], self, true), [3, 2, 1]);
  assert.deepEqual(sorted(["f10", "f9", "a"], self, false), ["a", "f9", "f10"]);
});

test("what is not known comes last either way", () => {
  assert.deepEqual(sorted([null, 2, null, 1], self, false), [1, 2, null, null]);
  assert.deepEqual(sorted([null, 2, null, 1], self, true), [2, 1, null, null]);
});

test("equal rows keep their order", () => {
  const rows = [{ n: 1, at: 0 }, { n: 1, at: 1 }, { n: 0, at: 2 }];
  assert.deepEqual(sorted(rows, (row) => row.n, true).map((row) => row.at), [0, 1, 2]);
});

test("every word has to be there", () => {
  const rows = ["std::map::find", "std::map::insert", "main"];
  assert.deepEqual(filtered(rows, "MAP find", (row) => row), ["std::map::find"]);
  assert.equal(filtered(rows, "  ", (row) => row).length, 3);
});
