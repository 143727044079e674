// SPDX-License-Identifier: MIT
// The order of a table's rows.

export type Value = number | string | null;

export interface Order {
  column: string;
  descending: boolean;
}

function compare(a: Value, b: Value): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), "en", { numeric: true });
}

// What is not known comes last, whichever way is sorted; equal rows keep their order.
export function sorted<Row>(rows: Row[], value: (row: Row) => Value, descending: boolean): Row[] {
  const sign = descending ? -1 : 1;
  return rows
    .map((row, index) => ({ row, index, key: value(row) }))
    .sort((a, b) => {
      if (a.key === null || b.key === null) {
        if (a.key === b.key) return a.index - b.index;
        return a.key === null ? 1 : -1;
      }
      return sign * compare(a.key, b.key) || a.index - b.index;
    })
    .map((each) => each.row);
}

// Rows in whose text every word of `filter` is.
export function filtered<Row>(rows: Row[], filter: string, text: (row: Row) => string): Row[] {
  const words = filter.toLowerCase().split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const held = text(row).toLowerCase();
    return words.every((word) => held.includes(word));
  });
}
