// SPDX-License-Identifier: MIT
// How `explain` words what it found.
import { countOf, grouped, percent, printable, shareText } from "./format";
import type { Advice, Causes, LineUser, ObjectShare, Place, Share } from "./schema";

function tooLittleText(place: Place): string {
  if (place.too_little === "samples") return `not shown: too few samples, ${grouped(place.samples)}`;
  return `not shown: ${percent(place.waits_share ?? 0)} of the program's waits for data`;
}

export function classesText(place: Place): string {
  if (place.too_little) return tooLittleText(place);
  if (place.aliases) return aliasText(place.aliases);
  const parts = Object.entries(place.classes).map(([name, each]) => `${name} ${shareText(each.share)}`);
  if (parts.length > 0) {
    const untold = place.unclassified ? `; no class is known for ${countOf(place.unclassified, "sample", "samples")}` : "";
    return parts.join(", ") + untold;
  }
  if (place.estimated_class) return `probably ${place.estimated_class.class}: ${place.estimated_class.why}`;
  const levels = levelsText(place);
  return levels === "" ? "not measured" : `answered by ${levels}`;
}

function aliasText(aliases: Share): string {
  if (aliases.value === 0) return "an older store wrote a part of the loaded bytes";
  const elsewhere = "4-KiB alias: an older store wrote elsewhere, at the same offset of a page";
  return aliases.value === 1 ? elsewhere : `${elsewhere} ${shareText(aliases)}; else a part of the loaded bytes`;
}

export function levelsText(place: Place): string {
  return Object.entries(place.levels).map(([name, each]) => `${name} ${shareText(each.share)}`).join(", ");
}

export function objectText(each: ObjectShare): string {
  return printable(each.field ? `${each.object}, ${each.field}` : each.object);
}

function shapeText(place: Place): string {
  const step = grouped(Math.abs(place.step_bytes ?? 0));
  switch (place.shape) {
    case "one_place":
      return "one place";
    case "strided":
      return `strided by ${step} bytes`;
    case "pointer_chase":
      return "pointer chase: the next address is loaded from here";
    case "indirect":
      return "indirect: the address comes from another load";
    case "computed":
      return "computed addresses, such as of a hash table";
    case "not_clear":
      return `unclear: ${step} bytes apart (${percent(place.step_share)} of steps), which the code does not explain`;
    default:
      return place.shape;
  }
}

export function walkText(place: Place): string {
  let text = shapeText(place);
  if (place.shape === "sequential" || place.shape === "strided") {
    text += place.step_share ? ` (${percent(place.step_share)} of steps)` : " (from the code)";
  }
  if (place.access_bytes) text += `, ${countOf(place.access_bytes, "byte", "bytes")} at a time`;
  if (place.lines) {
    text += `; ${countOf(place.lines, "line", "lines")} in ${countOf(place.pages ?? 0, "page", "pages")} seen`;
  }
  return text;
}

export function gainText(advice: Advice, share: Share | null): string {
  const gain = advice.gain;
  if (!gain) return "not predicted";
  const [low, high] = [percent(gain.low), percent(gain.high)];
  const part = low === high ? `some ${high}` : gain.low === 0 ? `up to ${high}` : `${low} to ${high}`;
  const parts = share ? [`${percent(gain.high * share.value)} of all`] : [];
  if (gain.of_cycles !== null) parts.push(`at most ${percent(gain.of_cycles)} of the modelled cycles`);
  const ofAll = parts.length > 0 ? ` (${parts.join(", ")})` : "";
  return `${part} of these${ofAll}: ${gain.why}`;
}

export function patternText(pattern: string): string {
  return pattern.replace(/_/g, " ");
}

export function userText(user: LineUser): string {
  const bytes = !user.bytes || user.bytes <= 1
    ? `byte ${user.offset}`
    : `bytes ${user.offset} to ${user.offset + user.bytes - 1}`;
  const what = [user.object, user.field].filter((each) => each).join(", ");
  return printable(`${user.thread}: ${user.writes ? "writes" : "reads"} ${bytes}${what ? ` of ${what}` : ""}`);
}

// One place in the code with what each event says of it.
export interface Spot {
  key: string;
  function: string;
  // The innermost function that is inlined there.
  inlined: string | null;
  dso: string;
  file: string | null;
  line: number | null;
  // The event that costs the most here comes first.
  parts: { event: string; place: Place; cycles: number }[];
}

// Returns the function as it is written in the source: the inlined one, else the one with the symbol.
export function writtenFunction(spot: Pick<Spot, "function" | "inlined">): string {
  return spot.inlined ?? spot.function;
}

export function keyOfPlace(place: Place): string {
  return `${place.dso}/${place.function}/${place.address}`;
}

// Events whose cycles memory_wait counts itself: from their samples, the cycles can only be estimated.
const partsOfWaits = new Set([
  "l1_cache_miss",
  "l1_store_miss",
  "l2_cache_miss",
  "l3_cache_miss",
  "dtlb_load_miss",
  "dtlb_stor_miss",
  "dtlb_all_miss",
]);

function inlinedIn(place: Place): string | null {
  return place.function === place.physical_function ? null : place.function;
}

// The places of all events, those first where accesses wait longest in all. Without latencies, as of a clock,
// samples stand in their place.
export function spotsOf(causes: Causes, event?: string): Spot[] {
  const spots = new Map<string, Spot>();
  const hasWaits = causes.events.some((each) => each.name === "memory_wait");
  for (const each of causes.events) {
    if (event ? each.name !== event : hasWaits && partsOfWaits.has(each.name)) continue;
    for (const place of each.places) {
      const key = keyOfPlace(place);
      const { dso, file, line } = place;
      const spot = spots.get(key) ?? { key, function: place.physical_function, inlined: inlinedIn(place), dso, file, line, parts: [] };
      const cycles = (place.estimated ?? place.samples) * (place.wait_cycles ?? 1);
      spot.parts.push({ event: each.name, place, cycles });
      spots.set(key, spot);
    }
  }
  for (const spot of spots.values()) spot.parts.sort((a, b) => b.cycles - a.cycles);
  return [...spots.values()].sort((a, b) => (b.parts[0]?.cycles ?? 0) - (a.parts[0]?.cycles ?? 0));
}
