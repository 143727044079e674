// SPDX-License-Identifier: MIT
// A table that is sorted by clicks on its heads, filtered, and walked through with the keyboard.
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { filtered, sorted, type Order, type Value } from "./sort";

export interface Column<Row> {
  name: string;
  title: string;
  hint?: string;
  numeric?: boolean;
  wide?: boolean;
  // Left out where the page is narrow.
  minor?: boolean;
  value: (row: Row) => Value;
  cell?: (row: Row) => ComponentChildren;
}

export interface TableProps<Row> {
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  // Of no column: as the rows are given.
  order: Order;
  filter?: string;
  selected?: string;
  onSelect?: (row: Row) => void;
  onOpen?: (row: Row) => void;
  empty?: ComponentChildren;
  // How high it may grow before it scrolls.
  size?: "tall" | "half";
}

const rowsAtOnce = 200;

// Focuses the next row of the table that has the focus, or else of the first one.
export function stepRow(step: 1 | -1): void {
  const focused = document.activeElement?.closest("tr[data-row]");
  const table = focused?.closest("table") ?? document.querySelector("main table[data-steps]");
  const rows = [...(table?.querySelectorAll<HTMLElement>("tr[data-row]") ?? [])];
  const place = focused ? rows.indexOf(focused as HTMLElement) + step : rows.findIndex((row) => row.tabIndex === 0);
  rows[Math.min(rows.length - 1, Math.max(0, place))]?.focus();
}

function classOf<Row>(column: Column<Row>): string | undefined {
  const classes = [column.numeric && "numeric", column.wide && "wide", column.minor && "minor"].filter(Boolean);
  return classes.length > 0 ? classes.join(" ") : undefined;
}

function Head<Row>({ column, order, onSort }: { column: Column<Row>; order: Order; onSort: () => void }) {
  const isOrder = order.column === column.name;
  return (
    <th
      scope="col"
      class={classOf(column)}
      aria-sort={isOrder ? (order.descending ? "descending" : "ascending") : undefined}
    >
      <button type="button" onClick={onSort} title={column.hint}>
        {column.title}
        <span class="sort-mark" aria-hidden="true">
          {isOrder ? (order.descending ? "▾" : "▴") : ""}
        </span>
      </button>
    </th>
  );
}

// Rows of one name, as of functions that are in two files, get a number behind it.
function uniqueKeys<Row>(rows: Row[], rowKey: (row: Row) => string): Map<Row, string> {
  const times = new Map<string, number>();
  const keys = new Map<Row, string>();
  for (const row of rows) {
    const key = rowKey(row);
    const before = times.get(key) ?? 0;
    times.set(key, before + 1);
    keys.set(row, before === 0 ? key : `${key}#${before + 1}`);
  }
  return keys;
}

export function Table<Row>(props: TableProps<Row>) {
  const { columns, rows, filter = "" } = props;
  const keys = useMemo(() => uniqueKeys(rows, props.rowKey), [rows]);
  const rowKey = (row: Row): string => keys.get(row) ?? "";
  const [order, setOrder] = useState(props.order);
  const [most, setMost] = useState(rowsAtOnce);
  useEffect(() => setOrder(props.order), [props.order.column, props.order.descending]);
  const shown = useMemo(() => {
    const text = (row: Row): string => columns.map((column) => column.value(row) ?? "").join(" ");
    const column = columns.find((each) => each.name === order.column);
    const kept = filtered(rows, filter, text);
    return column ? sorted(kept, column.value, order.descending) : kept;
  }, [rows, columns, filter, order]);
  const sortBy = (column: Column<Row>): void => {
    const again = order.column === column.name;
    setOrder({ column: column.name, descending: again ? !order.descending : column.numeric === true });
  };
  const first = shown[0];
  const reachable = shown.some((row) => rowKey(row) === props.selected)
    ? props.selected
    : first !== undefined ? rowKey(first) : undefined;
  const acts = props.onSelect !== undefined || props.onOpen !== undefined;

  const pressed = (event: KeyboardEvent, row: Row): void => {
    if (event.target !== event.currentTarget) return;
    if (event.key === "ArrowDown") stepRow(1);
    else if (event.key === "ArrowUp") stepRow(-1);
    else if (event.key === " " && props.onSelect) props.onSelect(row);
    else if (event.key === "Enter" && acts) (props.onOpen ?? props.onSelect)?.(row);
    else return;
    event.preventDefault();
  };

  return (
    <div class={`table-frame ${props.size ?? ""}`} role="region" aria-label={props.label} tabIndex={0}>
      <table class="table" data-steps={acts ? "" : undefined}>
        <caption class="visually-hidden">{props.label}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.name} column={column} order={order} onSort={() => sortBy(column)} />
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.slice(0, most).map((row) => (
            <tr
              key={rowKey(row)}
              data-row={acts ? "" : undefined}
              tabIndex={!acts ? undefined : rowKey(row) === reachable ? 0 : -1}
              aria-current={props.selected === rowKey(row) ? "true" : undefined}
              onClick={acts ? () => (props.onSelect ?? props.onOpen)?.(row) : undefined}
              onDblClick={props.onOpen ? () => props.onOpen?.(row) : undefined}
              onKeyDown={acts ? (event) => pressed(event, row) : undefined}
            >
              {columns.map((column) => (
                <td key={column.name} class={classOf(column)}>
                  {column.cell ? column.cell(row) : (column.value(row) ?? "-")}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length === 0 && <p class="state">{filter ? "No row has these words." : (props.empty ?? "No rows.")}</p>}
      {shown.length > most && (
        <button type="button" class="more" onClick={() => setMost(most + 1000)}>
          {shown.length - most} more rows
        </button>
      )}
    </div>
  );
}
