// SPDX-License-Identifier: MIT
// The frame around the views: their list, the recording, the keyboard.
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ComponentType } from "preact";
import { Failure, type Client } from "./client";
import { Help } from "./components/help";
import { Progress } from "./components/progress";
import { Failed, Nothing } from "./components/states";
import { stepRow } from "./components/table";
import { PageContext, type Page } from "./context";
import { actionOf } from "./keys";
import * as requests from "./requests";
import { linkFrom, linkWith, parseRoute, recordingOf, viewsOf, type Route, type ViewName } from "./router";
import type { RecordingEntry, Recordings } from "./schema";
import { useTheme, type Choice } from "./theme";
import { printable } from "./format";
import { CompareView } from "./views/compare/compare";
import { DataView } from "./views/data/data";
import { FleetView } from "./views/fleet/fleet";
import { PlaceView } from "./views/fleet/place";
import { ReleasesView } from "./views/fleet/releases";
import { ServiceView } from "./views/fleet/service";
import { TrendView } from "./views/fleet/trend";
import { HotspotsView } from "./views/hotspots/hotspots";
import { MapView } from "./views/map/map";
import { RecordView } from "./views/record/record";
import { SourceView } from "./views/source/source";
import { SummaryView } from "./views/summary/summary";
import { TimelineView } from "./views/timeline/timeline";
import { WhyView } from "./views/why/why";

const views: Record<ViewName, { title: string; view: ComponentType }> = {
  summary: { title: "Summary", view: SummaryView },
  hotspots: { title: "Hot spots", view: HotspotsView },
  source: { title: "Source", view: SourceView },
  why: { title: "Why", view: WhyView },
  data: { title: "Data", view: DataView },
  map: { title: "Cache map", view: MapView },
  timeline: { title: "Time line", view: TimelineView },
  compare: { title: "Compare", view: CompareView },
  record: { title: "Record", view: RecordView },
  fleet: { title: "Fleet", view: FleetView },
  service: { title: "Service", view: ServiceView },
  place: { title: "Place", view: PlaceView },
  trend: { title: "Over time", view: TrendView },
  releases: { title: "Releases", view: ReleasesView },
};

function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const changed = (): void => setRoute(parseRoute(location.hash));
    window.addEventListener("hashchange", changed);
    return () => window.removeEventListener("hashchange", changed);
  }, []);
  return route;
}

interface Held {
  list: RecordingEntry[] | null;
  mayRecord: boolean;
  store: string | null;
  failure: Failure | null;
}

function useRecordings(client: Client): Held & { refresh: () => Promise<void> } {
  const [held, hold] = useState<Held>({ list: null, mayRecord: false, store: null, failure: null });
  const ask = useCallback(async (): Promise<void> => {
    try {
      const answer = await client.ask<Recordings>(requests.recordings());
      hold({ list: answer.recordings, mayRecord: answer.allow_record && !client.isFile, store: answer.store, failure: null });
    } catch (error) {
      const failure = error instanceof Failure ? error : new Failure(0, String(error));
      // What is shown stays.
      hold((before) => (before.list ? before : { ...before, failure }));
    }
  }, [client]);
  const refresh = useCallback((): Promise<void> => {
    client.forget(requests.recordings());
    return ask();
  }, [client, ask]);
  useEffect(() => void ask(), [ask]);
  return { ...held, refresh };
}

function ViewList({ route, names }: { route: Route; names: readonly ViewName[] }) {
  const list = useRef<HTMLElement>(null);
  // A narrow window does not hold all views: the chosen one is scrolled into it.
  useEffect(() => {
    const chosen = list.current?.querySelector<HTMLElement>('[aria-current="page"]');
    if (chosen && list.current) list.current.scrollLeft = chosen.offsetLeft - (list.current.clientWidth - chosen.offsetWidth) / 2;
  }, [route.view, names.length]);
  return (
    <nav ref={list} class="view-list" aria-label="Views">
      <ol>
        {names.map((name, index) => (
          <li key={name}>
            <a href={linkFrom(route, name)} aria-current={route.view === name ? "page" : undefined}>
              <span class="view-key" aria-hidden="true">
                {index + 1}
              </span>
              {views[name].title}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function RecordingChoice({ route, recordings }: { route: Route; recordings: RecordingEntry[] }) {
  const id = recordingOf(route);
  const chosen = recordings.find((each) => each.id === id);
  if (recordings.length < 2) {
    return <span class="recording-name" title={chosen?.path}>{printable(chosen?.name ?? "")}</span>;
  }
  return (
    <label class="recording-choice">
      Recording
      <select
        value={String(id)}
        onChange={(event) => {
          const view = route.view === "source" ? linkFrom(route, "source") : linkWith(route, {});
          const target = parseRoute(view);
          location.hash = linkWith(target, { recording: event.currentTarget.value, event: "" });
        }}
      >
        {recordings.map((each) => (
          <option key={each.id} value={String(each.id)}>
            {printable(each.name)}
          </option>
        ))}
      </select>
    </label>
  );
}

const themes: [Choice, string][] = [
  ["system", "auto"],
  ["light", "light"],
  ["dark", "dark"],
];

function ThemeSwitch({ choice, choose }: { choice: Choice; choose: (choice: Choice) => void }) {
  return (
    <label class="theme" title="Auto: the system's setting (t)">
      Theme:
      <select value={choice} onChange={(event) => choose(event.currentTarget.value as Choice)}>
        {themes.map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

interface Keyboard {
  route: Route;
  names: readonly ViewName[];
  renew: () => void;
  nextTheme: () => void;
  help: boolean;
  showHelp: (shown: boolean) => void;
}

function useKeyboard(state: Keyboard): void {
  const latest = useRef(state);
  latest.current = state;
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const target = event.target instanceof HTMLElement ? event.target : null;
      const inText = target?.matches("input, textarea, select") ?? false;
      const now = latest.current;
      const action = actionOf(event, inText, now.names);
      if (!action || event.defaultPrevented) return;
      if (now.help && action.kind !== "close" && action.kind !== "help") return;
      if (action.kind === "open") location.hash = linkFrom(now.route, action.view);
      else if (action.kind === "help") now.showHelp(!now.help);
      else if (action.kind === "theme") now.nextTheme();
      else if (action.kind === "renew") now.renew();
      else if (action.kind === "row") stepRow(action.step);
      else if (action.kind === "search") document.querySelector<HTMLInputElement>("[data-search]")?.focus();
      else if (now.help) now.showHelp(false);
      else if (inText) target?.blur();
      else return;
      event.preventDefault();
    };
    window.addEventListener("keydown", pressed);
    return () => window.removeEventListener("keydown", pressed);
  }, []);
}

const nowS = (): number => Math.floor(Date.now() / 1000);

export function App({ client }: { client: Client }) {
  const asked = useRoute();
  const { choice, theme, choose, next } = useTheme();
  const { list, mayRecord, store, failure, refresh } = useRecordings(client);
  const names = viewsOf(store !== null, mayRecord);
  // A link to a view that is not there opens the first one; "record" says itself why it is not.
  const isThere = asked.view === "record" ? store === null : names.includes(asked.view);
  const route = useMemo<Route>(() => (isThere ? asked : { ...asked, view: names[0] ?? "summary" }), [asked, isThere, names]);
  const [openedS, setOpened] = useState(nowS);
  const [asks, setAsks] = useState(0);
  const renew = useCallback((): void => {
    client.forgetAll();
    setOpened(nowS());
    setAsks((before) => before + 1);
  }, [client]);
  const [help, showHelp] = useState(false);
  useKeyboard({ route, names, renew, nextTheme: next, help, showHelp });
  const page: Page = useMemo(
    () => ({ client, route, theme, recordings: list ?? [], mayRecord, store, openedS, renew, refresh }),
    [client, route, theme, list, mayRecord, store, openedS, renew, refresh],
  );
  const { title, view: View } = views[route.view];
  useEffect(() => {
    document.title = `${title} - hardmeter`;
  }, [title]);
  return (
    <PageContext.Provider value={page}>
      <a class="skip" href="#content" onClick={(event) => {
        event.preventDefault();
        document.getElementById("content")?.focus();
      }}>
        To the content
      </a>
      <header class="top">
        <span class="product">hardmeter</span>
        {store === null ? <RecordingChoice route={route} recordings={list ?? []} /> : <span class="recording-name">{printable(store)}</span>}
        <span class="top-space" />
        <ThemeSwitch choice={choice} choose={choose} />
        <button type="button" onClick={() => showHelp(true)} aria-haspopup="dialog">
          Keys <kbd>?</kbd>
        </button>
      </header>
      {(list || failure) && <ViewList route={route} names={names} />}
      <Progress client={client} />
      <main id="content" tabIndex={-1} aria-label={title}>
        {failure ? (
          <Failed failure={failure} />
        ) : list?.length === 0 && mayRecord && route.view !== "record" ? (
          <Nothing>
            There is no recording yet: <a href={linkFrom(route, "record")}>record one</a>.
          </Nothing>
        ) : list ? (
          <View key={`${route.view}/${recordingOf(route)}/${asks}`} />
        ) : null}
      </main>
      {help && <Help hasStore={store !== null} onClose={() => showHelp(false)} />}
    </PageContext.Provider>
  );
}
