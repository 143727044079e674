// SPDX-License-Identifier: MIT
import { countOf, grouped, printable } from "../../format";
import type { Totals } from "../../schema";

function lostText(lost: Totals["recording"]["lost"]): string {
  const parts = [];
  if (lost.samples) parts.push(countOf(lost.samples, "sample", "samples"));
  if (lost.records) parts.push(countOf(lost.records, "other record", "other records"));
  if (lost.throttlings) parts.push(`the kernel held sampling back ${countOf(lost.throttlings, "time", "times")}`);
  return parts.length === 0 ? "Nothing was lost." : `Lost: ${parts.join(", ")}.`;
}

function fewText(totals: Totals): string {
  const few = Object.entries(totals.events).filter(([, each]) => each.samples > 0 && each.samples < 100);
  if (few.length === 0) return "";
  const names = few.map(([name, each]) => `${name} (${grouped(each.samples)})`).join(", ");
  return `Few samples, so wide intervals: ${names}. A smaller period (-c) takes more.`;
}

export function Trust({ totals }: { totals: Totals }) {
  const { lost, problems, notes, delivery = [], clock } = totals.recording;
  const few = fewText(totals);
  return (
    <ul class="trust">
      <li class={lost.samples || lost.records ? "bad" : "good"}>{lostText(lost)}</li>
      {problems.length === 0 && <li class="good">No problems were found in the recording.</li>}
      {problems.map((text) => (
        <li key={text} class="bad">
          Problem: {printable(text)}
        </li>
      ))}
      {few && <li class="note">{few}</li>}
      {Object.entries(clock).map(([name, each]) => (
        <li key={name} class="note">
          {printable(name)}: {grouped(each.attributed)} of {countOf(each.samples, "sample", "samples")} could be
          given to the instruction that waited.
        </li>
      ))}
      {[...notes, ...delivery].map((text) => (
        <li key={text} class="note">
          {printable(text)}
        </li>
      ))}
      <li class="note">± is half the width of the 95 % interval; "-" means not measured.</li>
    </ul>
  );
}
