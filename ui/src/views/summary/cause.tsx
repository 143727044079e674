// SPDX-License-Identifier: MIT
// One cause as sentences that one can act on.
import { classesText, gainText, objectText, patternText, walkText, type Spot } from "../../causes";
import { ShareCell } from "../../components/share";
import { FunctionName } from "../../components/function_name";
import { usePage } from "../../context";
import { grouped, percent, placeText, printable, sentence } from "../../format";
import { linkFrom } from "../../router";

export function Cause({ spot }: { spot: Spot }) {
  const { route } = usePage();
  const main = spot.parts[0];
  if (!main) return null;
  const { place } = main;
  const object = place.objects[0];
  const source = linkFrom(route, "source", { function: spot.function, dso: spot.dso, line: String(spot.line ?? "") });
  return (
    <li class="cause">
      <h3>
        <a href={linkFrom(route, "why", { spot: spot.key })}>
          <FunctionName spot={spot} />
        </a>{" "}
        <span class="quiet">
          {placeText(spot.file, spot.line)} ({printable(spot.dso)})
        </span>
      </h3>
      <ul class="cause-shares">
        {spot.parts.map((part) => (
          <li key={part.event}>
            <ShareCell share={part.place.share} /> of {printable(part.event)}
          </li>
        ))}
      </ul>
      {place.advice && (
        <p class="remedy">
          <strong>{sentence(printable(place.advice.remedy))}</strong>{" "}
          {place.advice.gain && <>Would save {printable(gainText(place.advice, place.share))}.</>}{" "}
          <span class="tag">{patternText(place.advice.pattern)}</span>
        </p>
      )}
      <p>
        {place.wait_cycles !== null && <>Some {grouped(main.cycles)} cycles of waiting for {printable(main.event)}. </>}
        {sentence(printable(classesText(place)))}
        {object && <> Data: {objectText(object)} ({percent(object.share.value)}).</>} Walk: {walkText(place)}.
      </p>
      <p class="links">
        <a href={linkFrom(route, "why", { spot: spot.key })}>Why</a> <a href={source}>Source</a>
      </p>
    </li>
  );
}
