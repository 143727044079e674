// SPDX-License-Identifier: MIT
// What was measured, how far to trust it, and what costs most.
import { spotsOf, type Spot } from "../../causes";
import { Ready, Nothing } from "../../components/states";
import { useAnswer, useRecording } from "../../context";
import * as requests from "../../requests";
import type { Causes, Totals } from "../../schema";
import { Cause } from "./cause";
import { Measured } from "./measured";
import { Trust } from "./trust";
import { VerdictBar } from "./verdict";

const mostCauses = 10;
const leastShare = 0.01;

function TopCauses({ causes }: { causes: Causes }) {
  const matters = (spot: Spot): boolean => spot.parts.some((part) => (part.place.share?.value ?? 1) >= leastShare);
  const spots = spotsOf(causes).filter(matters).slice(0, mostCauses);
  if (spots.length === 0) return <Nothing>There is no cause to show: nothing missed, or nothing was sampled.</Nothing>;
  return (
    <ol class="causes">
      {spots.map((spot) => (
        <Cause key={spot.key} spot={spot} />
      ))}
    </ol>
  );
}

export function SummaryView() {
  const recording = useRecording();
  const totals = useAnswer<Totals>(requests.totals(recording));
  const causes = useAnswer<Causes>(requests.explain(recording));
  return (
    <div class="summary">
      <Ready outcome={totals}>
        {(answer) =>
          answer.recording.verdict && (
            <section aria-labelledby="verdict-title">
              <h1 id="verdict-title">Does memory matter?</h1>
              <VerdictBar verdict={answer.recording.verdict} />
            </section>
          )
        }
      </Ready>
      <section aria-labelledby="measured-title">
        <h1 id="measured-title">What was measured</h1>
        <Ready outcome={totals}>{(answer) => <Measured totals={answer} />}</Ready>
      </section>
      <section aria-labelledby="trust-title">
        <h2 id="trust-title">How far to trust it</h2>
        <Ready outcome={totals}>{(answer) => <Trust totals={answer} />}</Ready>
      </section>
      <section aria-labelledby="causes-title">
        <h2 id="causes-title">Most expensive locations, and what would help</h2>
        <Ready outcome={causes}>{(answer) => <TopCauses causes={answer} />}</Ready>
      </section>
    </div>
  );
}
