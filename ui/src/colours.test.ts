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

// The relative luminance of WCAG.
function luminance(red: number, green: number, blue: number): number {
  const [r, g, b] = [red, green, blue].map((each) => (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4));
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0);
}

function luminanceOf(hsl: string): number {
  const [hue = 0, saturation = 0, lightness = 0] = [...hsl.matchAll(/[\d.]+/g)].map((each) => Number(each[0]));
  const [s, l] = [saturation / 100, lightness / 100];
  const part = (n: number): number => {
    const k = (n + hue / 30) % 12;
    return l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1));
  };
  return luminance(part(0), part(8), part(4));
}

test("names can be read on their colours", () => {
  const light = luminance(0x1b / 255, 0x1f / 255, 0x24 / 255);
  const dark = luminance(0xe4 / 255, 0xe7 / 255, 0xea / 255);
  for (let i = 0; i < 3000; ++i) {
    assert.ok((luminanceOf(colourOf(`f${i}`, "light")) + 0.05) / (light + 0.05) >= 4.5, colourOf(`f${i}`, "light"));
    assert.ok((dark + 0.05) / (luminanceOf(colourOf(`f${i}`, "dark")) + 0.05) >= 4.5, colourOf(`f${i}`, "dark"));
  }
});

test("heat stays within its scale", () => {
  assert.equal(heatColour(-1, "light"), heatColour(0, "light"));
  assert.equal(heatColour(2, "dark"), heatColour(1, "dark"));
  assert.notEqual(heatColour(0, "dark"), heatColour(1, "dark"));
});
