// SPDX-License-Identifier: MIT
// The sums behind the time line: functions, lanes, episodes.
import { Swatch } from "../../components/swatch";
import { Table, type Column } from "../../components/table";
import { useChange, usePage } from "../../context";
import { grouped, number, axisRateText, percent, printable, axisText } from "../../format";
import { linkFrom } from "../../router";
import type { TimeUnit } from "../../schema";
import type { Episode, Lane, Timeline, Unusual } from "./schema";

type Ran = Timeline["functions"][number];

function unusualText(each: Unusual, unit: TimeUnit): string {
  if ("event" in each) return `${each.event} ${axisRateText(each.per_billion, unit)}, else ${axisRateText(each.usual_per_billion, unit)}`;
  return `${each.function} ${percent(each.share)} of the time, else ${percent(each.usual_share)}`;
}

function unusualTexts(episode: Episode, unit: TimeUnit): string {
  return episode.unusual.map((each) => unusualText(each, unit)).join("; ");
}

const ranColumn = (unit: TimeUnit): Column<Ran> => ({
  name: "ran",
  title: "ran",
  numeric: true,
  value: (each) => each.ran,
  cell: (each) => axisText(each.ran, unit),
});

const laneColumns = (unit: TimeUnit): Column<Lane>[] => [
  { name: "lane", title: "lane", wide: true, value: (lane) => lane.name, cell: (lane) => printable(lane.name) },
  { name: "ran", title: "ran", numeric: true, value: (lane) => lane.ran, cell: (lane) => axisText(lane.ran, unit) },
  { name: "idle", title: "idle", numeric: true, value: (lane) => lane.idle, cell: (lane) => axisText(lane.idle, unit) },
];

const episodeColumns = (unit: TimeUnit): Column<Episode>[] => [
  { name: "begin", title: "from", numeric: true, value: (each) => each.begin_at, cell: (each) => axisText(each.begin_at, unit) },
  { name: "length", title: "for", numeric: true, value: (each) => each.end_at - each.begin_at, cell: (each) => axisText(each.end_at - each.begin_at, unit) },
  { name: "unusual", title: "what was unusual", wide: true, value: (each) => unusualTexts(each, unit), cell: (each) => printable(unusualTexts(each, unit)) },
  { name: "lanes", title: "lanes", value: (each) => each.lanes.join(", "), cell: (each) => printable(each.lanes.join(", ")) },
  { name: "chance", title: "by chance", hint: "probability that such an episode occurs by chance", numeric: true, value: (each) => each.chance, cell: (each) => number(each.chance) },
];

export function TimelineTables({ whole }: { whole: Timeline }) {
  const { route } = usePage();
  const change = useChange();
  const all = whole.others + whole.functions.reduce((sum, each) => sum + each.ran, 0);
  const functionColumns: Column<Ran>[] = [
    {
      name: "function",
      title: "function",
      wide: true,
      value: (each) => each.function,
      cell: (each) => (
        <a href={linkFrom(route, "source", { function: each.function, dso: each.dso })}>
          <code>
            <Swatch name={each.function} />
            {printable(each.function)}
          </code>
        </a>
      ),
    },
    { name: "dso", title: "dso", value: (each) => each.dso, cell: (each) => printable(each.dso) || "-" },
    ...(whole.counts_time ? [ranColumn(whole.unit)] : []),
    { name: "share", title: "share", numeric: true, value: (each) => each.ran, cell: (each) => percent(all ? each.ran / all : null) },
  ];
  const byTime = { column: whole.counts_time ? "ran" : "share", descending: true };
  return (
    <>
      {whole.episodes.length > 0 && (
        <section class="below" aria-labelledby="episodes-title">
          <h2 id="episodes-title">Episodes, unlike the rest of the run</h2>
          <Table
            label="Episodes"
            columns={episodeColumns(whole.unit)}
            rows={whole.episodes}
            rowKey={(each) => String(each.begin_at)}
            order={{ column: "begin", descending: false }}
            onSelect={(each) => {
              const room = (each.end_at - each.begin_at) / 2;
              change({ from: String(Math.round(Math.max(0, each.begin_at - room))), to: String(Math.round(each.end_at + room)) });
            }}
          />
        </section>
      )}
      <div class="pair below">
        <section aria-labelledby="functions-title">
          <h2 id="functions-title">Functions, in the whole run</h2>
          <Table label="Functions over the whole run" columns={functionColumns} rows={whole.functions} rowKey={(each) => `${each.function}@${each.dso}`} order={byTime} />
          <p class="quiet">
            {whole.counts_time
              ? `All others: ${axisText(whole.others, whole.unit)}.`
              : `${printable(whole.event)} is no clock: shares are of its samples' distances in time, not of CPU time.`}
          </p>
        </section>
        <section aria-labelledby="lanes-title">
          <h2 id="lanes-title">
            Lanes{whole.all_lanes > whole.lanes.length ? `: ${whole.lanes.length} of ${grouped(whole.all_lanes)}, with the most time` : ""}
          </h2>
          <Table
            label="Time of each lane"
            columns={whole.counts_time ? laneColumns(whole.unit) : laneColumns(whole.unit).slice(0, 1)}
            rows={whole.lanes}
            rowKey={(each) => each.name}
            order={whole.counts_time ? byTime : { column: "lane", descending: false }}
          />
        </section>
      </div>
    </>
  );
}
