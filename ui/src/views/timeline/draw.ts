// SPDX-License-Identifier: MIT
// Paints lanes: each bin as a stack of the functions that ran in it.
import { begun, canvasFont } from "../../components/canvas";
import { colourOf, otherColour, paletteOf, type Theme } from "../../colours";
import { printable, axisText } from "../../format";
import type { TimeUnit } from "../../schema";
import type { LaneRow } from "./rows";
import type { Held, Lane, Occupancy, Timeline } from "./schema";
import { ticksOf, type Window } from "./window";

export const laneHeight = 26;
export const axisHeight = 22;
export const episodeHeight = 12;
export const heldHeight = 46;

export interface Area {
  left: number;
  width: number;
  window: Window;
  unit: TimeUnit;
}

export function placeOf(time: number, area: Area): number {
  return area.left + ((time - area.window.from) / (area.window.to - area.window.from)) * area.width;
}

export function timeAt(x: number, area: Area): number {
  return area.window.from + ((x - area.left) / area.width) * (area.window.to - area.window.from);
}

export function coloursOf(timeline: Timeline, theme: Theme, search: string): string[] {
  const wanted = search.toLowerCase();
  const named = timeline.functions.map((each) =>
    wanted === "" || each.function.toLowerCase().includes(wanted) ? colourOf(each.function, theme) : otherColour(theme),
  );
  return [...named, otherColour(theme)];
}

export function paintLane(context: CanvasRenderingContext2D, timeline: Timeline, bins: Lane["bins"], colours: string[], top: number, area: Area, back: string): void {
  const right = area.left + area.width;
  const begin = Math.max(area.left, placeOf(timeline.begin_at, area));
  const end = Math.min(right, placeOf(timeline.end_at, area));
  if (end <= begin) return;
  context.fillStyle = back;
  context.fillRect(begin, top, end - begin, laneHeight - 2);
  bins.forEach((bin, index) => {
    if (!bin) return;
    const at = timeline.begin_at + index * timeline.bin;
    const [x, next] = [placeOf(at, area), placeOf(at + timeline.bin, area)];
    if (next < area.left || x > right) return;
    // Whole pixels leave no seams between bins.
    paintBin(context, bin, colours, Math.floor(Math.max(area.left, x)), Math.ceil(Math.min(right, next)), top, timeline.bin);
  });
}

function paintBin(context: CanvasRenderingContext2D, bin: number[], colours: string[], x: number, next: number, top: number, binNs: number): void {
  const ran = bin.reduce((sum, ns) => sum + ns, 0);
  // Of a process whose threads run at once there may be more than the bin's time.
  const scale = (laneHeight - 2) / Math.max(binNs, ran);
  // A little that ran is to be seen, too.
  let bottom = top + laneHeight - 2;
  bin.forEach((ns, index) => {
    if (ns <= 0) return;
    const height = Math.max(0.7, ns * scale);
    context.fillStyle = colours[index] ?? colours[colours.length - 1] ?? "gray";
    context.fillRect(x, Math.max(top, bottom - height), next - x, Math.min(height, bottom - top));
    bottom -= height;
  });
}

export function paintNames(context: CanvasRenderingContext2D, names: string[], top: number, height: number, left: number, theme: Theme): void {
  context.font = canvasFont;
  context.textBaseline = "middle";
  context.fillStyle = paletteOf(theme).ink;
  names.forEach((name, index) => {
    context.fillText(begun(context, printable(name), left - 12), 6, top + index * height + height / 2);
  });
}

// Marks of groups and folded rows: open ones point down.
function markOf(row: LaneRow): string {
  return row.kind === "lane" ? "" : row.isOpen ? "▾ " : "▸ ";
}

export function paintRowNames(context: CanvasRenderingContext2D, rows: LaneRow[], top: number, left: number, theme: Theme, current: number): void {
  const palette = paletteOf(theme);
  context.font = canvasFont;
  context.textBaseline = "middle";
  rows.forEach((row, index) => {
    const indent = row.isIndented ? 18 : 6;
    context.fillStyle = index === current ? palette.accent : row.kind === "folded" ? palette.quiet : palette.ink;
    context.fillText(begun(context, markOf(row) + printable(row.label), left - 6 - indent), indent, top + index * laneHeight + laneHeight / 2);
  });
}

// The time under the pointer, as a line through all lanes and a text on the axis.
export function paintRuler(context: CanvasRenderingContext2D, x: number, bottom: number, area: Area, theme: Theme): void {
  const palette = paletteOf(theme);
  const text = axisText(timeAt(x, area), area.unit);
  context.font = "11px system-ui, sans-serif";
  const width = context.measureText(text).width + 8;
  const at = Math.min(x, area.left + area.width - width);
  context.fillStyle = palette.ink;
  context.fillRect(Math.round(x), 0, 1, bottom);
  context.fillRect(at, 1, width, axisHeight - 4);
  context.fillStyle = palette.panel;
  context.textBaseline = "middle";
  context.fillText(text, at + 4, axisHeight / 2);
}

// The range that is being selected.
export function paintRange(context: CanvasRenderingContext2D, range: Window, bottom: number, area: Area, theme: Theme): void {
  const begin = Math.max(area.left, placeOf(range.from, area));
  const end = Math.min(area.left + area.width, placeOf(range.to, area));
  context.fillStyle = paletteOf(theme).accent;
  context.globalAlpha = 0.22;
  context.fillRect(begin, 0, end - begin, bottom);
  context.globalAlpha = 1;
  context.fillRect(Math.round(begin), 0, 1, bottom);
  context.fillRect(Math.round(end), 0, 1, bottom);
}

// `labels`: the middle of the row with the ticks' times.
export function paintAxis(context: CanvasRenderingContext2D, top: number, bottom: number, labels: number, area: Area, theme: Theme): void {
  const palette = paletteOf(theme);
  context.font = "11px system-ui, sans-serif";
  context.textBaseline = "middle";
  for (const tick of ticksOf(area.window, Math.min(0.5, 78 / Math.max(1, area.width)))) {
    const x = placeOf(tick, area);
    context.fillStyle = palette.line;
    context.fillRect(x, top, 1, bottom - top);
    context.fillStyle = palette.quiet;
    const text = axisText(tick, area.unit);
    if (x + 3 + context.measureText(text).width > area.left + area.width) continue;
    context.fillText(text, x + 3, labels);
  }
}

export function paintEpisodes(context: CanvasRenderingContext2D, timeline: Timeline, area: Area, theme: Theme): void {
  const palette = paletteOf(theme);
  for (const episode of timeline.episodes) {
    const begin = Math.max(area.left, placeOf(episode.begin_at, area));
    const end = Math.min(area.left + area.width, placeOf(episode.end_at, area));
    if (end < area.left || begin > area.left + area.width) continue;
    context.fillStyle = palette.mark;
    context.fillRect(begin, axisHeight + 1, Math.max(3, end - begin), episodeHeight - 3);
  }
}

// A place in a lane: at least two pixels wide.
export function paintPlace(context: CanvasRenderingContext2D, window: Window, top: number, area: Area, theme: Theme): void {
  const begin = Math.max(area.left, placeOf(window.from, area));
  const end = Math.min(area.left + area.width, placeOf(window.to, area));
  if (end < begin) return;
  const palette = paletteOf(theme);
  context.strokeStyle = palette.ink;
  context.lineWidth = 1;
  context.strokeRect(Math.round(begin) - 0.5, top - 0.5, Math.max(2, Math.round(end - begin)) + 1, laneHeight - 1);
}

// Where cells are shorter than readings are apart, what was read holds until the next one.
function bridged(held: Held): (number | null)[] {
  const apart = Math.ceil(held.cells.length / Math.max(1, held.measured));
  return held.cells.map((bytes, index) => {
    if (bytes !== null) return bytes;
    const before = held.cells.slice(Math.max(0, index - apart), index).filter((each) => each !== null);
    return before[before.length - 1] ?? null;
  });
}

export function paintHeld(context: CanvasRenderingContext2D, occupancy: Occupancy, area: Area, theme: Theme): void {
  const palette = paletteOf(theme);
  const most = occupancy.cache_bytes ?? Math.max(1, ...occupancy.held.map((each) => each.most_bytes ?? 0));
  occupancy.held.forEach((held, row) => {
    const top = row * heldHeight;
    const length = (occupancy.end_ns - occupancy.begin_ns) / Math.max(1, held.cells.length);
    context.fillStyle = palette.back;
    context.fillRect(area.left, top, area.width, heldHeight - 4);
    context.fillStyle = colourOf(held.name, theme);
    bridged(held).forEach((bytes, index) => {
      if (bytes === null) return;
      const x = Math.floor(Math.max(area.left, placeOf(occupancy.begin_ns + index * length, area)));
      const next = Math.ceil(Math.min(area.left + area.width, placeOf(occupancy.begin_ns + (index + 1) * length, area)));
      const height = (Math.min(bytes, most) / most) * (heldHeight - 4);
      if (next > x) context.fillRect(x, top + heldHeight - 4 - height, next - x, height);
    });
  });
}
