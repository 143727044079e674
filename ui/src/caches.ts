// SPDX-License-Identifier: MIT
// The caches for data of the machine, or the modelled one, as the recording tells them.
import { useAnswer, useRecording } from "./context";
import * as requests from "./requests";
import type { CacheInfo, Totals } from "./schema";

export interface Cache {
  level: requests.CacheLevel;
  name: string;
  bytes: number;
  ways: number;
  lineBytes: number;
}

const names: Record<number, Pick<Cache, "level" | "name">> = {
  1: { level: "l1d", name: "L1D" },
  2: { level: "l2", name: "L2" },
  3: { level: "l3", name: "L3" },
};

// One of each level: that of the first core.
export function cachesIn(told: CacheInfo[]): Cache[] {
  const caches = new Map<number, Cache>();
  for (const { level, type, bytes, ways, line_bytes } of told) {
    const name = names[level];
    if (!name || type === "Instruction" || caches.has(level)) continue;
    caches.set(level, { ...name, bytes, ways, lineBytes: line_bytes });
  }
  return [...caches.entries()].sort(([a], [b]) => a - b).map(([, cache]) => cache);
}

export function useCaches(): Cache[] {
  const outcome = useAnswer<Totals>(requests.totals(useRecording()));
  return outcome.state === "ready" ? cachesIn(outcome.answer.recording.caches ?? []) : [];
}
