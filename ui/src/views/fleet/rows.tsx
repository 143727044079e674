// SPDX-License-Identifier: MIT
// Rows of a store: what they are, their share, and how often with its interval.
import { useMemo } from "preact/hooks";
import { Swatch } from "../../components/swatch";
import { Table, type Column } from "../../components/table";
import { fileName, grouped, percent, shortName } from "../../format";
import type { FleetRow, FleetTable } from "./schema";
import { nameText, rateForm, rateText, releaseText, timeText } from "./words";

export function keyOfFleetRow(row: FleetRow): string {
  return row.keys.join("@");
}

const shown: Record<string, (text: string) => string> = { function: (text) => (text === "" ? nameText(text) : shortName(text)), release: releaseText, file: (text) => nameText(fileName(text)), line: (text) => (text === "0" ? "-" : text) };

export function keyColumns<Row extends { keys: string[] }>(names: string[]): Column<Row>[] {
  // What a person looks for first; the file of a line is with it.
  const order = names.includes("line") ? ["function", "file", "line", "module"] : names;
  return order.map((name, index) => {
    const at = names.indexOf(name);
    const text = shown[name] ?? nameText;
    return {
      name,
      title: name,
      wide: index === 0,
      minor: name === "module" && names.length > 1,
      numeric: name === "line",
      value: (row) => (name === "line" ? Number(row.keys[at] ?? 0) : (row.keys[at] ?? "")),
      cell: (row) => (
        <code title={nameText(row.keys[at] ?? "")}>
          {name === "function" && <Swatch name={row.keys[at] ?? ""} />}
          {text(row.keys[at] ?? "")}
        </code>
      ),
    };
  });
}

function columnsOf(table: FleetTable, brief: boolean): Column<FleetRow>[] {
  const form = rateForm(table);
  const [first, ...others] = keyColumns<FleetRow>(table.keys);
  const columns: Column<FleetRow>[] = [
    ...(first ? [first] : []),
    {
      name: "share",
      title: "share of events",
      numeric: true,
      value: (row) => row.share,
      cell: (row) => (
        <span class="share">
          <span class="share-bar" aria-hidden="true">
            <span class="share-fill" style={{ width: percent(row.share) }} />
          </span>
          <span class="share-short">{percent(row.share)}</span>
        </span>
      ),
    },
    { name: "rate", title: form.title, hint: "with the upper half of its 95 % interval", numeric: true, value: (row) => row.rate?.value ?? null, cell: (row) => rateText(row.rate, form) },
    ...others,
  ];
  if (brief) return columns;
  return [
    ...columns,
    { name: "samples", title: "samples", numeric: true, minor: true, value: (row) => row.samples, cell: (row) => grouped(row.samples) },
    { name: "first", title: "first met", minor: true, value: (row) => row.first_s, cell: (row) => timeText(row.first_s) },
    { name: "last", title: "last met", minor: true, value: (row) => row.last_s, cell: (row) => timeText(row.last_s) },
  ];
}

interface Props {
  label: string;
  table: FleetTable;
  brief?: boolean;
  filter?: string;
  selected?: string;
  size?: "tall" | "half";
  onSelect?: (row: FleetRow) => void;
  onOpen?: (row: FleetRow) => void;
}

export function FleetRows({ label, table, brief = false, ...rest }: Props) {
  const columns = useMemo(() => columnsOf(table, brief), [table, brief]);
  return <Table label={label} columns={columns} rows={table.rows} rowKey={keyOfFleetRow} order={{ column: "share", descending: true }} {...rest} />;
}
