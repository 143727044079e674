// SPDX-License-Identifier: MIT
// The caches of the machine, as the maps of its levels tell them.
import { useAnswer, useRecording } from "./context";
import * as requests from "./requests";
import type { CacheMap } from "./schema";

export interface Cache {
  level: requests.CacheLevel;
  name: string;
  bytes: number;
  ways: number;
  lineBytes: number;
}

export function useCaches(): Cache[] {
  const recording = useRecording();
  const maps = requests.cacheLevels.map((level) => ({
    level,
    outcome: useAnswer<CacheMap>(requests.cacheMap(recording, level)),
  }));
  return maps.flatMap(({ level, outcome }) => {
    if (outcome.state !== "ready") return [];
    const { name, sets, ways, line_bytes } = outcome.answer.cache;
    return [{ level, name, bytes: sets * ways * line_bytes, ways, lineBytes: line_bytes }];
  });
}
