// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import test from "node:test";
import { accessStep, coverageText } from "./walk";

const place = (given: object) => ({
  shape: "sequential", step_bytes: 64, code_step_bytes: null, line_bytes_used: null, access_bytes: 8, ...given,
});

test("a walk by 8 bytes that misses every line uses all of it", () => {
  const walk = place({ code_step_bytes: 8, line_bytes_used: 64 });
  assert.equal(accessStep(walk), 8);
  assert.equal(coverageText(walk), "A line serves 8 accesses of this instruction. Of each line that is fetched, this loop uses 64 of 64 bytes.");
});

test("the step between misses is not taken for the step between accesses", () => {
  assert.equal(accessStep(place({})), 0);
  assert.match(coverageText(place({})), /does not follow/);
});

test("a stride beyond a line is the step of its accesses", () => {
  const column = place({ shape: "strided", step_bytes: -4096 });
  assert.equal(accessStep(column), 4096);
  assert.equal(coverageText(column), "Of each line that is fetched, this instruction uses 8 of 64 bytes.");
});
