// SPDX-License-Identifier: MIT
// Who calls the chosen function, and whom it calls.
import { useMemo } from "preact/hooks";
import { Swatch } from "../../components/swatch";
import { Table, type Column } from "../../components/table";
import { usePage } from "../../context";
import { countOf, grouped, percent, printable } from "../../format";
import { linkFrom } from "../../router";
import type { Flame } from "../../schema";
import { neighboursOf, type Neighbour } from "./tree";

function columnsOf(all: number, link: (row: Neighbour) => string): Column<Neighbour>[] {
  return [
    {
      name: "function",
      title: "function",
      wide: true,
      value: (row) => row.function,
      cell: (row) => (
        <a href={link(row)}>
          <code>
            <Swatch name={row.function} />
            {printable(row.function)}
          </code>
        </a>
      ),
    },
    { name: "dso", title: "dso", value: (row) => row.dso, cell: (row) => printable(row.dso) },
    { name: "share", title: "share", numeric: true, value: (row) => row.events, cell: (row) => percent(all ? row.events / all : null) },
    { name: "events", title: "events", numeric: true, value: (row) => row.events, cell: (row) => grouped(row.events) },
  ];
}

export function NeighboursOf({ answer, name, dso }: { answer: Flame; name: string; dso: string }) {
  const { route } = usePage();
  const found = useMemo(() => neighboursOf(answer.root, name, dso || null), [answer, name, dso]);
  const link = (row: Neighbour): string =>
    linkFrom(route, "hotspots", { row: `${row.function}@${row.dso}`, sort: "function" });
  const columns = columnsOf(found.events, link);
  const order = { column: "events", descending: true };
  const rowKey = (row: Neighbour): string => `${row.function}@${row.dso}`;
  if (!answer.has_chains) return <p class="state">Callers are unknown: record with -g.</p>;
  return (
    <>
      <h2>
        <code>{printable(name)}</code>: {countOf(found.events, "event", "events")} of {printable(answer.event)} with what it
        calls, {grouped(found.self)} in itself
      </h2>
      <p class="links">
        <a href={linkFrom(route, "source", { function: name, dso })}>Source</a>
        <a href={linkFrom(route, "why", { search: name })}>Why</a>
      </p>
      <div class="pair">
        <section aria-labelledby="callers-title">
          <h3 id="callers-title">Called by</h3>
          <Table label="Callers" columns={columns} rows={found.callers} rowKey={rowKey} order={order} empty="No caller is known: it is the first function of its thread, or its callers were not recorded." />
        </section>
        <section aria-labelledby="callees-title">
          <h3 id="callees-title">Calls</h3>
          <Table label="Callees" columns={columns} rows={found.callees} rowKey={rowKey} order={order} empty="No sample is in a function that it calls." />
        </section>
      </div>
    </>
  );
}
