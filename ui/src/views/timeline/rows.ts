// SPDX-License-Identifier: MIT
// The rows of the time line: lanes grouped by program, those with few samples folded into one row.
import { countOf, percent } from "../../format";
import type { Lane, Timeline } from "./schema";

// Lanes with a smaller share of the samples are folded.
const foldedShare = 0.01;

export interface LaneRow {
  kind: "lane" | "group" | "folded";
  // Unique, and the same in each part of the run.
  key: string;
  label: string;
  // Below the row of its group.
  isIndented: boolean;
  // Names of the lanes that the row stands for.
  lanes: string[];
  // Of a group or a folded row: whether its lanes follow.
  isOpen: boolean;
}

// A process may have changed its program: its lanes have different names then.
function groupsOf(lanes: Lane[]): Lane[][] {
  const groups = new Map<string, Lane[]>();
  for (const lane of lanes) {
    const key = lane.program === null ? `lane ${lane.name}` : `program ${lane.program}`;
    const group = groups.get(key);
    if (group) group.push(lane);
    else groups.set(key, [lane]);
  }
  return [...groups.values()];
}

const samplesOf = (lanes: Lane[]): number => lanes.reduce((sum, lane) => sum + lane.samples, 0);

// Returns the name without the program's, which stands in the row above.
function nameInGroup(lane: Lane): string {
  const suffix = ` ${lane.program}`;
  return lane.name.endsWith(suffix) ? lane.name.slice(0, -suffix.length) : lane.name;
}

function laneRow(lane: Lane, isIndented: boolean): LaneRow {
  return { kind: "lane", key: lane.name, label: isIndented ? nameInGroup(lane) : lane.name, isIndented, lanes: [lane.name], isOpen: false };
}

// One lane alone is not folded: the row would not be shorter.
function foldedRows(lanes: Lane[], key: string, isIndented: boolean, toggled: ReadonlySet<string>): LaneRow[] {
  if (lanes.length < 2) return lanes.map((lane) => laneRow(lane, isIndented));
  const isOpen = toggled.has(key);
  const label = `${lanes.length} lanes below ${foldedShare * 100}%`;
  const row: LaneRow = { kind: "folded", key, label, isIndented, lanes: lanes.map((lane) => lane.name), isOpen };
  return [row, ...(isOpen ? lanes.map((lane) => laneRow(lane, isIndented)) : [])];
}

// Groups are open, and folded rows are closed, unless their key is in `toggled`.
export function rowsOf(timeline: Pick<Timeline, "lanes" | "samples">, toggled: ReadonlySet<string>): LaneRow[] {
  const isSmall = (lanes: Lane[]): boolean => samplesOf(lanes) < foldedShare * timeline.samples;
  const groups = groupsOf(timeline.lanes);
  const rows = groups
    .filter((group) => !isSmall(group))
    .flatMap((group): LaneRow[] => {
      const [first] = group;
      if (group.length === 1 && first) return [laneRow(first, false)];
      const program = first?.program ?? "";
      const key = `group ${program}`;
      const isOpen = !toggled.has(key);
      const share = percent(timeline.samples > 0 ? samplesOf(group) / timeline.samples : null);
      const label = `${program} ${share}, ${countOf(group.length, "lane", "lanes")}`;
      const head: LaneRow = { kind: "group", key, label, isIndented: false, lanes: group.map((lane) => lane.name), isOpen };
      if (!isOpen) return [head];
      const small = group.filter((lane) => isSmall([lane]));
      const large = group.filter((lane) => !isSmall([lane]));
      return [head, ...large.map((lane) => laneRow(lane, true)), ...foldedRows(small, `folded ${program}`, true, toggled)];
    });
  return [...rows, ...foldedRows(groups.filter(isSmall).flat(), "folded", false, toggled)];
}

// Returns the keys in the link; none if the link is damaged.
export function toggledOf(text: string | undefined): ReadonlySet<string> {
  try {
    const keys: unknown = JSON.parse(text ?? "[]");
    return new Set(Array.isArray(keys) ? keys.map(String) : []);
  } catch {
    return new Set();
  }
}

export function toggledText(toggled: ReadonlySet<string>, key: string): string {
  const keys = new Set(toggled);
  if (!keys.delete(key)) keys.add(key);
  return keys.size === 0 ? "" : JSON.stringify([...keys]);
}

const sums = new WeakMap<Timeline, Map<string, Lane["bins"]>>();

function add(into: number[] | null, bin: number[] | null): number[] | null {
  if (!bin) return into;
  return into ? into.map((ran, index) => ran + (bin[index] ?? 0)) : [...bin];
}

// Returns the bins of the row, summed over its lanes. They are kept, as rows are painted at each move of the pointer.
export function binsOf(part: Timeline, row: LaneRow): Lane["bins"] {
  const known = sums.get(part) ?? new Map<string, Lane["bins"]>();
  sums.set(part, known);
  const held = known.get(row.key);
  if (held) return held;
  const names = new Set(row.lanes);
  const lanes = part.lanes.filter((lane) => names.has(lane.name));
  const sum = lanes.reduce<Lane["bins"]>((bins, lane) => lane.bins.map((bin, index) => add(bins[index] ?? null, bin)), []);
  known.set(row.key, sum);
  return sum;
}
