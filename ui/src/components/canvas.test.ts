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
  const wide = (character: string): number => (character === "\u0301" ? 0 : character < "\u0100" ? 1 : 2);
  assert.equal(shortened("價格的合計", 10, wide), "價格的合計");
  assert.equal(shortened("價格的合計", 8, wide), "價格的…");
  assert.equal(shortened("價格的合計價格的合計", 17, wide), "價格的合…格的合計");
  assert.equal(shortened("🚀🚀🚀", 5, wide), "🚀🚀…");
  assert.equal(shortened("abcdefghijklmnopqre\u0301stuvwxyz", 17, wide), "abcdefgh…stuvwxyz");
  assert.equal(shortened("heap_tuple_satisfies_visibility", 17), "heap_tup…sibility");
});
