// SPDX-License-Identifier: MIT
// Where the samples are: rows by function, line, object, type or thread.
import { Choice, Search } from "../../components/controls";
import { Nothing, Ready } from "../../components/states";
import { useAnswer, useChange, usePage, useRecording } from "../../context";
import { chosenEvent, eventNames } from "../../events";
import { countOf, grouped } from "../../format";
import * as requests from "../../requests";
import { keyOf, type HotspotRow, type Hotspots } from "../../schema";
import { linkFrom } from "../../router";
import { HotspotTable, keyOfRow } from "./table";

const shapes: [string, string][] = [
  ["table", "table"],
  ["flame", "flame graph"],
  ["icicle", "icicle"],
];

function Rows({ answer, sort, event, filter }: { answer: Hotspots; sort: requests.HotspotSort; event: string; filter: string }) {
  const { route } = usePage();
  const change = useChange();
  const open = (row: HotspotRow): void => {
    if (sort === "function") {
      location.hash = linkFrom(route, "source", { function: keyOf(row, "function"), dso: row.dso ?? "" });
    } else change({ row: keyOfRow(row, sort) });
  };
  return (
    <>
      <p class="quiet">
        {Object.entries(answer.events)
          .map(([name, each]) => `${name}: ${countOf(each.samples, "sample", "samples")}, about ${grouped(each.estimated)} events`)
          .join("; ")}
        {answer.all_rows > answer.rows.length && `; ${grouped(answer.rows.length)} of ${grouped(answer.all_rows)} rows`}
      </p>
      <HotspotTable
        answer={answer}
        sort={sort}
        event={event}
        filter={filter}
        selected={route.params.row}
        onSelect={(row) => change({ row: keyOfRow(row, sort) }, true)}
        onOpen={open}
      />
    </>
  );
}

export function HotspotsView() {
  const { route } = usePage();
  const change = useChange();
  const recording = useRecording();
  const sort = requests.hotspotSorts.find((each) => each === route.params.sort) ?? "function";
  const outcome = useAnswer<Hotspots>(requests.hotspots(recording, sort));
  const names = outcome.state === "ready" ? eventNames(outcome.answer.events) : [];
  const event = chosenEvent(names, route.params.event);
  const search = route.params.search ?? "";
  return (
    <>
      <h1 class="visually-hidden">Hot spots</h1>
      <div class="toolbar" role="group" aria-label="What is shown">
        <Choice label="Rows by" value={sort} values={requests.hotspotSorts} onChange={(value) => change({ sort: value, row: "" })} />
        <Choice label="Event" value={event} values={names} onChange={(value) => change({ event: value })} />
        <Choice label="As" value={route.params.as ?? "table"} values={shapes} onChange={(value) => change({ as: value })} />
        <Search value={search} onChange={(value) => change({ search: value }, true)} />
      </div>
      <Ready outcome={outcome}>
        {(answer) =>
          answer.rows.length === 0 ? (
            <Nothing>Nothing was measured: the recording has no samples.</Nothing>
          ) : (
            <Rows answer={answer} sort={sort} event={event} filter={search} />
          )
        }
      </Ready>
    </>
  );
}
