// SPDX-License-Identifier: MIT
// The processes of a recording that have samples, those with the most first.
import type { Totals } from "../../schema";

export interface Process {
  pid: number;
  name: string;
  samples: number;
}

export function processesOf(totals: Pick<Totals, "threads">): Process[] {
  const processes = new Map<number, Process>();
  for (const thread of totals.threads) {
    const known = processes.get(thread.pid) ?? { pid: thread.pid, name: thread.comm, samples: 0 };
    if (thread.pid === thread.tid) known.name = thread.comm;
    for (const count of Object.values(thread.events)) known.samples += count.samples;
    processes.set(thread.pid, known);
  }
  return [...processes.values()].filter((each) => each.samples > 0).sort((a, b) => b.samples - a.samples);
}
