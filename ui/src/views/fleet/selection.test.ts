// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import test from "node:test";
import { paramsOfSpot, sinceOf, spotOf, spotOfRow, timesOf } from "./selection";

test("the time in a link", () => {
  assert.deepEqual(timesOf({}, 1_000_000), { from_s: String(1_000_000 - 86400) });
  assert.deepEqual(timesOf({ since: "6h" }, 1_000_000), { from_s: String(1_000_000 - 6 * 3600) });
  assert.deepEqual(timesOf({ since: "all" }, 1_000_000), {});
  assert.deepEqual(timesOf({ since: "500", until: "600" }, 1_000_000), { from_s: "500", to_s: "600" });
  assert.equal(sinceOf({ since: "yesterday" }), "1d");
  assert.deepEqual(timesOf({ since: "all", until: "x" }, 1), {});
});

test("a row's place comes back from its link", () => {
  const spot = spotOfRow(["file", "line", "function", "module"], ["a.c", "7", "f", "x"]);
  assert.deepEqual(spot, { function: "f", file: "a.c", line: "7", module: "x" });
  assert.deepEqual(spotOf(paramsOfSpot(spot)), spot);
  assert.deepEqual(spotOfRow(["function", "module"], ["", "libc"]), { module: "libc" });
  assert.equal(spotOf({ line: "7" }), null);
});
