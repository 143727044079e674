// SPDX-License-Identifier: MIT
// The finer parts of the time line: fetched when they are looked at, kept, drawn as soon as they are there.
import { useEffect, useState } from "preact/hooks";
import { usePage } from "../../context";
import * as requests from "../../requests";
import type { Timeline } from "./schema";
import { partsOf, type Window } from "./window";

// Of a fast zoom only the last window counts.
const settledMs = 120;

export function useParts(recording: number, event: string, by: requests.TimelineBy, window: Window, end: number): { parts: Timeline[]; failure: string } {
  const { client } = usePage();
  const [known, setKnown] = useState<Map<string, Timeline>>(new Map());
  const [failure, setFailure] = useState("");
  const wanted = partsOf(window, end);
  const keyOf = (part: Window): string => `${part.from}-${part.to}`;
  const keys = wanted.map(keyOf).join();
  useEffect(() => {
    if (client.isFile) return;
    const timer = setTimeout(() => {
      for (const part of wanted) {
        if (known.has(keyOf(part))) continue;
        client.ask<Timeline>(requests.timelineWindow(recording, event, by, part.from, part.to)).then(
          (answer) => {
            setFailure("");
            setKnown((before) => new Map(before).set(keyOf(part), answer));
          },
          (error: unknown) => setFailure(error instanceof Error ? error.message : String(error)),
        );
      }
    }, settledMs);
    return () => clearTimeout(timer);
  }, [keys]);
  // Coarse parts first, so that finer ones are painted over them.
  const overlapping = [...known.values()].filter((each) => each.begin_at < window.to && each.end_at > window.from);
  overlapping.sort((a, b) => b.bin - a.bin);
  const isCoarse = client.isFile && wanted.length > 0;
  return { parts: overlapping, failure: isCoarse ? "This file does not hold finer parts of the time line: open the recording with `hardmeter ui`." : failure };
}
