// SPDX-License-Identifier: MIT
// What each event grew in all.
import { Table, type Column } from "../../components/table";
import { countOf, grouped, printable } from "../../format";
import type { Diff, DiffTotal } from "../../schema";
import { ChangeBar, changeText, intervalText, sureText } from "./change";

interface Row extends DiffTotal {
  event: string;
}

// Events differ a thousandfold, so bars show the relative change, up to a doubling.
function relativeChange(row: Row): { change: number | null } & Pick<Row, "interval" | "exact" | "significant" | "relative"> {
  return { change: row.relative, relative: row.relative, interval: null, exact: row.exact, significant: row.significant };
}

const columns: Column<Row>[] = [
  { name: "event", title: "event", wide: true, value: (row) => row.event, cell: (row) => printable(row.event) },
  { name: "before", title: "before", numeric: true, value: (row) => row.before, cell: (row) => grouped(row.before) },
  { name: "after", title: "after", numeric: true, value: (row) => row.after, cell: (row) => grouped(row.after) },
  { name: "change", title: "change", numeric: true, value: (row) => row.change, cell: (row) => changeText(row) },
  {
    name: "relative",
    title: "relative",
    hint: "to the left: fewer; to the right: more; a full bar is a doubling or more",
    value: (row) => row.relative,
    cell: (row) => <ChangeBar change={relativeChange(row)} most={1} />,
  },
  { name: "interval", title: "95 % interval", numeric: true, value: (row) => row.interval?.low ?? null, cell: (row) => intervalText(row) },
  { name: "sure", title: "how sure", value: (row) => sureText(row) },
];

interface Props {
  diff: Diff;
  event: string;
  onEvent: (event: string) => void;
}

// The sampled events stand in the order in which they were requested, the chosen one first.
function sampledRows(diff: Diff, event: string): Row[] {
  const names = Object.keys(diff.rows).filter((name) => diff.totals[name]);
  const inOrder = [...names.filter((name) => name === event), ...names.filter((name) => name !== event)];
  return inOrder.flatMap((name) => (diff.totals[name] ? [{ event: name, ...diff.totals[name] }] : []));
}

export function TotalsOf({ diff, event, onEvent }: Props) {
  const sampled = sampledRows(diff, event);
  const others = Object.entries(diff.totals)
    .filter(([name]) => !diff.rows[name])
    .map(([name, total]) => ({ event: name, ...total }));
  return (
    <>
      <Table
        label="Totals before and after"
        columns={columns}
        rows={sampled}
        rowKey={(row) => row.event}
        order={{ column: "", descending: false }}
        selected={event}
        onSelect={(row) => onEvent(row.event)}
        empty="No event was sampled in both."
      />
      {others.length > 0 && (
        <details class="behind" open={sampled.length === 0}>
          <summary>{countOf(others.length, "other event was counted", "other events were counted")}</summary>
          <Table
            label="Other totals before and after"
            columns={columns}
            rows={others}
            rowKey={(row) => row.event}
            order={{ column: "event", descending: false }}
            size="half"
          />
        </details>
      )}
    </>
  );
}
