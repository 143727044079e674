// SPDX-License-Identifier: MIT
// Where the samples are: rows by function, line, object, type or thread.
import { Choice, Search } from "../../components/controls";
import { Nothing, Ready } from "../../components/states";
import { useAnswer, useChange, usePage, useRecording } from "../../context";
import { chosenEvent, eventNames } from "../../events";
import { countOf, grouped, printable } from "../../format";
import * as requests from "../../requests";
import { keyOf, type Flame, type HotspotRow, type Hotspots } from "../../schema";
import { linkFrom } from "../../router";
import { FlameGraph } from "./flame";
import { NeighboursOf } from "./neighbours";
import { HotspotTable, keyOfRow } from "./table";

const shapes: [string, string][] = [
  ["table", "table"],
  ["flame", "flame graph"],
  ["icicle", "icicle"],
];

function summaryText(event: string, answer: Hotspots): string {
  const all = answer.events[event];
  if (!all) return "";
  const events = all.estimated === null ? "" : `, about ${grouped(all.estimated)} events`;
  return `${printable(event)}: ${countOf(all.samples, "sample", "samples")}${events}`;
}

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
        {summaryText(event, answer)}
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
      {sort === "function" && route.params.row && <Chosen row={route.params.row} event={event} />}
    </>
  );
}

function Chosen({ row, event }: { row: string; event: string }) {
  const outcome = useAnswer<Flame>(requests.flame(useRecording(), event));
  const at = row.lastIndexOf("@");
  return (
    <section class="panel chosen" aria-label="Callers and callees">
      <Ready outcome={outcome}>
        {(answer) => <NeighboursOf answer={answer} name={row.slice(0, at)} dso={row.slice(at + 1)} />}
      </Ready>
    </section>
  );
}

function Graph({ event, as, search }: { event: string; as: string; search: string }) {
  const { route } = usePage();
  const change = useChange();
  const outcome = useAnswer<Flame>(requests.flame(useRecording(), event));
  const leavesFirst = route.params.from === "leaves";
  return (
    <>
      <p>
        <label>
          <input
            type="checkbox"
            checked={leavesFirst}
            onChange={(e) => change({ from: e.currentTarget.checked ? "leaves" : "", zoom: "" })}
          />{" "}
          begin with the functions that the samples are in, callers behind them
        </label>
      </p>
      <Ready outcome={outcome}>
        {(answer) => (
          <>
            {!answer.has_chains && <p class="quiet">Callers are unknown: record with -g.</p>}
            <FlameGraph answer={answer} upwards={as === "flame"} leavesFirst={leavesFirst} search={search} />
          </>
        )}
      </Ready>
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
  const as = shapes.find(([name]) => name === route.params.as)?.[0] ?? "table";
  return (
    <>
      <h1 class="visually-hidden">Hot spots</h1>
      <div class="toolbar" role="group" aria-label="What is shown">
        <Choice label="Rows by" value={sort} values={requests.hotspotSorts} onChange={(value) => change({ sort: value, row: "" })} />
        <Choice label="Event" value={event} values={names} onChange={(value) => change({ event: value, zoom: "" })} />
        <Choice label="As" value={as} values={shapes} onChange={(value) => change({ as: value, zoom: "" })} />
        <Search value={search} onChange={(value) => change({ search: value }, true)} />
      </div>
      <Ready outcome={outcome}>
        {(answer) =>
          answer.rows.length === 0 ? (
            <Nothing>Nothing was measured: the recording has no samples.</Nothing>
          ) : as !== "table" ? (
            <Graph event={event} as={as} search={search} />
          ) : (
            <Rows answer={answer} sort={sort} event={event} filter={search} />
          )
        }
      </Ready>
    </>
  );
}
