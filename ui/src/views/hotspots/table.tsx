// SPDX-License-Identifier: MIT
import { useMemo } from "preact/hooks";
import { Swatch } from "../../components/swatch";
import { fullShare, ShareCell } from "../../components/share";
import { Table, type Column } from "../../components/table";
import { grouped, printable } from "../../format";
import { keyOf, type HotspotRow, type Hotspots, type Share } from "../../schema";

export function keyOfRow(row: HotspotRow, sort: string): string {
  return `${keyOf(row, sort)}@${row.dso ?? ""}${row.file ? `@${row.file}` : ""}`;
}

function nameOfRow(row: HotspotRow, sort: string): string {
  const name = printable(keyOf(row, sort)) || "-";
  return row.file ? `${name} (${printable(row.file.replace(/.*\//, ""))})` : name;
}

function shareColumn(name: string, title: string, hint: string, rows: HotspotRow[], shareOf: (row: HotspotRow) => Share | null | undefined): Column<HotspotRow> {
  const full = fullShare(rows.map(shareOf));
  return {
    name,
    title,
    hint: `${hint}, with half the width of its 95 % interval; a full bar is the largest row`,
    numeric: true,
    value: (row) => shareOf(row)?.value ?? null,
    cell: (row) => <ShareCell share={shareOf(row)} full={full} />,
  };
}

const shareOrder = { column: "share", descending: true };

// Columns of one event. The inclusive ones are absent if the rows have no inclusive counts.
export function eventColumns(event: string, rows: HotspotRow[]): Column<HotspotRow>[] {
  const hasInclusive = rows.some((row) => row.inclusive_share?.[event]);
  return [
    shareColumn("share", "share", `share of the samples of ${event}`, rows, (row) => row.share[event]),
    ...(hasInclusive
      ? [shareColumn("inclusive", "with callees", `share of the samples of ${event} with the function anywhere in the call chain`, rows, (row) => row.inclusive_share?.[event])]
      : []),
    {
      name: "samples",
      title: "samples",
      hint: `samples of ${event} in the row itself`,
      numeric: true,
      value: (row) => row.counts[event] ?? null,
      cell: (row) => grouped(row.counts[event]),
    },
    {
      name: "events",
      title: "events",
      hint: `estimated number of ${event}: the sum of the samples' periods`,
      numeric: true,
      minor: true,
      value: (row) => row.estimated[event] ?? null,
      cell: (row) => grouped(row.estimated[event]),
    },
  ];
}

function nameColumns(sort: string, withDso: boolean): Column<HotspotRow>[] {
  const columns: Column<HotspotRow>[] = [
    {
      name: sort,
      title: sort,
      wide: true,
      value: (row) => keyOf(row, sort),
      cell: (row) => (
        <code title={nameOfRow(row, sort)}>
          {sort === "function" && <Swatch name={keyOf(row, sort)} />}
          {nameOfRow(row, sort)}
        </code>
      ),
    },
  ];
  if (withDso) {
    columns.push({
      name: "dso",
      title: "dso",
      hint: "the program or library",
      minor: true,
      value: (row) => row.dso,
      cell: (row) => (row.dso === null ? <span class="quiet">several</span> : printable(row.dso)),
    });
  }
  return columns;
}

interface Props {
  answer: Hotspots;
  sort: string;
  event: string;
  filter: string;
  selected: string | undefined;
  onSelect?: (row: HotspotRow) => void;
  onOpen?: (row: HotspotRow) => void;
}

export function HotspotTable(props: Props) {
  const { answer, sort, event } = props;
  const columns = useMemo(() => {
    const withDso = answer.rows.some((row) => row.dso !== null);
    const [name, ...others] = nameColumns(sort, withDso);
    return [...(name ? [name] : []), ...eventColumns(event, answer.rows), ...others];
  }, [answer, sort, event]);
  return (
    <Table
      label={`Hot spots by ${sort}`}
      columns={columns}
      rows={answer.rows}
      rowKey={(row) => keyOfRow(row, sort)}
      order={shareOrder}
      filter={props.filter}
      selected={props.selected}
      onSelect={props.onSelect}
      onOpen={props.onOpen}
      size={props.selected ? "half" : "tall"}
    />
  );
}
