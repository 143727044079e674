// SPDX-License-Identifier: MIT
// Lines that several threads use: from the sampled accesses in windows of time, and at the hot places.
import { keyOfPlace } from "../../causes";
import { Nothing } from "../../components/states";
import { SharedLineDrawing } from "../../components/users";
import { usePage } from "../../context";
import { countOf, percent, placeText, printable } from "../../format";
import { linkFrom } from "../../router";
import type { Causes, ContestedLine, Place } from "../../schema";

function Line({ each }: { each: ContestedLine }) {
  return (
    <li class="panel">
      <p>
        Up to {countOf(each.most_handovers, "time", "times")} handed over, {printable(each.class)}:{" "}
        {countOf(each.accesses, "access", "accesses")}, {percent(each.written)} of which write.
      </p>
      <SharedLineDrawing line={each.line} />
      <p class="quiet">{each.functions.length > 0 ? `Code: ${each.functions.map(printable).join(", ")}` : "Its code is not known."}</p>
    </li>
  );
}

// A line that several events have at the same place is told once.
function linesOfPlaces(causes: Causes): { event: string; place: Place }[] {
  const found = new Map<number, { event: string; place: Place }>();
  for (const event of causes.events) {
    for (const place of event.places) {
      if (place.shared_line && !found.has(place.shared_line.address)) {
        found.set(place.shared_line.address, { event: event.name, place });
      }
    }
  }
  return [...found.values()];
}

export function Contested({ causes }: { causes: Causes }) {
  const { route } = usePage();
  const { lines, all, accesses_sampled } = causes.contested_lines;
  const places = linesOfPlaces(causes);
  if (lines.length === 0 && places.length === 0) {
    return <Nothing>None was seen: no line is used by several threads in the samples.</Nothing>;
  }
  return (
    <>
      {lines.length > 0 && (
        <p class="quiet">
          {lines.length} of {countOf(all, "line", "lines")}, by {countOf(accesses_sampled, "sampled access", "sampled accesses")}.
        </p>
      )}
      <ol class="plain">
        {lines.map((each) => (
          <Line key={each.line.address} each={each} />
        ))}
        {places.map(({ event, place }) => (
          <li key={place.address} class="panel">
            <p>
              <a href={linkFrom(route, "why", { spot: keyOfPlace(place), event })}>
                <code>{printable(place.function)}</code> {placeText(place.file, place.line)}
              </a>
              : {countOf(place.shared_line?.samples ?? 0, "sample", "samples")} of {printable(event)} on one line
            </p>
            {place.shared_line && <SharedLineDrawing line={place.shared_line} />}
          </li>
        ))}
      </ol>
    </>
  );
}
