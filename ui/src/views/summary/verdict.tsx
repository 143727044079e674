// SPDX-License-Identifier: MIT
// Whether memory matters: the share of the cycles in which cores wait for data, and its parts.
import { Swatch } from "../../components/swatch";
import { colourOf, otherColour } from "../../colours";
import { usePage } from "../../context";
import { number, percent } from "../../format";
import type { Verdict } from "../../schema";

const leastShown = 0.0005;
const leastKernel = 0.2;
const names: Record<string, string> = {
  dram_wait: "memory",
  l3_wait: "L3",
  l2_wait: "L2",
  peer_wait: "other cores' lines",
  tlb_wait: "TLB",
  fetch_wait: "instructions",
  branch_wait: "mispredicted branches",
};

export function verdictText(verdict: Verdict): string {
  if (verdict.unseen_share != null) {
    const most = percent(verdict.unseen_share);
    return `Memory waits: none seen in the bursts. A phase of less than ${most} of the instructions may have been missed, and may wait; --detail exact measures everything.`;
  }
  const interval = verdict.error === null ? "" : ` ±${(verdict.error * 100).toFixed(1)}`;
  const share = percent(verdict.memory_share) + interval;
  const begin = `Memory waits: ${share} of the modelled cycles`;
  if (verdict.cost_source === "stated")
    return `${begin}, by stated latencies: an instruction takes a cycle, nothing overlaps and nothing is prefetched.`;
  const whose = verdict.cost_source === "typical" ? ", at the costs of a typical processor" : "";
  return `${begin}${whose}. Removing all of them would save at most that.`;
}

function ratesText(verdict: Verdict): string {
  const misses = Object.entries(verdict.misses_per_thousand_instructions);
  const parts = misses.map(([level, rate]) => `${number(rate)} ${level}`);
  const rates = parts.length === 0 ? [] : [`Misses of loads per 1000 instructions: ${parts.join(", ")}.`];
  if (verdict.instructions_per_cycle !== null) rates.push(`${verdict.instructions_per_cycle.toFixed(2)} instructions a cycle.`);
  return rates.join(" ");
}

// Limits of the sentence.
function limitsText(verdict: Verdict): string {
  const fetch = verdict.parts["fetch_wait"] ?? 0;
  const kernel = verdict.unseen_kernel_share ?? 0;
  const limits = [];
  if (fetch > verdict.memory_share) limits.push(`Waits for instructions take more: ${percent(fetch)}.`);
  if (verdict.in_bursts && verdict.unseen_share == null) limits.push("Bursts do not see threads that fight over a line; --detail exact does.");
  if (kernel >= leastKernel)
    limits.push(`These are of user mode alone: ${percent(kernel)} of the CPU time, hardmeter's own included, was in the kernel.`);
  return limits.join(" ");
}

export function VerdictBar({ verdict }: { verdict: Verdict }) {
  const { theme } = usePage();
  const parts = Object.entries(verdict.parts).filter(([, share]) => share >= leastShown);
  const rest = Math.max(0, 1 - parts.reduce((sum, [, share]) => sum + share, 0));
  return (
    <>
      <p class="verdict-sentence">
        {verdictText(verdict)} {limitsText(verdict)}
      </p>
      <div class="verdict-bar" role="img" aria-label={parts.map(([event, share]) => `${names[event] ?? event} ${percent(share)}`).join(", ")}>
        {parts.map(([event, share]) => (
          <span key={event} style={{ flexGrow: share, backgroundColor: colourOf(names[event] ?? event, theme) }} />
        ))}
        <span style={{ flexGrow: rest, backgroundColor: otherColour(theme) }} />
      </div>
      <p class="legend">
        {parts.map(([event, share]) => (
          <span key={event}>
            <Swatch name={names[event] ?? event} />
            {names[event] ?? event} {percent(share)}
          </span>
        ))}
        <span>no wait {percent(rest)}</span>
      </p>
      <p class="quiet">{ratesText(verdict)}</p>
    </>
  );
}
