// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import test from "node:test";
import { classesText, gainText, spotsOf, userText, walkText, writtenFunction } from "./causes";
import type { Causes, Place } from "./schema";

const share = (value: number) => ({ value, low: value, high: value });

function place(changes: Partial<Place> = {}): Place {
  return {
    function: "f", physical_function: "f", dso: "x", file: "f.c", line: 1, address: 16, instruction: null, samples: 10, estimated: 1000, share: share(0.5),
    classes: {}, estimated_class: null, unclassified: 0, aliases: null, objects: [], shape: "unknown", step_bytes: null,
    step_share: null, code_step_bytes: null, line_bytes_used: null, access_bytes: null, latency_cycles: null, wait_cycles: null, cycles_share: null, waits_share: null, too_little: null, levels: {}, lines: null, pages: null,
    reuse: null, would_hit: { next_line: null, huge_pages: null }, by_kernel: null, callers: [], shared_line: null, field_order: null, advice: null,
    ...changes,
  };
}

test("classes as explain words them", () => {
  assert.equal(classesText(place()), "not measured");
  const classes = { capacity: { samples: 9, share: share(0.9) } };
  assert.equal(classesText(place({ classes })), "capacity 90.0% ±0.0");
  assert.equal(classesText(place({ classes, unclassified: 1 })), "capacity 90.0% ±0.0; no class is known for 1 sample");
  assert.equal(classesText(place({ estimated_class: { class: "conflict", why: "few sets" } })), "probably conflict: few sets");
  assert.equal(classesText(place({ levels: { L2: { samples: 1, share: share(1) } } })), "answered by L2 100.0% ±0.0");
});

test("too little for reasons", () => {
  const classes = { capacity: { samples: 9, share: share(0.9) } };
  assert.equal(classesText(place({ classes, samples: 3, too_little: "samples" })), "not shown: too few samples, 3");
  const few = place({ classes, too_little: "waits", waits_share: 0.004 });
  assert.equal(classesText(few), "not shown: 0.4% of the program's waits for data");
});

test("a place is named after the function that is inlined there", () => {
  const causes = { events: [{ name: "l1", places: [place({ function: "look_up(long)", physical_function: "main" }), place({ function: "g", physical_function: "g", address: 32 })] }] };
  const names = spotsOf(causes as unknown as Causes).map((spot) => [writtenFunction(spot), spot.function]);
  assert.deepEqual(names, [["look_up(long)", "main"], ["g", "g"]]);
});

test("walks", () => {
  assert.equal(walkText(place({ shape: "strided", step_bytes: -4096, step_share: 1, access_bytes: 8, lines: 2, pages: 1 })), "strided by 4,096 bytes (100.0% of steps), 8 bytes at a time; 2 lines in 1 page seen");
  assert.equal(walkText(place({ shape: "sequential" })), "sequential (from the code)");
});

test("gains", () => {
  const advice = (low: number, high: number, of_cycles: number | null = null) => ({
    pattern: "p", remedy: "r", basis: null, gain: { low, high, of_cycles, why: "w" },
  });
  assert.equal(gainText(advice(0.875, 0.875), share(0.5)), "some 87.5% of these (43.8% of all): w");
  assert.equal(gainText(advice(0, 0.5), null), "up to 50.0% of these: w");
  assert.equal(gainText(advice(0.1, 0.5), null), "10.0% to 50.0% of these: w");
  const ofCycles = "up to 50.0% of these (25.0% of all, at most 4.0% of the modelled cycles): w";
  assert.equal(gainText(advice(0, 0.5, 0.04), share(0.5)), ofCycles);
});

test("users of a line", () => {
  const user = { thread: "t 1", offset: 8, bytes: 8, object: "global a", field: "b", writes: true, samples: 3 };
  assert.equal(userText(user), "t 1: writes bytes 8 to 15 of global a, b");
  assert.equal(userText({ ...user, bytes: null, object: null, field: null, writes: false }), "t 1: reads byte 8");
});

test("places of all events, the longest waits first", () => {
  const causes = {
    events: [
      { name: "l1", places: [place({ address: 1, wait_cycles: 1 }), place({ address: 2, wait_cycles: 5 })] },
      { name: "l2", places: [place({ address: 1, wait_cycles: 100 })] },
    ],
  } as Causes;
  const spots = spotsOf(causes);
  assert.deepEqual(spots.map((spot) => spot.key), ["x/f/1", "x/f/2"]);
  assert.deepEqual(spots[0]?.parts.map((part) => part.event), ["l2", "l1"]);
  assert.equal(spotsOf(causes, "l2").length, 1);
});
