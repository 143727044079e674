// SPDX-License-Identifier: MIT
// The samples of each event beside a line or an instruction.
import { grouped, percent, printable, shareText } from "../../format";
import type { Counts } from "../../schema";

export function MarginHeads({ events }: { events: string[] }) {
  return (
    <>
      {events.map((event) => (
        <th key={event} scope="col" class="numeric">
          <span>{printable(event)}</span>
        </th>
      ))}
    </>
  );
}

// Blank where samples could be but none is, as most lines have none.
export function MarginCells({ row, events }: { row: Counts; events: string[] }) {
  return (
    <>
      {events.map((event) => {
        const share = row.share[event];
        const samples = row.counts[event] ?? 0;
        if (!share) return <td key={event} class="numeric margin">-</td>;
        if (samples === 0) return <td key={event} class="numeric margin" />;
        const told = `${shareText(share)} of the function's samples of ${event}: ${grouped(samples)}`;
        return (
          <td key={event} class="numeric margin" title={printable(told)}>
            <span class="margin-fill" aria-hidden="true" style={{ width: `${(share.value * 100).toFixed(1)}%` }} />
            <span class="margin-text">
              <span class="quiet">{grouped(samples)}</span> {percent(share.value)}
            </span>
          </td>
        );
      })}
    </>
  );
}
