// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import test from "node:test";
import { afterKey, moved, partsOf, pickOf, spanOfPick, ticksOf, windowOfPick, within, zoomed } from "./window";

const end = 1_000_000;

test("a window stays within the run", () => {
  assert.deepEqual(within({ from: -5, to: 99_995 }, end), { from: 0, to: 100_000 });
  assert.deepEqual(within({ from: 950_000, to: 1_050_000 }, end), { from: 900_000, to: end });
  assert.deepEqual(within({ from: 0, to: 5_000_000 }, end), { from: 0, to: end });
  assert.deepEqual(within({ from: 10, to: 11 }, end), { from: 10, to: 1010 });
});

test("a zoom keeps what is below the pointer there", () => {
  const window = zoomed({ from: 0, to: end }, 0.5, 400_000, end);
  assert.deepEqual(window, { from: 200_000, to: 700_000 });
  assert.deepEqual(zoomed(window, 10, 400_000, end), { from: 0, to: end });
});

test("moving stops at the ends", () => {
  assert.deepEqual(moved({ from: 0, to: 100_000 }, 0.5, end), { from: 50_000, to: 150_000 });
  assert.deepEqual(moved({ from: 0, to: 100_000 }, -1, end), { from: 0, to: 100_000 });
});

test("one or two parts hold a window", () => {
  assert.deepEqual(partsOf({ from: 0, to: end }, end), []);
  assert.deepEqual(partsOf({ from: 0, to: 500_000 }, end), [{ from: 0, to: 500_000 }]);
  assert.deepEqual(partsOf({ from: 300_000, to: 700_000 }, end), [
    { from: 0, to: 500_000 },
    { from: 500_000, to: end },
  ]);
  for (let span = 2000; span < end; span *= 1.7) {
    for (let from = 0; from + span <= end; from += span * 0.77) {
      const parts = partsOf({ from, to: from + span }, end);
      if (parts.length === 0) continue;
      assert.ok(parts.length <= 2);
      assert.ok((parts[0]?.from ?? 0) <= from + 1 && (parts[parts.length - 1]?.to ?? 0) >= from + span - 1);
    }
  }
});

test("ticks are round", () => {
  assert.deepEqual(ticksOf({ from: 0, to: 1000 }, 0.2), [0, 200, 400, 600, 800, 1000]);
  assert.deepEqual(ticksOf({ from: 130, to: 230 }, 0.3), [150, 200]);
});

test("keys", () => {
  const window = { from: 100_000, to: 200_000 };
  assert.deepEqual(afterKey("+", window, end), { from: 125_000, to: 175_000 });
  assert.deepEqual(afterKey("-", window, end), { from: 50_000, to: 250_000 });
  assert.deepEqual(afterKey("ArrowRight", window, end), { from: 120_000, to: 220_000 });
  assert.deepEqual(afterKey("0", window, end), { from: 0, to: end });
  assert.equal(afterKey("x", window, end), null);
});

test("around a place there are some samples, but not many", () => {
  assert.equal(spanOfPick(1000, null), 8000);
  assert.equal(spanOfPick(1000, 1000), 8000);
  assert.equal(spanOfPick(1000, 10_000), 40_000);
  assert.equal(spanOfPick(1_000_000, 10_000), 200_000);
  assert.equal(spanOfPick(1, 1), 1000);
  assert.deepEqual(windowOfPick({ lane: "a", at: 50_000, span: 20_000 }, end), { from: 40_000, to: 60_000 });
  assert.deepEqual(windowOfPick({ lane: "a", at: 0, span: 20_000 }, end), { from: 0, to: 20_000 });
});

test("a place in the link", () => {
  assert.deepEqual(pickOf({ lane: "1 x", at: "5", span: "7" }), { lane: "1 x", at: 5, span: 7 });
  assert.equal(pickOf({ lane: "1 x", at: "5" }), null);
  assert.equal(pickOf({ at: "5", span: "7" }), null);
  assert.equal(pickOf({ lane: "1 x", at: "y", span: "7" }), null);
  assert.equal(pickOf({ lane: "1 x", at: "-1", span: "7" }), null);
});
