// SPDX-License-Identifier: MIT
// What a row of the time line is, and what ran in it, in words.
import { axisText, countOf, percent, printable } from "../../format";
import { binsOf, type LaneRow } from "./rows";
import type { Timeline } from "./schema";

const mostNames = 6;

// What ran in the row at this time, by the finest part that is there.
export function ranAt(parts: Timeline[], row: LaneRow, time: number): string {
  const part = [...parts].reverse().find((each) => time >= each.begin_at && time < each.end_at);
  if (!part) return "";
  const bin = binsOf(part, row)[Math.floor((time - part.begin_at) / part.bin)];
  if (!bin) return "nothing ran";
  const names = [...part.functions.map((each) => each.function), "others"];
  return bin
    .map((ran, index) => ({ ran, name: names[index] ?? "others" }))
    .filter((each) => each.ran > 0)
    .sort((a, b) => b.ran - a.ran)
    .slice(0, mostNames)
    .map((each) => `${printable(each.name)}: ${axisText(each.ran, part.unit)}, ${percent(each.ran / part.bin)}`)
    .join("\n");
}

// The full name of the row.
export function rowName(row: LaneRow): string {
  return row.kind === "lane" ? (row.lanes[0] ?? row.label) : row.label;
}

// Of the row that the keyboard chose.
export function rowText(row: LaneRow | undefined, whole: Timeline): string {
  if (!row) return "";
  if (row.kind !== "lane") return `${printable(row.label)}: Enter ${row.isOpen ? "folds" : "shows"} ${countOf(row.lanes.length, "lane", "lanes")}.`;
  const lane = whole.lanes.find((each) => each.name === row.lanes[0]);
  if (!lane) return "";
  if (!whole.counts_time) return `${printable(lane.name)}.`;
  const idle = lane.idle === null ? "" : `, idle ${axisText(lane.idle, whole.unit)}`;
  return `${printable(lane.name)}: ran ${axisText(lane.ran, whole.unit)}${idle}.`;
}
