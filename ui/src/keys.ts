// SPDX-License-Identifier: MIT
// The keyboard: which key does what, everywhere on the page.
import type { ViewName } from "./router";

export type Action =
  | { kind: "open"; view: ViewName }
  | { kind: "search" }
  | { kind: "help" }
  | { kind: "close" }
  | { kind: "theme" }
  | { kind: "row"; step: 1 | -1 }
  | { kind: "renew" };

const letters: Record<string, ViewName> = {
  s: "summary",
  f: "hotspots",
  c: "source",
  w: "why",
  d: "data",
  m: "map",
  l: "timeline",
  b: "compare",
  r: "record",
};
const lettersOfStore: Record<string, ViewName> = { f: "fleet", s: "service", p: "place", l: "trend", b: "releases" };

const helpOfStore: [string, string][] = [
  ["1 to 5", "open a view, in the order of the list"],
  ["f s p l b", "fleet, service, place, over time (time line), releases (before and after)"],
  ["u", "ask the store anew"],
  ["/", "search in this view"],
  ["j k, arrows", "next and previous row of a table"],
  ["Space, Enter", "choose the row, open it"],
  ["t", "light, dark, or the system's setting"],
  ["? h", "this help"],
  ["Esc", "close the help, leave the search"],
];

const helpOfRecordings: [string, string][] = [
  ["1 to 9", "open a view, in the order of the list"],
  ["s f c w d m l b", "summary, hot spots (functions), source (code), why, data, cache map, time line, compare (before and after)"],
  ["9 r", "record, if hardmeter ui was started with --allow-record"],
  ["/", "search in this view"],
  ["j k, arrows", "next and previous row of a table; arrows also move in graphs"],
  ["Enter", "open the row, zoom to the box, or show the samples in the middle of the chosen lane"],
  ["+ - 0", "in the time line: zoom in, out, to the whole run; in flame graphs 0 shows all"],
  ["drag", "in the time line: select a range and show it; with Shift: move"],
  ["t", "light, dark, or the system's setting"],
  ["? h", "this help"],
  ["Esc", "close the help, leave the search"],
];

export const helpOf = (hasStore: boolean): [string, string][] => (hasStore ? helpOfStore : helpOfRecordings);

interface Press {
  key: string;
  ctrlKey: boolean;
  altKey: boolean;
  metaKey: boolean;
}

// `views`: those there are, in the order of their numbers.
export function actionOf(press: Press, inText: boolean, views: readonly ViewName[]): Action | null {
  if (press.ctrlKey || press.altKey || press.metaKey) return null;
  if (press.key === "Escape") return { kind: "close" };
  if (inText) return null;
  if (press.key === "/") return { kind: "search" };
  if (press.key === "?" || press.key === "h") return { kind: "help" };
  if (press.key === "t") return { kind: "theme" };
  if (press.key === "j") return { kind: "row", step: 1 };
  if (press.key === "k") return { kind: "row", step: -1 };
  const hasStore = views.includes("fleet");
  if (press.key === "u" && hasStore) return { kind: "renew" };
  const view = views[Number(press.key) - 1] ?? (hasStore ? lettersOfStore : letters)[press.key];
  return view && views.includes(view) ? { kind: "open", view } : null;
}
