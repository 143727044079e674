// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import test from "node:test";
import type { OverTime } from "./schema";
import { isAlone, seriesOf } from "./series";

const moment = (begin_s: number, value: number, known = true) => ({
  begin_s, samples: 1, measurements: 2, events: 1, rate: { value, low: known ? value / 2 : null, high: known ? value * 2 : null },
});
const found: OverTime = {
  event: "e", source: "hardware", unit: "instructions", samples: 1, measurements: 1, begin_s: 65, end_s: 301, bucket_s: 60, rate: null, step: null, can_detect_steps: false,
  moments: [moment(60, 1), moment(120, 0), moment(240, 2, false)],
};

test("gaps are gaps, and what was measured as 0 is 0", () => {
  const series = seriesOf(found, 10);
  assert.deepEqual(series.times, [90, 150, 210, 270, 330]);
  assert.deepEqual(series.values, [10, 0, null, 20, null]);
  assert.deepEqual(series.lows, [5, 0, null, null, null]);
  assert.deepEqual(series.highs, [20, 0, null, null, null]);
});

test("which have no neighbours", () => {
  assert.deepEqual([0, 1, 2, 3, 4].map((index) => isAlone([1, 2, null, 3, null], index)), [false, false, false, true, false]);
});
