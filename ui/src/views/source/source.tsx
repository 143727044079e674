// SPDX-License-Identifier: MIT
// One function: its source lines and its instructions side by side.
import { useMemo } from "preact/hooks";
import { Choice } from "../../components/controls";
import { Nothing, Ready } from "../../components/states";
import { useAnswer, useChange, usePage, useRecording } from "../../context";
import { countOf, grouped, printable, shareText } from "../../format";
import * as requests from "../../requests";
import { keyOf, type Annotation, type Causes, type Hotspots } from "../../schema";
import { eventNames } from "../../events";
import { Instructions } from "./instructions";
import { FileTable } from "./lines";
import { filesOf, placesByLine } from "./listing";

function Head({ annotation }: { annotation: Annotation }) {
  return (
    <>
      <h1>
        <code>{printable(annotation.function)}</code> ({printable(annotation.dso)})
      </h1>
      <p class="quiet">
        {Object.entries(annotation.events)
          .filter(([, each]) => each.samples > 0)
          .map(([name, each]) => `${shareText(each.share)} of ${name}, ${countOf(each.samples, "sample", "samples")}, about ${grouped(each.estimated)} events`)
          .join("; ")}
        {annotation.others.length > 0 &&
          `. Others of this name: ${annotation.others.map((each) => printable(`${each.function} (${each.dso})`)).join(", ")}`}
      </p>
    </>
  );
}

function Code({ annotation }: { annotation: Annotation }) {
  const { route } = usePage();
  const change = useChange();
  const explained = useAnswer<Causes>(requests.explain(useRecording()));
  const causes = explained.state === "ready" ? explained.answer : null;
  const files = useMemo(() => filesOf(annotation), [annotation]);
  const places = useMemo(() => placesByLine(causes, annotation.function), [causes, annotation]);
  const events = eventNames(annotation.events);
  const asked = route.params.line ?? "";
  // Links from other views have the line's number alone.
  const known = annotation.lines.find((each) => String(each.line) === asked && each.file);
  const chosen = known ? `${known.file}:${known.line}` : asked;
  const choose = (key: string): void => change({ line: key }, true);
  return (
    <>
      <Head annotation={annotation} />
      <div class="side-by-side">
        <div>
          {files.map((file) => (
            <FileTable key={file.file ?? ""} file={file} events={events} chosen={chosen} places={places} onChoose={choose} />
          ))}
          {files.length === 0 && <Nothing>No source lines: the program has no debug information, or no sample is here.</Nothing>}
        </div>
        <div>
          <Instructions annotation={annotation} events={events} chosen={chosen} onChoose={choose} mainFile={files[0]?.file ?? null} />
        </div>
      </div>
    </>
  );
}

function Shown({ name, dso }: { name: string; dso: string | null }) {
  const outcome = useAnswer<Annotation>(requests.annotate(useRecording(), name, dso));
  return <Ready outcome={outcome}>{(answer) => <Code annotation={answer} />}</Ready>;
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
  const outcome = useAnswer<Hotspots>(requests.hotspots(useRecording(), "function"));
  return (
    <Ready outcome={outcome}>
      {(answer) => {
        const first = answer.rows[0];
        const name = route.params.function ?? (first ? keyOf(first, "function") : undefined);
        const dso = route.params.function === undefined ? (first?.dso ?? "") : (route.params.dso ?? "");
        if (name === undefined) return <Nothing>Nothing was measured: the recording has no samples.</Nothing>;
        return (
          <>
            <div class="toolbar" role="group" aria-label="What is shown">
              <FunctionChoice answer={answer} name={name} dso={dso} />
            </div>
            <Shown key={`${name}/${dso}`} name={name} dso={dso || null} />
          </>
        );
      }}
    </Ready>
  );
}
