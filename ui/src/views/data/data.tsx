// SPDX-License-Identifier: MIT
// The data that is missed: objects, types, and lines that threads take from each other.
import { useMemo } from "preact/hooks";
import { Choice, Search } from "../../components/controls";
import { Nothing, Ready } from "../../components/states";
import { useAnswer, useChange, usePage, useRecording } from "../../context";
import { chosenEvent, eventNames } from "../../events";
import * as requests from "../../requests";
import type { Causes, HotspotRow, Hotspots } from "../../schema";
import { HotspotTable, keyOfRow } from "../hotspots/table";
import { Contested } from "./contested";
import { FieldsOf, fieldsOf } from "./fields";

const kinds = ["object", "type"] as const;

function Chosen({ row, kind, causes }: { row: string; kind: string; causes: Causes }) {
  const name = row.slice(0, row.lastIndexOf("@"));
  const fields = useMemo(() => fieldsOf(causes, name), [causes, name]);
  if (kind === "type") return null;
  return (
    <section class="panel chosen" aria-label="Where it is used">
      <FieldsOf name={name} uses={fields} />
    </section>
  );
}

export function DataView() {
  const { route } = usePage();
  const change = useChange();
  const recording = useRecording();
  const kind = kinds.find((each) => each === route.params.by) ?? "object";
  const outcome = useAnswer<Hotspots>(requests.hotspots(recording, kind));
  const causes = useAnswer<Causes>(requests.explain(recording));
  const names = outcome.state === "ready" ? eventNames(outcome.answer.events) : [];
  const event = chosenEvent(names, route.params.event);
  const search = route.params.search ?? "";
  const choose = (row: HotspotRow): void => change({ row: keyOfRow(row, kind) }, true);
  return (
    <>
      <h1 class="visually-hidden">Data that is missed</h1>
      <div class="toolbar" role="group" aria-label="What is shown">
        <Choice label="Rows by" value={kind} values={kinds} onChange={(value) => change({ by: value, row: "" })} />
        <Choice label="Event" value={event} values={names} onChange={(value) => change({ event: value })} />
        <Search value={search} onChange={(value) => change({ search: value }, true)} />
      </div>
      <Ready outcome={outcome}>
        {(answer) =>
          answer.rows.length === 0 ? (
            <Nothing>No sample has a data address: the event or the PMU does not record addresses.</Nothing>
          ) : (
            <HotspotTable
              answer={answer}
              sort={kind}
              event={event}
              filter={search}
              selected={route.params.row}
              onSelect={choose}
              onOpen={choose}
            />
          )
        }
      </Ready>
      {route.params.row && causes.state === "ready" && <Chosen row={route.params.row} kind={kind} causes={causes.answer} />}
      <section class="below" aria-labelledby="lines-title">
        <h2 id="lines-title">Contested lines: threads take them from each other</h2>
        <Ready outcome={causes}>{(answer) => <Contested causes={answer} />}</Ready>
      </section>
    </>
  );
}
