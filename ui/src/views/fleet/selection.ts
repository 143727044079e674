// SPDX-License-Identifier: MIT
// What of a store counts: a part of the link, and of each request.

export const spans: [string, string][] = [
  ["1h", "the last hour"],
  ["6h", "the last 6 hours"],
  ["1d", "the last day"],
  ["7d", "the last 7 days"],
  ["30d", "the last 30 days"],
  ["all", "all there is"],
];
const usualSpan = "1d";
const unitSeconds: Record<string, number> = { h: 3600, d: 86400 };

type Params = Record<string, string | undefined>;

// The `since` of a link: one of the spans, or a moment in seconds since 1970.
export function sinceOf(params: Params): string {
  const asked = params.since ?? usualSpan;
  return spans.some(([name]) => name === asked) || /^\d{1,10}$/.test(asked) ? asked : usualSpan;
}

export function timesOf(params: Params, nowS: number): Record<string, string> {
  const since = sinceOf(params);
  const until: Record<string, string> = /^\d{1,10}$/.test(params.until ?? "") ? { to_s: params.until ?? "" } : {};
  if (since === "all") return until;
  const seconds = Number(since.slice(0, -1)) * (unitSeconds[since.slice(-1)] ?? 0);
  const isMoment = /^\d+$/.test(since);
  return { from_s: isMoment ? since : String(Math.max(0, nowS - seconds)), ...until };
}

const placeNames = ["function", "file", "line", "module"] as const;
export type Spot = Partial<Record<(typeof placeNames)[number], string>>;

// In links a place goes by other names than those of recordings.
export function spotOf(params: Params): Spot | null {
  const spot: Spot = {};
  for (const name of placeNames) {
    const value = params[`at_${name}`];
    if (value) spot[name] = value;
  }
  return Object.keys(spot).length > 0 ? spot : null;
}

// Of a row by function or line; what is not known is not asked for.
export function spotOfRow(keys: string[], values: string[]): Spot {
  const spot: Spot = {};
  for (const name of placeNames) {
    const value = values[keys.indexOf(name)];
    if (value && !(name === "line" && value === "0")) spot[name] = value;
  }
  return spot;
}

export function paramsOfSpot(spot: Spot): Record<string, string> {
  return Object.fromEntries(placeNames.map((name) => [`at_${name}`, spot[name] ?? ""]));
}
