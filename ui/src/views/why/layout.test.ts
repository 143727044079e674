// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { rangesOf, usedOf } from "./layout";

const order = {
  together: ["price", "next"],
  others: ["id"],
  not_met: ["name"],
  type: "struct order",
  bytes: 96,
  members: [
    { name: "id", offset: 0, bytes: 8 },
    { name: "price", offset: 8, bytes: 4 },
    { name: "name", offset: 12, bytes: 76 },
    { name: "next", offset: 88, bytes: 8 },
  ],
};

test("each member lies at its offset, in the colour of its use", () => {
  const ranges = rangesOf(order, { together: "a", others: "b", not_met: "c" });
  assert.deepEqual(ranges.map(({ offset, bytes, colour }) => [offset, bytes, colour]), [
    [0, 8, "b"],
    [8, 4, "a"],
    [12, 76, "c"],
    [88, 8, "a"],
  ]);
  assert.equal(ranges[1]?.text, "price at +8, 4 bytes: used here together");
});

test("bytes that are used, and the lines in which they lie", () => {
  assert.deepEqual(usedOf(order, 64), { bytes: 12, lines: 2 });
  assert.deepEqual(usedOf({ ...order, together: [] }, 64), { bytes: 0, lines: 0 });
});
