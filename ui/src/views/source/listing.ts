// SPDX-License-Identifier: MIT
// The lines of a function in the order of their files, and which place of `explain` is at which line.
import type { AnnotatedLine, Annotation, Causes, Place } from "../../schema";

export function lineKey(file: string | null, line: number | null): string {
  return file && line ? `${file}:${line}` : "";
}

export interface FileLines {
  file: string | null;
  lines: AnnotatedLine[];
}

// The file with the most samples first; what has no line comes last.
export function filesOf(annotation: Annotation): FileLines[] {
  const files = new Map<string, AnnotatedLine[]>();
  for (const line of annotation.lines) {
    const held = files.get(line.file ?? "") ?? [];
    held.push(line);
    files.set(line.file ?? "", held);
  }
  const samples = (lines: AnnotatedLine[]): number =>
    lines.reduce((sum, line) => sum + Object.values(line.counts).reduce((all, count) => all + count, 0), 0);
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

export function placesByLine(causes: Causes | null, name: string): Map<string, PlaceOfEvent[]> {
  const places = new Map<string, PlaceOfEvent[]>();
  for (const event of causes?.events ?? []) {
    for (const place of event.places) {
      if (place.function !== name) continue;
      const key = lineKey(place.file, place.line);
      const held = places.get(key) ?? [];
      held.push({ event: event.name, place });
      places.set(key, held);
    }
  }
  return places;
}
