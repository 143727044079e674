// SPDX-License-Identifier: MIT
// The keyboard: which key does what, everywhere on the page.
import { viewNames, type ViewName } from "./router";

export type Action =
  | { kind: "open"; view: ViewName }
  | { kind: "search" }
  | { kind: "help" }
  | { kind: "close" }
  | { kind: "theme" }
  | { kind: "row"; step: 1 | -1 };

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

export const help: [string, string][] = [
  ["1 to 9", "open a view, in the order of the list"],
  ["s f c w d m l b", "summary, hot spots (functions), source (code), why, data, cache map, time line, compare (before and after)"],
  ["9 r", "record, where hardmeter ui was started with --allow-record"],
  ["/", "search in this view"],
  ["j k, arrows", "next and previous row of a table; arrows also move in graphs"],
  ["Enter", "open the row, zoom to the box, or show the samples in the middle of the chosen lane"],
  ["+ - 0", "in the time line: zoom in, out, to the whole run; in flame graphs 0 shows all"],
  ["t", "light, dark, or as the system has it"],
  ["? h", "this help"],
  ["Esc", "close the help, leave the search"],
];

interface Press {
  key: string;
  ctrlKey: boolean;
  altKey: boolean;
  metaKey: boolean;
}

export function actionOf(press: Press, inText: boolean): Action | null {
  if (press.ctrlKey || press.altKey || press.metaKey) return null;
  if (press.key === "Escape") return { kind: "close" };
  if (inText) return null;
  if (press.key === "/") return { kind: "search" };
  if (press.key === "?" || press.key === "h") return { kind: "help" };
  if (press.key === "t") return { kind: "theme" };
  if (press.key === "j") return { kind: "row", step: 1 };
  if (press.key === "k") return { kind: "row", step: -1 };
  const view = viewNames[Number(press.key) - 1] ?? letters[press.key];
  return view ? { kind: "open", view } : null;
}
