// SPDX-License-Identifier: MIT
// Who held the last-level cache, below the lanes and over the same time; and who suffered from whom.
import { Canvas } from "../../components/canvas";
import { Table, type Column } from "../../components/table";
import { Ready } from "../../components/states";
import { useAnswer, usePage, useRecording } from "../../context";
import { bytesText, durationText, number, percent, printable } from "../../format";
import * as requests from "../../requests";
import type { Contention, Held, Occupancy } from "./schema";
import * as draw from "./draw";

const columns: Column<Held>[] = [
  { name: "name", title: "program", wide: true, value: (row) => row.name, cell: (row) => printable(row.name) },
  { name: "mean", title: "held in the mean", numeric: true, value: (row) => row.mean_bytes, cell: (row) => bytesText(row.mean_bytes) },
  { name: "most", title: "most", numeric: true, value: (row) => row.most_bytes, cell: (row) => bytesText(row.most_bytes) },
  { name: "when", title: "most at", numeric: true, value: (row) => row.most_at_ns, cell: (row) => durationText(row.most_at_ns) },
  {
    name: "rate",
    title: "fetched a second",
    numeric: true,
    value: (row) => row.mean_bytes_per_s,
    cell: (row) => bytesText(row.mean_bytes_per_s),
  },
];

function contentionText(found: Contention): string {
  const split = found.split
    ? ` Dividing the cache would help: ways ${found.split.victim_ways} (hexadecimal) to it, ${found.split.neighbour_ways} to the other.`
    : "";
  return printable(
    `${found.victim} suffers from ${found.neighbour}: ${number(found.ratio.value)} times as much ${found.event} ` +
      `[${number(found.ratio.low)} to ${number(found.ratio.high)}] while that holds ${percent(found.neighbour_share)} of the cache; ` +
      `it then holds ${percent(found.victim_share_then)}, else ${percent(found.victim_share_else)}. ` +
      `Longest from ${durationText(found.longest_begin_ns)} to ${durationText(found.longest_end_ns)}` +
      (found.function ? `; most in ${found.function}.` : ".") +
      split,
  );
}

interface Props {
  width: number;
  left: number;
  area: draw.Area;
}

export function HeldLanes(props: Props) {
  const outcome = useAnswer<Occupancy>(requests.occupancy(useRecording()));
  return <Ready outcome={outcome}>{(answer) => <Shown occupancy={answer} {...props} />}</Ready>;
}

function Shown({ occupancy, width, left, area }: Props & { occupancy: Occupancy }) {
  const { theme } = usePage();
  const height = occupancy.held.length * draw.heldHeight;
  return (
    <section class="below" aria-labelledby="held-title">
      <h2 id="held-title">
        Who held the last-level cache{occupancy.is_modelled ? " (modelled)" : ""}, of {bytesText(occupancy.cache_bytes)}
      </h2>
      <div class="graph">
        <Canvas
          width={width}
          height={height + draw.axisHeight}
          draw={(context) => {
            draw.paintHeld(context, occupancy, area, theme);
            draw.paintNames(context, occupancy.held.map((each) => each.name), 0, draw.heldHeight, left, theme);
            draw.paintAxis(context, 0, height, height + draw.axisHeight / 2, area, theme);
          }}
        />
      </div>
      <Table label="Who held the cache" columns={columns} rows={occupancy.held} rowKey={(row) => row.name} order={{ column: "mean", descending: true }} />
      <ul class="trust">
        {occupancy.contentions.map((found, index) => (
          <li key={index}>{contentionText(found)}</li>
        ))}
      </ul>
    </section>
  );
}
