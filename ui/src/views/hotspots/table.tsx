// SPDX-License-Identifier: MIT
import { useMemo } from "preact/hooks";
import { Swatch } from "../../components/swatch";
import { ShareCell } from "../../components/share";
import { Table, type Column } from "../../components/table";
import { grouped, printable } from "../../format";
import { keyOf, type HotspotRow, type Hotspots } from "../../schema";

export function keyOfRow(row: HotspotRow, sort: string): string {
  return `${keyOf(row, sort)}@${row.dso ?? ""}`;
}

function eventColumns(events: string[]): Column<HotspotRow>[] {
  return events.flatMap((event) => [
    {
      name: event,
      title: event,
      hint: "share of the event's samples, with half the width of its 95 % interval",
      numeric: true,
      value: (row: HotspotRow) => row.share[event]?.value ?? null,
      cell: (row: HotspotRow) => <ShareCell share={row.share[event]} />,
    },
    {
      name: `${event} samples`,
      title: "samples",
      numeric: true,
      value: (row: HotspotRow) => row.counts[event] ?? null,
      cell: (row: HotspotRow) => grouped(row.counts[event]),
    },
    {
      name: `${event} events`,
      title: "events",
      hint: "about so many events, as the samples' periods say",
      numeric: true,
      value: (row: HotspotRow) => row.estimated[event] ?? null,
      cell: (row: HotspotRow) => grouped(row.estimated[event]),
    },
  ]);
}

function nameColumns(sort: string, withDso: boolean): Column<HotspotRow>[] {
  const columns: Column<HotspotRow>[] = [
    {
      name: sort,
      title: sort,
      wide: true,
      value: (row) => keyOf(row, sort),
      cell: (row) => (
        <code title={printable(keyOf(row, sort))}>
          {sort === "function" && <Swatch name={keyOf(row, sort)} />}
          {printable(keyOf(row, sort)) || "-"}
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
      cell: (row) => printable(row.dso ?? "-"),
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
  const { answer, sort } = props;
  const columns = useMemo(() => {
    const withDso = answer.rows.some((row) => row.dso !== null);
    return [...nameColumns(sort, withDso), ...eventColumns(Object.keys(answer.events))];
  }, [answer, sort]);
  return (
    <Table
      label={`Hot spots by ${sort}`}
      columns={columns}
      rows={answer.rows}
      rowKey={(row) => keyOfRow(row, sort)}
      order={{ column: props.event, descending: true }}
      filter={props.filter}
      selected={props.selected}
      onSelect={props.onSelect}
      onOpen={props.onOpen}
      size={props.selected ? "half" : "tall"}
    />
  );
}
