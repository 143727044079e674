// SPDX-License-Identifier: MIT
// One function: its source lines and its instructions side by side.
import { useMemo } from "preact/hooks";
import { Choice } from "../../components/controls";
import { Nothing, Ready } from "../../components/states";
import { useAnswer, useChange, usePage, useRecording } from "../../context";
import { countOf, grouped, printable, shareText } from "../../format";
import * as requests from "../../requests";
import { keyOf, type Annotation, type Causes, type Hotspots } from "../../schema";
import { chosenEvent, eventNames } from "../../events";
import { Instructions } from "./instructions";
import { FileTable } from "./lines";
import { filesOf, placesByLine } from "./listing";

function Head({ annotation, name, events }: { annotation: Annotation; name: string; events: string[] }) {
  return (
    <>
      <h1>
        <code>{printable(name)}</code>
        {name !== annotation.function && (
          <>
            , inlined into <code>{printable(annotation.function)}</code>
          </>
        )}{" "}
        ({printable(annotation.dso)})
      </h1>
      <p class="quiet">
        {Object.entries(annotation.events)
          .filter(([name, each]) => events.includes(name) && each.samples > 0)
          .map(([name, each]) => `${shareText(each.share)} of ${name}, ${countOf(each.samples, "sample", "samples")}, about ${grouped(each.estimated)} events`)
          .join("; ")}
        {annotation.others.length > 0 &&
          `. Others of this name: ${annotation.others.map((each) => printable(`${each.function} (${each.dso})`)).join(", ")}`}
      </p>
      {annotation.moved_sources.map((each) => (
        <p key={each.file} class="quiet">
          Source of <code>{printable(each.file)}</code>: <code>{printable(each.path)}</code>
          {each.guessed && ", guessed by its name and folders (--source-map FROM=TO names another)"}
        </p>
      ))}
    </>
  );
}

const allEvents = "all";

// Returns the chosen event, or all events that have samples, the chosen one first.
function eventsOf(annotation: Annotation, params: Record<string, string>): string[] {
  const names = eventNames(annotation.events);
  const chosen = chosenEvent(names, params.event);
  if (params.events === allEvents) return [chosen, ...names.filter((name) => name !== chosen)];
  return chosen === "" ? [] : [chosen];
}

function Code({ annotation, name }: { annotation: Annotation; name: string }) {
  const { route } = usePage();
  const change = useChange();
  const explained = useAnswer<Causes>(requests.explain(useRecording()));
  const causes = explained.state === "ready" ? explained.answer : null;
  const events = eventsOf(annotation, route.params);
  const files = useMemo(() => filesOf(annotation, events), [annotation, events.join()]);
  const places = useMemo(() => placesByLine(causes, annotation.function, events), [causes, annotation, events.join()]);
  const hasLines = files.some((file) => file.file !== null);
  const asked = route.params.line ?? "";
  // Links from other views have the line's number alone.
  const known = annotation.lines.find((each) => String(each.line) === asked && each.file);
  const chosen = known ? `${known.file}:${known.line}` : asked;
  const choose = (key: string): void => change({ line: key }, true);
  return (
    <>
      <Head annotation={annotation} name={name} events={events} />
      {!hasLines && <p class="quiet">No source lines: the program has no debug information, or no sample is in this function.</p>}
      <div class={hasLines ? "side-by-side" : undefined}>
        {hasLines && (
          <div>
            {files.map((file) => (
              <FileTable key={file.file ?? ""} file={file} events={events} chosen={chosen} places={places} onChoose={choose} />
            ))}
          </div>
        )}
        <div>
          <Instructions annotation={annotation} events={events} chosen={chosen} onChoose={choose} places={places} mainFile={files[0]?.file ?? null} />
        </div>
      </div>
    </>
  );
}

function Shown({ name, dso }: { name: string; dso: string | null }) {
  const outcome = useAnswer<Annotation>(requests.annotate(useRecording(), name, dso));
  return <Ready outcome={outcome}>{(answer) => <Code annotation={answer} name={name} />}</Ready>;
}

// Functions are told by name and program, as two programs may have one of the same name.
function FunctionChoice({ answer, name, dso }: { answer: Hotspots; name: string; dso: string }) {
  const change = useChange();
  const values = answer.rows.slice(0, 200).map((row): [string, string] => {
    const held = keyOf(row, "function");
    return [JSON.stringify([held, row.dso ?? ""]), row.dso ? `${held} (${row.dso})` : held];
  });
  const value = JSON.stringify([name, dso]);
  if (!values.some(([each]) => each === value)) values.unshift([value, name]);
  const unique = [...new Map(values)];
  return (
    <Choice
      label="Function"
      value={value}
      values={unique}
      onChange={(chosen) => {
        const [held, of] = JSON.parse(chosen) as [string, string];
        change({ function: held, dso: of, line: "" });
      }}
    />
  );
}

export function SourceView() {
  const { route } = usePage();
  const change = useChange();
  const outcome = useAnswer<Hotspots>(requests.hotspots(useRecording(), "function"));
  return (
    <Ready outcome={outcome}>
      {(answer) => {
        const first = answer.rows[0];
        const names = eventNames(answer.events);
        const name = route.params.function ?? (first ? keyOf(first, "function") : undefined);
        const dso = route.params.function === undefined ? (first?.dso ?? "") : (route.params.dso ?? "");
        if (name === undefined) return <Nothing>Nothing was measured: the recording has no samples.</Nothing>;
        return (
          <>
            <div class="toolbar" role="group" aria-label="What is shown">
              <FunctionChoice answer={answer} name={name} dso={dso} />
              <Choice label="Event" value={chosenEvent(names, route.params.event)} values={names} onChange={(value) => change({ event: value })} />
              {names.length > 1 && (
                <label>
                  <input
                    type="checkbox"
                    checked={route.params.events === allEvents}
                    onChange={(event) => change({ events: event.currentTarget.checked ? allEvents : "" })}
                  />{" "}
                  columns for all events
                </label>
              )}
            </div>
            <Shown key={`${name}/${dso}`} name={name} dso={dso || null} />
          </>
        );
      }}
    </Ready>
  );
}
