// SPDX-License-Identifier: MIT
// A change as a bar to the left or the right, with its interval, and how sure it is.
import { grouped, signed, signedPercent } from "../../format";
import type { Change } from "../../schema";

export function ChangeBar({ change, most }: { change: Change; most: number }) {
  const place = (value: number): number => 50 + (Math.max(-most, Math.min(most, value)) / Math.max(1e-9, most)) * 50;
  const end = change.change === null ? 50 : place(change.change);
  const interval = change.exact ? null : change.interval;
  const grew = (change.change ?? 0) > 0;
  return (
    <span class="change-bar" aria-hidden="true">
      <span
        class={grew ? "change-fill grew" : "change-fill shrank"}
        style={{ left: `${Math.min(50, end)}%`, width: `${Math.abs(end - 50)}%` }}
      />
      {interval && (
        <span
          class="share-interval"
          style={{ left: `${place(interval.low)}%`, width: `${Math.max(0, place(interval.high) - place(interval.low))}%` }}
        />
      )}
    </span>
  );
}

export function changeText(change: Change): string {
  const relative = change.relative === null ? "" : ` (${signedPercent(change.relative)})`;
  return `${signed(change.change)}${relative}`;
}

export function intervalText(change: Change): string {
  if (change.exact) return "exact";
  if (!change.interval) return "-";
  return `[${signed(change.interval.low)} .. ${signed(change.interval.high)}]`;
}

export function sureText(change: Change): string {
  if (change.change === 0) return "the same";
  if (change.exact) return "counted";
  return change.significant ? "sure" : "may be chance";
}

// "1,234", or the limits where only these are known.
export function estimateText(value: number | null, low: number, high: number): string {
  if (value !== null) return grouped(value);
  return high > 0 ? `${grouped(low)} to ${grouped(high)}` : "-";
}

export function mostOf(changes: Change[]): number {
  return Math.max(
    1e-9,
    ...changes.flatMap((each) => [each.change ?? 0, each.interval?.low ?? 0, each.interval?.high ?? 0].map(Math.abs)),
  );
}
