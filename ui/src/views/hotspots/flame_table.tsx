// SPDX-License-Identifier: MIT
// The boxes of the flame graph as a table.
import { useMemo, useState } from "preact/hooks";
import { Swatch } from "../../components/swatch";
import { Table, type Column } from "../../components/table";
import { grouped, percent, printable } from "../../format";
import type { Box } from "./tree";

function columnsOf(all: number): Column<Box>[] {
  return [
    {
      name: "function",
      title: "function",
      wide: true,
      value: (box) => box.node.function,
      cell: (box) => (
        <code>
          <Swatch name={box.node.function} />
          {printable(box.node.function)}
        </code>
      ),
    },
    { name: "dso", title: "dso", value: (box) => box.node.dso, cell: (box) => printable(box.node.dso) },
    { name: "depth", title: "depth", numeric: true, value: (box) => box.depth },
    {
      name: "share",
      title: "share",
      numeric: true,
      value: (box) => (all ? box.node.events / all : null),
      cell: (box) => percent(all ? box.node.events / all : null),
    },
    { name: "events", title: "events", numeric: true, value: (box) => box.node.events, cell: (box) => grouped(box.node.events) },
    { name: "self", title: "in itself", numeric: true, value: (box) => box.node.self_events, cell: (box) => grouped(box.node.self_events) },
  ];
}

export function FlameTable({ boxes, all, onZoom }: { boxes: Box[]; all: number; onZoom: (box: Box) => void }) {
  const [open, setOpen] = useState(false);
  const columns = useMemo(() => columnsOf(all), [all]);
  return (
    <details class="behind" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>The same as a table</summary>
      {open && (
        <Table
          label="Calls"
          columns={columns}
          rows={boxes}
          rowKey={(box) => box.path || "all"}
          order={{ column: "events", descending: true }}
          onSelect={onZoom}
        />
      )}
    </details>
  );
}
