// SPDX-License-Identifier: MIT
// A function has the same colour in every view and at every visit: it follows from its name alone.

export type Theme = "light" | "dark";

// FNV-1a, as names that differ in one letter should not look alike.
export function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; ++i) {
    hash ^= name.charCodeAt(i);
    hash = Math.imul(hash, 0x01000193);
  }
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

export function hueOf(name: string): number {
  return hashOf(name) % 360;
}

// Dark text can be read on it in the light theme, light text in the dark one: there yellow and green, which
// look lighter than they are, are darker than the others.
export function colourOf(name: string, theme: Theme): string {
  const hash = hashOf(name);
  const hue = hash % 360;
  const saturation = 42 + ((hash >>> 9) % 4) * 5;
  const step = (hash >>> 12) % 4;
  const looksLight = hue > 25 && hue < 205;
  const lightness = theme === "light" ? 72 + step * 3 : looksLight ? 20 + step * 2 : 28 + step * 3;
  return `hsl(${hue} ${saturation}% ${lightness}%)`;
}

// What is no single function.
export function otherColour(theme: Theme): string {
  return theme === "light" ? "hsl(220 8% 82%)" : "hsl(220 8% 30%)";
}

// From little to much, readable without telling red from green apart.
export function heatColour(level: number, theme: Theme): string {
  const part = Math.min(1, Math.max(0, level));
  if (theme === "light") return `hsl(${48 - 40 * part} ${60 + 30 * part}% ${94 - 54 * part}%)`;
  return `hsl(${(235 + 165 * part) % 360} ${35 + 50 * part}% ${15 + 47 * part}%)`;
}

// What canvases are drawn with besides: the same as the style sheet's variables.
export interface Palette {
  back: string;
  panel: string;
  ink: string;
  quiet: string;
  line: string;
  accent: string;
  mark: string;
  bar: string;
}

export function paletteOf(theme: Theme): Palette {
  return theme === "light"
    ? { back: "#f1f2f3", panel: "#ffffff", ink: "#1b1f24", quiet: "#565e68", line: "#d5d8dc", accent: "#0b62b8", mark: "#ffd94d", bar: "#9cc0e6" }
    : { back: "#22272c", panel: "#1a1e22", ink: "#e4e7ea", quiet: "#a2abb5", line: "#363d45", accent: "#5ba3ea", mark: "#8a7413", bar: "#2c5580" };
}
