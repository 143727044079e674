// SPDX-License-Identifier: MIT
// Branches in a row that left the same function, as one.
import type { Moment } from "./schema";

export interface Run {
  function: string;
  isNew: boolean;
  times: number;
}

export function runsOf(branches: Moment["branches"]): Run[] {
  const runs: Run[] = [];
  for (const each of branches) {
    const last = runs[runs.length - 1];
    if (last && last.function === each.function && last.isNew === each.new) last.times += 1;
    else runs.push({ function: each.function, isNew: each.new, times: 1 });
  }
  return runs;
}
