// SPDX-License-Identifier: MIT
// The frame around the views: their list, the recording, the keyboard.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ComponentType } from "preact";
import { Failure, type Client } from "./client";
import { Help } from "./components/help";
import { Progress } from "./components/progress";
import { Failed } from "./components/states";
import { stepRow } from "./components/table";
import { PageContext, type Page } from "./context";
import { actionOf } from "./keys";
import * as requests from "./requests";
import { linkFrom, linkWith, parseRoute, recordingOf, viewNames, type Route, type ViewName } from "./router";
import type { RecordingEntry, Recordings } from "./schema";
import { useTheme, type Choice } from "./theme";
import { printable } from "./format";
import { CompareView } from "./views/compare/compare";
import { DataView } from "./views/data/data";
import { HotspotsView } from "./views/hotspots/hotspots";
import { MapView } from "./views/map/map";
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

function useRecordings(client: Client): { list: RecordingEntry[] | null; failure: Failure | null } {
  const [list, setList] = useState<RecordingEntry[] | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  useEffect(() => {
    client.ask<Recordings>(requests.recordings()).then(
      (answer) => setList(answer.recordings),
      (error: unknown) => setFailure(error instanceof Failure ? error : new Failure(0, String(error))),
    );
  }, [client]);
  return { list, failure };
}

function ViewList({ route }: { route: Route }) {
  return (
    <nav class="view-list" aria-label="Views">
      <ol>
        {viewNames.map((name, index) => (
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

const themeWords: Record<Choice, string> = { system: "Auto", light: "Light", dark: "Dark" };

function useKeyboard(route: Route, nextTheme: () => void, help: boolean, showHelp: (shown: boolean) => void): void {
  const latest = useRef({ route, nextTheme, help, showHelp });
  latest.current = { route, nextTheme, help, showHelp };
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const target = event.target instanceof HTMLElement ? event.target : null;
      const inText = target?.matches("input, textarea, select") ?? false;
      const action = actionOf(event, inText);
      const now = latest.current;
      if (!action || event.defaultPrevented) return;
      if (now.help && action.kind !== "close" && action.kind !== "help") return;
      if (action.kind === "open") location.hash = linkFrom(now.route, action.view);
      else if (action.kind === "help") now.showHelp(!now.help);
      else if (action.kind === "theme") now.nextTheme();
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

export function App({ client }: { client: Client }) {
  const route = useRoute();
  const { choice, theme, next } = useTheme();
  const { list, failure } = useRecordings(client);
  const [help, showHelp] = useState(false);
  useKeyboard(route, next, help, showHelp);
  const page: Page = useMemo(
    () => ({ client, route, theme, recordings: list ?? [] }),
    [client, route, theme, list],
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
        <RecordingChoice route={route} recordings={list ?? []} />
        <span class="top-space" />
        <button type="button" onClick={next} title="Light, dark, or as the system has it (t)">
          <span class="visually-hidden">Colours: </span>
          {themeWords[choice]}
        </button>
        <button type="button" onClick={() => showHelp(true)} aria-haspopup="dialog">
          Keys <kbd>?</kbd>
        </button>
      </header>
      <ViewList route={route} />
      <Progress client={client} />
      <main id="content" tabIndex={-1} aria-label={title}>
        {failure ? <Failed failure={failure} /> : list ? <View key={`${route.view}/${recordingOf(route)}`} /> : null}
      </main>
      {help && <Help onClose={() => showHelp(false)} />}
    </PageContext.Provider>
  );
}
