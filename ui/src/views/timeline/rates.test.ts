// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import test from "node:test";
import type { Rate, Timeline } from "./schema";
import { rateAt, shownRates } from "./rates";

const end = 1_000_000;

function rateOf(perSecond: (number | null)[], gaps: Rate["gaps"] = []): Rate {
  return { event: "miss", samples: 4, events: 400, most_per_billion: null, per_billion: perSecond, gaps };
}

function timelineOf(begin: number, to: number, rate: Rate): Timeline {
  return { begin_at: begin, end_at: to, bin: (to - begin) / rate.per_billion.length, rates: [rate] } as unknown as Timeline;
}

const whole = timelineOf(0, end, rateOf([1000, 3000, 0, 2000]));

test("the rates of the whole run", () => {
  const [rate] = shownRates(whole, [], { from: 0, to: end });
  assert.equal(rate?.event, "miss");
  assert.equal(rate?.most, 3000);
  assert.equal(rate?.mostAt, 250_000);
  assert.equal(rate?.mean, 1500);
  assert.equal(rate?.events, 1.5);
  assert.equal(rate?.worth, 100);
  assert.equal(rate?.cells.length, 4);
});

test("the most is that of the window", () => {
  const [rate] = shownRates(whole, [], { from: 600_000, to: end });
  assert.equal(rate?.most, 2000);
  assert.equal(rate?.cells.length, 2);
  assert.equal(rate?.events, 0.5);
});

test("finer parts are taken once all of them are there", () => {
  const window = { from: 300_000, to: 700_000 };
  const [first, second] = [timelineOf(0, 500_000, rateOf([1, 2, 3, 4, 5])), timelineOf(500_000, end, rateOf([6, 7, 8, 9, 10]))];
  assert.equal(shownRates(whole, [first], window)[0]?.most, 3000);
  assert.deepEqual(shownRates(whole, [first, second], window)[0]?.cells.map((cell) => cell.perBillion), [4, 5, 6, 7]);
});

test("what was not measured is no zero", () => {
  const missing = timelineOf(0, end, rateOf([null, 3000, 0, null], [{ begin_at: 800_000, end_at: 900_000 }]));
  const [rate] = shownRates(missing, [], { from: 0, to: end });
  assert.equal(rate?.mean, 1500);
  assert.equal(rate?.gap, 250_000);
  assert.ok(rate);
  assert.equal(rateAt(rate, 0, "ns"), "not measured");
  assert.equal(rateAt(rate, 300_000, "ns"), "3 k/s");
  assert.equal(rateAt(rate, 600_000, "ns"), "no sample; one stands for some 100 events");
  const [none] = shownRates(missing, [], { from: 750_001, to: end });
  assert.deepEqual([none?.events, none?.mean, none?.most, none?.mostAt], [null, null, null, null]);
});

test("an event without samples", () => {
  const empty = timelineOf(0, end, { ...rateOf([0, 0]), samples: 0, events: 0 });
  const [rate] = shownRates(empty, [], { from: 0, to: end });
  assert.equal(rate?.most, 0);
  assert.equal(rate?.worth, null);
});
