// SPDX-License-Identifier: MIT
// Every request that the page makes. A file that was written with --html holds the answers to exactly these,
// so views ask through this file only, and with no other parameters.

export interface Request {
  path: string;
  params: Record<string, string>;
}

export const hotspotSorts = ["function", "line", "object", "type", "thread"] as const;
export type HotspotSort = (typeof hotspotSorts)[number];

function request(path: string, params: Record<string, string | number>): Request {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(params)) texts[name] = String(value);
  return { path, params: texts };
}

function pairs(asked: Request): [string, string][] {
  return Object.entries(asked.params).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

// The name of the answer in a file: parameters sorted by name, nothing escaped.
export function keyOfRequest(asked: Request): string {
  const parts = pairs(asked).map(([name, value]) => `${name}=${value}`);
  return parts.length === 0 ? asked.path : `${asked.path}?${parts.join("&")}`;
}

// Relative, so that the page works below any folder.
export function addressOf(asked: Request): string {
  const parts = pairs(asked).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return "api/" + (parts.length === 0 ? asked.path : `${asked.path}?${parts.join("&")}`);
}

export const recordings = (): Request => request("recordings", {});

export const totals = (recording: number): Request => request("totals", { recording });

export const hotspots = (recording: number, sort: HotspotSort): Request =>
  request("hotspots", { recording, sort, callers: 0, limit: 1000 });

export const explain = (recording: number): Request =>
  request("explain", { recording, limit: 20, min_share: "0.5" });

export const annotate = (recording: number, name: string, dso: string | null): Request =>
  request("annotate", dso ? { recording, function: name, dso } : { recording, function: name });

export const flame = (recording: number, event: string): Request =>
  request("flame", { recording, event, inverted: 0, limit: 12000, processes: 1 });

export type TimelineBy = "thread" | "cpu";

export const timeline = (recording: number, event: string, by: TimelineBy): Request =>
  request("timeline", { recording, event, by, columns: 400 });

// A part of the run, finer. Not in files.
export const timelineWindow = (
  recording: number,
  event: string,
  by: TimelineBy,
  fromNs: number,
  toNs: number,
): Request => request("timeline", { recording, event, by, columns: 400, from_ns: fromNs, to_ns: toNs });

// The first samples of a moment, one by one. Not in files.
export const samplesAt = (
  recording: number,
  event: string,
  by: TimelineBy,
  fromNs: number,
  toNs: number,
  most: number,
): Request =>
  request("timeline", { recording, event, by, columns: 1, from_ns: fromNs, to_ns: toNs, samples: most });

// Asked for only where the time line tells of the last-level cache.
export const occupancy = (recording: number): Request => request("occupancy", { recording, cells: 200 });

export const cacheLevels = ["l1d", "l2", "l3"] as const;
export type CacheLevel = (typeof cacheLevels)[number];

// Of all processes, which files hold; or of one, which they do not.
export const cacheMap = (recording: number, level: CacheLevel, pid = ""): Request =>
  request("map", pid === "" ? { recording, level, columns: 160 } : { recording, level, columns: 160, pid });

export const sizes = (recording: number): Request =>
  request("sizes", { recording, by: "function", limit: 20 });

export type DiffSort = "function" | "line";

export const diff = (before: number, after: number, sort: DiffSort): Request =>
  request("diff", { before, after, sort });

// Of a store, which no file has. What is "" is not asked for.
const chosen = (params: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(params).filter(([, value]) => value !== ""));

export const fleet = (params: Record<string, string>): Request => request("fleet", chosen(params));

export const fleetRows = (params: Record<string, string>, limit: number): Request =>
  request("fleet_rows", { ...chosen(params), limit });

export const fleetOverTime = (params: Record<string, string>): Request => request("fleet_over_time", chosen(params));

export const fleetDiff = (params: Record<string, string>): Request =>
  request("fleet_diff", { ...chosen(params), limit: 1000 });

// Of the server, where it lets the page record. Not in files.
export const events = (): Request => request("events", {});

export const recorder = (): Request => request("recorder", {});

export const live = (): Request => request("live", {});
