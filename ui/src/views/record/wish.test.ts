// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import test from "node:test";
import { usualForm, wishOf } from "./wish";

const usual = {
  events: ["l1_cache_miss", "l2_cache_miss", "dtlb_load_miss"],
  pmu: "auto",
  user: true,
  kernel: true,
  callers: false,
  sizes: false,
  llc: false,
};

test("a command", () => {
  assert.deepEqual(wishOf({ ...usualForm, command: "sleep '1'", pids: "7" }), { wish: { ...usual, command: ["sleep", "1"] } });
  assert.deepEqual(wishOf({ ...usualForm, command: "a", period: " 100us " }), { wish: { ...usual, command: ["a"], period: "100us" } });
});

test("processes", () => {
  assert.deepEqual(wishOf({ ...usualForm, target: "processes", pids: " 12, 13 14" }), { wish: { ...usual, pids: [12, 13, 14] } });
  assert.deepEqual(wishOf({ ...usualForm, target: "processes", pids: "12 x" }), { error: "x is not a process ID." });
  assert.deepEqual(wishOf({ ...usualForm, target: "processes", command: "a" }), { error: "Give a process to record." });
});

test("what cannot be recorded", () => {
  const error = (changes: object): string => {
    const wish = wishOf({ ...usualForm, command: "a", ...changes });
    return "error" in wish ? wish.error : "";
  };
  assert.match(error({ command: "  " }), /Give a command/);
  assert.match(error({ command: "'a" }), /cannot be split: the quote ' is not closed/);
  assert.match(error({ events: [] }), /Choose an event/);
  assert.match(error({ user: false, kernel: false }), /user mode, kernel mode/);
  assert.equal(error({ user: false }), "");
});
