// SPDX-License-Identifier: MIT
import { Table, type Column } from "../../components/table";
import { useCaches } from "../../caches";
import { usePage } from "../../context";
import { bytesText, commandText, countOf, durationText, grouped, number, pmuText, printable } from "../../format";
import { linkFrom } from "../../router";
import type { EventTotal, Totals } from "../../schema";

interface Row extends EventTotal {
  name: string;
}

// What an event has in all, with how it is known.
function totalText(row: Row): string {
  if (row.best !== null) return (row.exact ? "" : "about ") + grouped(row.best);
  return row.fewer_than === null ? "-" : `fewer than ${grouped(row.fewer_than)}`;
}

function columns(link: (event: string) => string): Column<Row>[] {
  return [
    {
      name: "event",
      title: "event",
      wide: true,
      value: (row) => row.name,
      cell: (row) => (row.samples > 0 ? <a href={link(row.name)}>{printable(row.name)}</a> : printable(row.name)),
    },
    { name: "samples", title: "samples", numeric: true, value: (row) => row.samples, cell: (row) => grouped(row.samples) },
    {
      name: "total",
      title: "total",
      numeric: true,
      hint: "exact count, or an estimate if only samples are known",
      value: (row) => row.best,
      cell: totalText,
    },
    {
      name: "kinst",
      title: "per 1000 instructions",
      numeric: true,
      value: (row) => row.per_thousand_instructions,
      cell: (row) => number(row.per_thousand_instructions),
    },
    {
      name: "second",
      title: "per second",
      numeric: true,
      value: (row) => row.per_second,
      cell: (row) => number(row.per_second),
    },
  ];
}

function useMachine(): string {
  const caches = useCaches();
  if (caches.length === 0) return "its caches were not recorded";
  return caches.map((each) => `${each.name} ${bytesText(each.bytes)} ${each.ways}-way`).join(", ");
}

export function Measured({ totals }: { totals: Totals }) {
  const { route } = usePage();
  const machine = useMachine();
  const rows = Object.entries(totals.events).map(([name, total]) => ({ name, ...total }));
  const counted = rows.filter((row) => row.samples === 0);
  const table = columns((event) => linkFrom(route, "hotspots", { event }));
  return (
    <>
      <dl class="facts">
        <dt>Measured by</dt>
        <dd>{pmuText(totals.recording.pmu)}</dd>
        <dt>Machine</dt>
        <dd>{machine}</dd>
        <dt>Command</dt>
        <dd>
          {totals.recording.command.length ? <code>{commandText(totals.recording.command)}</code> : "not recorded"}
        </dd>
        <dt>Time</dt>
        <dd>{totals.elapsed_ns === null ? "the samples have no times" : durationText(totals.elapsed_ns)}</dd>
        <dt>Threads</dt>
        <dd>{totals.threads.length === 0 ? "none was recorded" : grouped(totals.threads.length)}</dd>
      </dl>
      <Table
        label="Sampled events"
        columns={table}
        rows={rows.filter((row) => row.samples > 0)}
        rowKey={(row) => row.name}
        order={{ column: "samples", descending: true }}
        empty="Nothing was sampled."
      />
      {counted.length > 0 && (
        <details class="behind">
          <summary>{countOf(counted.length, "other event was counted", "other events were counted")}</summary>
          <Table
            label="Counted events"
            columns={table.filter((column) => column.name !== "samples")}
            rows={counted}
            rowKey={(row) => row.name}
            order={{ column: "total", descending: true }}
          />
        </details>
      )}
    </>
  );
}
