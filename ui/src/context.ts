// SPDX-License-Identifier: MIT
// What every component may need: the client, the route, the theme.
import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import { Failure, type Client } from "./client";
import type { Theme } from "./colours";
import { keyOfRequest, type Request } from "./requests";
import { linkWith, parseRoute, recordingOf, type Route } from "./router";
import type { RecordingEntry } from "./schema";

export interface Page {
  client: Client;
  route: Route;
  theme: Theme;
  recordings: RecordingEntry[];
  // Whether the server lets the page record.
  mayRecord: boolean;
  // What the page is about instead of recordings.
  store: string | null;
  // When the store was asked, in seconds since 1970, from which "the last hour" counts; and asking it anew.
  openedS: number;
  renew: () => void;
  // Asks which recordings there are now.
  refresh: () => Promise<void>;
}

export const PageContext = createContext<Page | null>(null);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (!page) throw new Error("no page");
  return page;
}

export function useRecording(): number {
  return recordingOf(usePage().route);
}

export type Outcome<T> =
  | { state: "waiting" }
  | { state: "failed"; failure: Failure }
  | { state: "ready"; answer: T };

// null asks for nothing.
export function useAnswer<T>(asked: Request | null): Outcome<T> {
  const { client } = usePage();
  const key = asked ? keyOfRequest(asked) : "";
  const [held, hold] = useState<{ key: string; outcome: Outcome<T> }>({ key: "", outcome: { state: "waiting" } });
  useEffect(() => {
    if (!asked) return;
    let wanted = true;
    client.ask<T>(asked).then(
      (answer) => wanted && hold({ key, outcome: { state: "ready", answer } }),
      (error: unknown) => {
        const failure = error instanceof Failure ? error : new Failure(0, String(error));
        if (wanted) hold({ key, outcome: { state: "failed", failure } });
      },
    );
    return () => {
      wanted = false;
    };
  }, [client, key]);
  return held.key === key && asked ? held.outcome : { state: "waiting" };
}

// Changes parameters of the link; the state before can be gone back to unless `replace`.
export function useChange(): (changes: Record<string, string>, replace?: boolean) => void {
  const { view } = usePage().route;
  return (changes, replace = false) => {
    // The link may be ahead of what is drawn.
    const link = linkWith({ ...parseRoute(location.hash), view }, changes);
    if (link === location.hash) return;
    if (!replace) {
      location.hash = link;
      return;
    }
    history.replaceState(null, "", link);
    window.dispatchEvent(new HashChangeEvent("hashchange"));
  };
}
