// SPDX-License-Identifier: MIT
// What of one event grew where.
import { useMemo } from "preact/hooks";
import { Swatch } from "../../components/swatch";
import { Table, type Column } from "../../components/table";
import { printable } from "../../format";
import { keyOf, type Diff, type DiffRow } from "../../schema";
import { ChangeBar, changeText, estimateText, intervalText, mostOf, sureText } from "./change";

export function keyOfDiffRow(row: DiffRow, columns: string[]): string {
  return columns.map((name) => keyOf(row, name)).join("@");
}

function columnsOf(names: string[], most: number): Column<DiffRow>[] {
  return [
    ...names.map((name, index): Column<DiffRow> => ({
      name,
      title: name,
      wide: index === 0,
      minor: index > 0,
      value: (row) => keyOf(row, name),
      cell: (row) => (
        <code>
          {name === "function" && <Swatch name={keyOf(row, name)} />}
          {printable(keyOf(row, name)) || "-"}
        </code>
      ),
    })),
    { name: "before", title: "before", numeric: true, value: (row) => row.before.value, cell: (row) => estimateText(row.before.value, row.before.low, row.before.high) },
    { name: "after", title: "after", numeric: true, value: (row) => row.after.value, cell: (row) => estimateText(row.after.value, row.after.low, row.after.high) },
    { name: "change", title: "change", numeric: true, value: (row) => row.change, cell: (row) => changeText(row) },
    { name: "bar", title: "fewer / more", value: (row) => row.change, cell: (row) => <ChangeBar change={row} most={most} /> },
    { name: "interval", title: "95 % interval", numeric: true, value: (row) => row.interval?.low ?? null, cell: (row) => intervalText(row) },
    { name: "sure", title: "how sure", value: (row) => sureText(row) },
  ];
}

interface Props {
  diff: Diff;
  event: string;
  filter: string;
  sureOnly: boolean;
  selected: string | undefined;
  onSelect: (row: DiffRow) => void;
}

export function RowsOf({ diff, event, filter, sureOnly, selected, onSelect }: Props) {
  const all = diff.rows[event]?.rows ?? [];
  const rows = useMemo(() => (sureOnly ? all.filter((row) => row.significant) : all), [all, sureOnly]);
  const columns = useMemo(() => columnsOf(diff.columns, mostOf(rows)), [diff, rows]);
  return (
    <Table
      label={`Changes of ${event}`}
      columns={columns}
      rows={rows}
      rowKey={(row) => keyOfDiffRow(row, diff.columns)}
      order={{ column: "change", descending: true }}
      filter={filter}
      selected={selected}
      onSelect={onSelect}
      size="half"
      empty={sureOnly ? "Nothing changed beyond noise." : "No row has samples."}
    />
  );
}
