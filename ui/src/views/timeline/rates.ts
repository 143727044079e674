// SPDX-License-Identifier: MIT
// Of the answers that are there, how often each event was counted in the window that is shown.
import { grouped, axisRateText } from "../../format";
import type { TimeUnit } from "../../schema";
import type { Rate, Timeline } from "./schema";
import { partsOf, type Window } from "./window";

export interface RateCell {
  from: number;
  to: number;
  // How often, in a billion of the time line's unit.
  perBillion: number | null;
  // Samples may be missing in it.
  isGap: boolean;
}

export interface ShownRate {
  event: string;
  cells: RateCell[];
  // Estimated, in the window; the others too. null: nothing of it was measured.
  events: number | null;
  mean: number | null;
  most: number | null;
  mostAt: number | null;
  // How long samples may have been missing.
  gap: number;
  // Events that a sample stands for in the mean; null: there is none in the run.
  worth: number | null;
}

// What the window is shown by: the parts that were fetched for it, where all are there, else the whole run.
function piecesOf(whole: Timeline, parts: Timeline[], window: Window): Timeline[] {
  const wanted = partsOf(window, whole.end_at);
  const found = wanted.map((part) => parts.find((each) => each.begin_at === part.from && each.end_at === part.to));
  const fine = found.filter((each) => each !== undefined);
  return fine.length > 0 && fine.length === wanted.length ? fine : [whole];
}

function cellsOf(piece: Timeline, rate: Rate, window: Window): RateCell[] {
  return rate.per_billion
    .map((perBillion, index) => {
      const from = piece.begin_at + index * piece.bin;
      const to = Math.min(piece.end_at, from + piece.bin);
      return { from, to, perBillion, isGap: rate.gaps.some((each) => each.begin_at <= to && each.end_at >= from) };
    })
    .filter((cell) => cell.to > window.from && cell.from < window.to);
}

// Of a cell at the window's edge, the part that is inside.
function inside(cell: RateCell, window: Window): number {
  return Math.min(cell.to, window.to) - Math.max(cell.from, window.from);
}

function shownRate(rate: Rate, cells: RateCell[], window: Window): ShownRate {
  let [events, measured, gap] = [0, 0, 0];
  let most: RateCell | undefined;
  for (const cell of cells) {
    const length = inside(cell, window);
    if (cell.isGap) gap += length;
    if (cell.perBillion === null) continue;
    events += (cell.perBillion * length) / 1e9;
    measured += length;
    if (cell.perBillion > (most?.perBillion ?? -1)) most = cell;
  }
  const known = measured > 0;
  return {
    event: rate.event,
    cells,
    events: known ? events : null,
    mean: known ? (events * 1e9) / measured : null,
    most: most?.perBillion ?? null,
    mostAt: most?.from ?? null,
    gap,
    worth: rate.samples > 0 ? rate.events / rate.samples : null,
  };
}

export function shownRates(whole: Timeline, parts: Timeline[], window: Window): ShownRate[] {
  const pieces = piecesOf(whole, parts, window);
  return whole.rates.map((rate) => {
    const cells = pieces.flatMap((piece) => {
      const found = piece.rates.find((each) => each.event === rate.event);
      return found ? cellsOf(piece, found, window) : [];
    });
    return shownRate(rate, cells, window);
  });
}

// What was counted at this time, in words.
export function rateAt(rate: ShownRate, time: number, unit: TimeUnit): string {
  const cell = rate.cells.find((each) => time >= each.from && time < each.to);
  if (!cell) return "";
  if (cell.perBillion === null) return "not measured";
  if (cell.perBillion === 0)
    return rate.worth === null ? "no sample in the whole run" : `no sample; one stands for some ${grouped(rate.worth)} events`;
  const often = axisRateText(cell.perBillion, unit);
  return cell.isGap ? `at least ${often}, as samples are missing` : often;
}
