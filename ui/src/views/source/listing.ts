// SPDX-License-Identifier: MIT
// The lines of a function in the order of their files, and which place of `explain` is at which line.
import { fullShare } from "../../components/share";
import type { AnnotatedLine, Annotation, Causes, Counts, Place } from "../../schema";

// Returns the largest share that a row has of the event; 1 if no row has samples.
export function largestShare(rows: Counts[], event: string): number {
  return fullShare(rows.map((row) => row.share[event]));
}

// Returns the row with the most samples of the event; undefined if no row has samples.
export function hottest<Row extends Counts>(rows: Row[], event: string): Row | undefined {
  const samples = (row: Row): number => row.counts[event] ?? 0;
  return rows.reduce<Row | undefined>((best, row) => (samples(row) > (best ? samples(best) : 0) ? row : best), undefined);
}

export function lineKey(file: string | null, line: number | null): string {
  return file && line ? `${file}:${line}` : "";
}

export interface FileLines {
  file: string | null;
  lines: AnnotatedLine[];
}

// The file with the most samples of the events first; what has no line comes last.
export function filesOf(annotation: Annotation, events: string[]): FileLines[] {
  const files = new Map<string, AnnotatedLine[]>();
  for (const line of annotation.lines) {
    const held = files.get(line.file ?? "") ?? [];
    held.push(line);
    files.set(line.file ?? "", held);
  }
  const samples = (lines: AnnotatedLine[]): number =>
    lines.reduce((sum, line) => sum + events.reduce((all, event) => all + (line.counts[event] ?? 0), 0), 0);
  return [...files.entries()]
    .sort(([a, aLines], [b, bLines]) => (a === "" ? 1 : b === "" ? -1 : samples(bLines) - samples(aLines)))
    .map(([file, lines]) => ({
      file: file === "" ? null : file,
      lines: [...lines].sort((a, b) => (a.line ?? 0) - (b.line ?? 0)),
    }));
}

export interface PlaceOfEvent {
  event: string;
  place: Place;
}

// Returns the key of an instruction to which causes without a source line belong.
export function addressKey(address: number): string {
  return `@${address}`;
}

// Returns the places of the function by line, and those without a line by address.
export function placesByLine(causes: Causes | null, name: string, events: string[]): Map<string, PlaceOfEvent[]> {
  const places = new Map<string, PlaceOfEvent[]>();
  for (const event of causes?.events ?? []) {
    if (!events.includes(event.name)) continue;
    for (const place of event.places) {
      if (place.physical_function !== name) continue;
      const key = lineKey(place.file, place.line) || addressKey(place.address);
      const held = places.get(key) ?? [];
      held.push({ event: event.name, place });
      places.set(key, held);
    }
  }
  return places;
}
