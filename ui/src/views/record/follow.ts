// SPDX-License-Identifier: MIT
// Looks again and again at the recording that is being made, one request at a time, and not oftener than the
// server can answer.
import type { Client } from "../../client";
import * as requests from "../../requests";
import type { Hotspots } from "../../schema";
import type { RecorderState } from "./schema";

const pauseMs = 1000;

export interface Seen {
  state: RecorderState;
  // The hot spots so far; a failure's sentence; null where there is nothing new to tell.
  live: Hotspots | string | null;
}

export interface Following {
  // Looks now, unless it does so already.
  wake: () => void;
  stop: () => void;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

// Until nothing runs any more; from then on it sleeps until it is woken.
export function follow(client: Client, onSeen: (seen: Seen) => void, onFailure: (text: string) => void): Following {
  let stopped = false;
  let looking = false;
  // What is being answered may be older than what it was woken for.
  let isStale = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  // Whether to go on.
  const look = async (): Promise<boolean> => {
    const state = await client.look<RecorderState>(requests.recorder());
    if (stopped || isStale) return isStale;
    onSeen({ state, live: null });
    if (!state.running || state.bytes === 0) return state.running;
    const live = await client.look<Hotspots>(requests.live()).catch(textOf);
    if (!stopped && !isStale) onSeen({ state, live });
    return true;
  };
  const wake = async (): Promise<void> => {
    isStale = looking;
    if (looking || stopped) return;
    clearTimeout(timer);
    looking = true;
    const begin = Date.now();
    let goesOn = true;
    try {
      goesOn = await look();
    } catch (error) {
      if (!stopped) onFailure(textOf(error));
    }
    looking = false;
    // An answer that took long is not asked for at once again.
    const pause = isStale ? 0 : Math.max(pauseMs, Date.now() - begin);
    if ((goesOn || isStale) && !stopped) timer = setTimeout(() => void wake(), pause);
  };
  return {
    wake: () => void wake(),
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
