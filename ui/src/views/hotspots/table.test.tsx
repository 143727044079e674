// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import test from "node:test";
import type { HotspotRow } from "../../schema";
import { eventColumns } from "./table";

const share = (value: number) => ({ value, low: value, high: value });
const row = (value: number): HotspotRow => ({
  dso: "a", counts: { l1: value * 100, l2: 1 }, estimated: { l1: null, l2: null }, share: { l1: share(value), l2: share(0.1) },
});

test("columns of the chosen event alone", () => {
  const columns = eventColumns("l1", [row(0.25), row(0.5)]);
  assert.deepEqual(columns.map((column) => column.name), ["share", "samples", "events"]);
  assert.deepEqual(columns.map((column) => column.value(row(0.25))), [0.25, 25, null]);
});

test("an inclusive column only if the rows have inclusive counts", () => {
  const inclusive = { ...row(0.25), inclusive: { l1: 90 }, inclusive_estimated: { l1: null }, inclusive_share: { l1: share(0.9) } };
  const columns = eventColumns("l1", [inclusive]);
  assert.deepEqual(columns.map((column) => column.name), ["share", "inclusive", "samples", "events"]);
  assert.equal(columns[1]?.value(inclusive), 0.9);
  assert.equal(columns[1]?.value(row(0.5)), null);
});
