// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import test from "node:test";
import { colourOf, hashOf, heatColour, hueOf } from "./colours";

test("a name has one colour, whose hue is the same in both themes", () => {
  assert.equal(colourOf("main", "light"), colourOf("main", "light"));
  assert.match(colourOf("main", "light"), new RegExp(`^hsl\\(${hueOf("main")} `));
  assert.match(colourOf("main", "dark"), new RegExp(`^hsl\\(${hueOf("main")} `));
});

test("names that are alike look different", () => {
  const hues = new Set(["work1", "work2", "work3", "work4", "work5"].map(hueOf));
  assert.equal(hues.size, 5);
  assert.ok(hashOf("a") >= 0);
});

test("colours lie light on light, dark on dark", () => {
  for (const name of ["main", "f", "g", "malloc", "operator new"]) {
    assert.ok(Number(/ (\d+)%\)$/.exec(colourOf(name, "light"))?.[1]) >= 70);
    assert.ok(Number(/ (\d+)%\)$/.exec(colourOf(name, "dark"))?.[1]) <= 45);
  }
});

test("heat stays within its scale", () => {
  assert.equal(heatColour(-1, "light"), heatColour(0, "light"));
  assert.equal(heatColour(2, "dark"), heatColour(1, "dark"));
  assert.notEqual(heatColour(0, "dark"), heatColour(1, "dark"));
});
