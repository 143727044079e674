// SPDX-License-Identifier: MIT
// The recording that is being made, or was made last, and what can be done with it.
import { useEffect, useRef, useState } from "preact/hooks";
import { usePage } from "../../context";
import type { Hotspots } from "../../schema";
import { follow, type Following } from "./follow";
import type { Wish } from "./wish";
import type { RecorderState } from "./schema";

export interface Recorder {
  // null: it is not known yet.
  state: RecorderState | null;
  // The hot spots so far.
  live: Hotspots | null;
  // Why there are none, or no newer ones.
  liveFailure: string;
  // Why the last request was refused.
  refusal: string;
  // To be announced: that it began, that it ended.
  news: string;
  start: (wish: Wish) => void;
  stop: () => void;
  refuse: (text: string) => void;
}

export function useRecorder(): Recorder {
  const { client, recordings, refresh } = usePage();
  const [state, setState] = useState<RecorderState | null>(null);
  const [live, setLive] = useState<Hotspots | null>(null);
  const [liveFailure, setLiveFailure] = useState("");
  const [refusal, refuse] = useState("");
  const [news, setNews] = useState("");
  const following = useRef<Following | null>(null);
  const ran = useRef(false);

  const see = (next: RecorderState): void => {
    setState(next);
    if (ran.current && !next.running) {
      setNews(`The recording has ended, with exit status ${next.exit_status ?? "unknown"}.`);
    }
    ran.current = next.running;
    const isKnown = next.bytes === 0 || recordings.some((each) => each.path === next.path);
    if (!next.running && !isKnown) void refresh();
  };
  useEffect(() => {
    const made = follow(
      client,
      (seen) => {
        see(seen.state);
        if (typeof seen.live === "string") setLiveFailure(seen.live);
        else if (seen.live) {
          setLive(seen.live);
          setLiveFailure("");
        }
      },
      refuse,
    );
    following.current = made;
    made.wake();
    return made.stop;
  }, [client]);

  const send = async (path: string, body: unknown): Promise<RecorderState | null> => {
    refuse("");
    try {
      return await client.send<RecorderState>(path, body);
    } catch (error) {
      refuse(error instanceof Error ? error.message : String(error));
      return null;
    }
  };
  const start = async (wish: Wish): Promise<void> => {
    const next = await send("record", wish);
    if (!next) return;
    setLive(null);
    setLiveFailure("");
    setNews("The recording has begun.");
    ran.current = true;
    see(next);
    following.current?.wake();
  };
  const stop = async (): Promise<void> => {
    if (await send("stop", {})) following.current?.wake();
  };
  return { state, live, liveFailure, refusal, news, refuse, start: (wish) => void start(wish), stop: () => void stop() };
}
