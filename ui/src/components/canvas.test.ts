// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import test from "node:test";
import { shortened } from "./canvas";

test("a label is whole, has at least three letters and a mark, or is left out", () => {
  assert.equal(shortened("main", 4), "main");
  assert.equal(shortened("f", 1), "f");
  assert.equal(shortened("main", 3), "");
  assert.equal(shortened("hash_lookup", 4), "has…");
  assert.equal(shortened("hash_lookup", 1), "");
  assert.equal(shortened("heap_tuple_satisfies_visibility", 17), "heap_tup…sibility");
});
