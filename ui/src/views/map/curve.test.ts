// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import test from "node:test";
import { aligned } from "./curve";

const point = (bytes: number, value: number) => ({ bytes, sets: 1, ways: 1, missed: { value, low: value, high: value } });

test("curves on one axis", () => {
  const data = aligned([
    { name: "all", points: [point(2, 0.5), point(1, 0.9)] },
    { name: "f", points: [point(4, 0.1), point(1, 0.2)] },
  ]);
  assert.deepEqual(data, [[1, 2, 4], [0.9, 0.5, null], [0.2, null, 0.1]]);
});
