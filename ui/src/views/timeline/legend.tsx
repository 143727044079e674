// SPDX-License-Identifier: MIT
// What the colours of the time line mean.
import { otherColour, paletteOf } from "../../colours";
import { Swatch } from "../../components/swatch";
import { usePage } from "../../context";
import { printable, shortName } from "../../format";
import type { Timeline } from "./schema";

const mostFunctions = 16;

function Mark({ colour, children }: { colour: string; children: string }) {
  return (
    <li>
      <span class="swatch" aria-hidden="true" style={{ backgroundColor: colour }} />
      {children}
    </li>
  );
}

export function Legend({ whole }: { whole: Timeline }) {
  const { theme } = usePage();
  const shown = whole.functions.slice(0, mostFunctions);
  const hasGaps = whole.rates.some((rate) => rate.gaps.length > 0);
  return (
    <ul class="legend plain" aria-label="Colours">
      {shown.map((each) => (
        <li key={`${each.function}@${each.dso}`} class="legend-name" title={printable(`${each.function} (${each.dso})`)}>
          <Swatch name={each.function} />
          <code>{shortName(each.function)}</code>
        </li>
      ))}
      <Mark colour={otherColour(theme)}>other functions</Mark>
      {whole.episodes.length > 0 && <Mark colour={paletteOf(theme).mark}>above the lanes: an episode, unlike the rest of the run</Mark>}
      {hasGaps && <Mark colour={paletteOf(theme).mark}>in a rate: samples were lost</Mark>}
    </ul>
  );
}
