// SPDX-License-Identifier: MIT
// The causes at a line or an instruction, as a row below it.
import { classesText, gainText, keyOfPlace, walkText } from "../../causes";
import { usePage } from "../../context";
import { printable, sentence } from "../../format";
import { linkFrom } from "../../router";
import type { PlaceOfEvent } from "./listing";

export function CausesAt({ places, span }: { places: PlaceOfEvent[]; span: number }) {
  const { route } = usePage();
  return (
    <tr class="causes-at">
      <td colSpan={span}>
        <ul>
          {places.map(({ event, place }) => (
            <li key={event + keyOfPlace(place)}>
              <a href={linkFrom(route, "why", { spot: keyOfPlace(place), event })}>{printable(event)}</a>{" "}
              {printable(classesText(place))}; {walkText(place)}.
              {place.advice && <strong> {sentence(printable(place.advice.remedy))}</strong>}
              {place.advice?.gain && <> Would save {printable(gainText(place.advice, place.share))}.</>}
            </li>
          ))}
        </ul>
      </td>
    </tr>
  );
}
