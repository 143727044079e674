// SPDX-License-Identifier: MIT
// The samples of each shown event beside a line or an instruction.
import { grouped, percent, printable, shareText } from "../../format";
import type { Counts } from "../../schema";
import { largestShare } from "./listing";

// An event with its largest share of all rows, to which its bars are scaled.
export interface MarginColumn {
  event: string;
  largest: number;
}

export function marginColumns(events: string[], rows: Counts[]): MarginColumn[] {
  return events.map((event) => ({ event, largest: largestShare(rows, event) }));
}

// A single column stays visible while the code is scrolled to the side.
const pinned = (columns: MarginColumn[]): string => (columns.length === 1 ? " pinned" : "");

export function MarginHeads({ columns }: { columns: MarginColumn[] }) {
  return (
    <>
      {columns.map(({ event }) => (
        <th key={event} scope="col" class={`numeric margin-head${pinned(columns)}`}>
          <span title={printable(event)}>{columns.length === 1 ? "samples" : printable(event)}</span>
        </th>
      ))}
    </>
  );
}

// Blank if there could be samples but there are none, which is true for most lines.
export function MarginCells({ row, columns }: { row: Counts; columns: MarginColumn[] }) {
  return (
    <>
      {columns.map(({ event, largest }) => {
        const share = row.share[event];
        const samples = row.counts[event] ?? 0;
        const name = `numeric margin${pinned(columns)}`;
        if (!share) return <td key={event} class={name}>-</td>;
        if (samples === 0) return <td key={event} class={name} />;
        const text = `${shareText(share)} of the function's samples of ${event}: ${grouped(samples)}`;
        return (
          <td key={event} class={name} title={printable(text)}>
            <span class="margin-fill" aria-hidden="true" style={{ width: `${((share.value / largest) * 100).toFixed(1)}%` }} />
            <span class="margin-text">
              <span class="margin-samples">{grouped(samples)}</span> {percent(share.value)}
            </span>
          </td>
        );
      })}
    </>
  );
}
