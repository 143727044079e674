// SPDX-License-Identifier: MIT
// How often each event was counted in the window that is shown, as numbers.
import { Swatch } from "../../components/swatch";
import { Table, type Column } from "../../components/table";
import { grouped, axisRateText, printable, axisText } from "../../format";
import type { TimeUnit } from "../../schema";
import type { ShownRate } from "./rates";

const columnsOf = (unit: TimeUnit): Column<ShownRate>[] => [
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
  { name: "mean", title: "in the mean", numeric: true, value: (rate) => rate.mean, cell: (rate) => axisRateText(rate.mean, unit) },
  { name: "most", title: "most", numeric: true, value: (rate) => rate.most, cell: (rate) => axisRateText(rate.most, unit) },
  { name: "when", title: "most at", numeric: true, value: (rate) => rate.mostAt, cell: (rate) => axisText(rate.mostAt, unit) },
  { name: "gaps", title: "samples missing for", hint: "the kernel lost samples then, or throttled the event", minor: true, numeric: true, value: (rate) => rate.gap, cell: (rate) => (rate.gap > 0 ? axisText(rate.gap, unit) : "none") },
];

// `isSlowed`: times are of the clock, in a run that the software PMU measured.
export function RateTable({ rates, unit, isSlowed }: { rates: ShownRate[]; unit: TimeUnit; isSlowed: boolean }) {
  return (
    <section class="below" aria-labelledby="rates-title">
      <h2 id="rates-title">How often each event was counted, in the part that is shown</h2>
      <Table label="Event rates in the part that is shown" columns={columnsOf(unit)} rows={rates} rowKey={(rate) => rate.event} order={{ column: "most", descending: true }} />
      {rates.every((rate) => rate.most === null) && <p class="quiet">No event was measured here.</p>}
      {unit === "cycles" && <p class="quiet">Times are cycles of the modelled machine, the same in each run.</p>}
      {isSlowed && <p class="quiet">Seconds are of the run under the software PMU, which slows some code more than other code.</p>}
      {rates.some((rate) => rate.gap > 0) && (
        <p class="quiet">Yellow: samples are missing there, because the kernel lost them or throttled the event.</p>
      )}
    </section>
  );
}
