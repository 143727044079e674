// SPDX-License-Identifier: MIT
// All that is known of why one place misses.
import { classesText, gainText, levelsText, objectText, patternText, walkText } from "../../causes";
import { ShareCell } from "../../components/share";
import { SharedLineDrawing } from "../../components/users";
import { countOf, grouped, hex, number, printable, sentence, shareText } from "../../format";
import type { Latency, Place, Share } from "../../schema";
import { Fields } from "./fields";
import { ReuseDrawing } from "./reuse";
import { WalkDrawing } from "./walk";

function Bars({ title, rows }: { title: string; rows: { name: string; share: Share }[] }) {
  if (rows.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <table class="bars">
        <caption class="visually-hidden">{title}</caption>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              <th scope="row">{printable(row.name)}</th>
              <td>
                <ShareCell share={row.share} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function latencyText(latency: Latency): string {
  return (
    `${grouped(latency.median)} cycles in the median, 90% within ${grouped(latency.p90)}, ` +
    `99% within ${grouped(latency.p99)}, at most ${grouped(latency.max)}`
  );
}

function callersText(place: Place): string {
  const path: string[] = [];
  for (let caller = place.callers[0]; caller && path.length < 8; caller = caller.callers[0]) path.push(caller.function);
  return path.join(" < ");
}

function Facts({ place }: { place: Place }) {
  const { next_line, huge_pages } = place.would_hit;
  const path = callersText(place);
  return (
    <dl class="facts">
      <dt>Why</dt>
      <dd>{printable(classesText(place))}</dd>
      <dt>Walk</dt>
      <dd>{walkText(place)}</dd>
      <dt>Wait</dt>
      <dd>
        {place.wait_cycles === null ? "not measured" : `some ${number(place.wait_cycles)} cycles for what the event is about, in the mean`}
      </dd>
      <dt>Latency</dt>
      <dd>{place.latency_cycles ? latencyText(place.latency_cycles) : "not measured"}</dd>
      {Object.keys(place.levels).length > 0 && <dt>Level</dt>}
      {Object.keys(place.levels).length > 0 && <dd>{printable(levelsText(place))}</dd>}
      {next_line && <dt>What if</dt>}
      {next_line && <dd>each fetch also loaded the next line: {shareText(next_line)} would hit</dd>}
      {huge_pages && <dt>What if</dt>}
      {huge_pages && <dd>pages were of 2 MiB: {shareText(huge_pages)} would hit</dd>}
      <dt>Code</dt>
      <dd>
        <code>
          {hex(place.address)}: {printable((place.instruction ?? "the code cannot be read").replace(/\t/g, " "))}
        </code>
      </dd>
      {path && <dt>Callers</dt>}
      {path && <dd>{printable(path)}</dd>}
    </dl>
  );
}

export function PlaceOf({ place }: { place: Place }) {
  const classes = Object.entries(place.classes).map(([name, each]) => ({ name, share: each.share }));
  const levels = Object.entries(place.levels).map(([name, each]) => ({ name, share: each.share }));
  const objects = place.objects.map((each) => ({ name: objectText(each), share: each.share }));
  return (
    <>
      <p>
        <ShareCell share={place.share} /> of the event, {countOf(place.samples, "sample", "samples")}, about{" "}
        {grouped(place.estimated)} events
      </p>
      {place.advice && (
        <p class="remedy">
          <strong>{sentence(printable(place.advice.remedy))}</strong> <span class="tag">{patternText(place.advice.pattern)}</span>
          <br />
          Predicted gain: {printable(gainText(place.advice, place.share))}.
          {place.advice.basis && <> {sentence(printable(place.advice.basis))}</>}
        </p>
      )}
      <Facts place={place} />
      {!place.too_little && <Bars title="Classes of misses" rows={classes} />}
      <Bars title="Answered by" rows={levels} />
      <Bars title="Data" rows={objects} />
      {place.reuse && <ReuseDrawing reuse={place.reuse} />}
      <WalkDrawing place={place} />
      <Fields place={place} />
      {place.shared_line && (
        <>
          <h3>Who uses the line</h3>
          <SharedLineDrawing line={place.shared_line} />
        </>
      )}
    </>
  );
}
