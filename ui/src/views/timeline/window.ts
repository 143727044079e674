// SPDX-License-Identifier: MIT
// The part of the run that is shown, and the parts that are fetched for it. Times in ns since the first sample.

export interface Window {
  from: number;
  to: number;
}

// No one asks for less.
const leastNs = 1000;

export function within(window: Window, end: number): Window {
  const span = Math.min(Math.max(leastNs, window.to - window.from), Math.max(leastNs, end));
  const from = Math.min(Math.max(0, window.from), Math.max(0, end - span));
  return { from, to: from + span };
}

// `factor` below 1 shows less; what is at `at` stays where it is.
export function zoomed(window: Window, factor: number, at: number, end: number): Window {
  const span = Math.min(Math.max(leastNs, (window.to - window.from) * factor), Math.max(leastNs, end));
  const part = (at - window.from) / (window.to - window.from);
  return within({ from: at - part * span, to: at + (1 - part) * span }, end);
}

export function moved(window: Window, part: number, end: number): Window {
  const by = part * (window.to - window.from);
  return within({ from: window.from + by, to: window.to + by }, end);
}

// The run is halved as often as leaves parts not shorter than the window; one or two of them hold it. So few
// different parts are ever asked for, and each is kept.
export function partsOf(window: Window, end: number): Window[] {
  const level = Math.floor(Math.log2(end / Math.max(leastNs, window.to - window.from)) + 1e-9);
  if (level < 1) return [];
  const length = end / 2 ** level;
  const first = Math.floor(window.from / length + 1e-9);
  const last = Math.max(first, Math.ceil(window.to / length - 1e-9) - 1);
  const parts: Window[] = [];
  for (let index = first; index <= last; ++index) {
    parts.push({ from: Math.round(index * length), to: Math.round(Math.min(end, (index + 1) * length)) });
  }
  return parts;
}

// The range between two places, in order and inside the run.
export function rangeOf(a: number, b: number, end: number): Window {
  const inside = (time: number): number => Math.min(end, Math.max(0, time));
  return { from: inside(Math.min(a, b)), to: inside(Math.max(a, b)) };
}

// Round times for the axis, at least `room` of the window apart.
export function ticksOf(window: Window, room: number): number[] {
  const least = (window.to - window.from) * room;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= least) ?? 10 * power;
  const ticks: number[] = [];
  for (let tick = Math.ceil(window.from / step) * step; tick <= window.to; tick += step) ticks.push(tick);
  return ticks;
}

// What a key makes of the window; null for keys that are not about it.
export function afterKey(key: string, window: Window, end: number): Window | null {
  const middle = (window.from + window.to) / 2;
  switch (key) {
    case "ArrowLeft":
      return moved(window, -0.2, end);
    case "ArrowRight":
      return moved(window, 0.2, end);
    case "+":
    case "=":
      return zoomed(window, 0.5, middle, end);
    case "-":
      return zoomed(window, 2, middle, end);
    case "0":
      return { from: 0, to: end };
    default:
      return null;
  }
}

// A place in a lane, and how much around it is looked at.
export interface Pick {
  lane: string;
  at: number;
  span: number;
}

// A few pixels wide, but such that some samples can be in it, and few enough to be read one by one.
export function spanOfPick(nsInPixel: number, intervalNs: number | null): number {
  const pixels = nsInPixel * 8;
  const span = intervalNs ? Math.min(Math.max(pixels, intervalNs * 4), intervalNs * 20) : pixels;
  return Math.max(leastNs, Math.round(span));
}

export function windowOfPick(pick: Pick, end: number): Window {
  const window = within({ from: pick.at - pick.span / 2, to: pick.at + pick.span / 2 }, end);
  return { from: Math.round(window.from), to: Math.round(window.to) };
}

// From the link. null: none, or none that there can be.
export function pickOf(params: Record<string, string>): Pick | null {
  const { lane } = params;
  const [at, span] = [Number(params.at ?? NaN), Number(params.span ?? NaN)];
  return lane !== undefined && at >= 0 && span > 0 && Number.isFinite(at + span) ? { lane, at, span } : null;
}
