// SPDX-License-Identifier: MIT
// How often each event was counted in the window that is shown, as numbers.
import { Swatch } from "../../components/swatch";
import { Table, type Column } from "../../components/table";
import { durationText, grouped, printable, rateText } from "../../format";
import type { ShownRate } from "./rates";

const columns: Column<ShownRate>[] = [
  {
    name: "event",
    title: "event",
    wide: true,
    value: (rate) => rate.event,
    cell: (rate) => (
      <code>
        <Swatch name={rate.event} />
        {printable(rate.event)}
      </code>
    ),
  },
  { name: "events", title: "events", hint: "estimated from the samples; of a clock, ns of processor time", numeric: true, value: (rate) => rate.events, cell: (rate) => grouped(rate.events) },
  { name: "mean", title: "in the mean", numeric: true, value: (rate) => rate.mean, cell: (rate) => rateText(rate.mean) },
  { name: "most", title: "most", numeric: true, value: (rate) => rate.most, cell: (rate) => rateText(rate.most) },
  { name: "when", title: "most at", numeric: true, value: (rate) => rate.mostAt, cell: (rate) => durationText(rate.mostAt) },
  { name: "gaps", title: "samples missing for", hint: "the kernel lost samples then, or took none because they came too fast", minor: true, numeric: true, value: (rate) => rate.gapNs, cell: (rate) => (rate.gapNs > 0 ? durationText(rate.gapNs) : "none") },
];

// `isSlowed`: the run was measured by the software PMU.
export function RateTable({ rates, isSlowed }: { rates: ShownRate[]; isSlowed: boolean }) {
  return (
    <section class="below" aria-labelledby="rates-title">
      <h2 id="rates-title">How often each event was counted, in the part that is shown</h2>
      <Table label="Event rates in the part that is shown" columns={columns} rows={rates} rowKey={(rate) => rate.event} order={{ column: "most", descending: true }} />
      {rates.every((rate) => rate.most === null) && <p class="quiet">Of no event it was measured here.</p>}
      {isSlowed && <p class="quiet">Seconds are of the run under the software PMU, which slows some code more than other.</p>}
      {rates.some((rate) => rate.gapNs > 0) && (
        <p class="quiet">Yellow: samples are missing there, as the kernel lost them or took none because they came too fast.</p>
      )}
    </section>
  );
}
