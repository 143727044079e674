// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import test from "node:test";
import type { Step } from "./schema";
import * as words from "./words";

const form = words.rateForm({ event: "l3_cache_miss", unit: "instructions" });

test("rates are as the command prints them", () => {
  assert.equal(words.rateText({ value: 0.0123, low: 0.012, high: 0.0127 }, form), "12.3 ±0.400");
  assert.equal(words.rateText({ value: 0.0123, low: null, high: null }, form), "12.3");
  assert.equal(words.rateText(null, form), "-");
  assert.equal(words.rateForm({ event: "clock", unit: "cpu_ns" }).title, "% of CPU time");
});

test("lengths of buckets", () => {
  assert.equal(words.lengthText(600), "10 minutes");
  assert.equal(words.lengthText(86400), "1 day");
  assert.equal(words.lengthText(90), "90 seconds");
});

test("since when", () => {
  const rate = (value: number) => ({ value, low: value * 0.9, high: value * 1.1 });
  const told = (step: Step | null) => ({ step, can_detect_steps: true });
  assert.match(words.stepText(told({ at_s: 1_700_000_000, before: rate(0.01), after: rate(0.03) }), form), /^Since 2023-11-1\d \d\d:\d\d:20 it is 3 times what it was: 10 ±1.00 before, 30 ±3.00 after \(in 1000 instr\.\)\.$/);
  assert.match(words.stepText(told({ at_s: 0, before: rate(0), after: rate(0.03) }), form), /there, and was not before/);
  assert.match(words.stepText({ step: null, can_detect_steps: false }, form), /Too few/);
  assert.match(words.stepText(told(null), form), /did not change/);
});

test("places", () => {
  assert.equal(words.spotText({ function: "look_up", file: "/src/cart.cc", line: "88", module: "x" }), "look_up, cart.cc:88");
  assert.equal(words.spotText({ function: "", file: "", line: "0", module: "libc.so.6" }), "libc.so.6");
  assert.equal(words.releaseText("0123456789abcdef0123"), "0123456789ab");
  assert.equal(words.nameText(""), "[unknown]");
});
