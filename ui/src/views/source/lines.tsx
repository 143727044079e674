// SPDX-License-Identifier: MIT
// Source lines with their samples, and the causes at the lines that have some.
import { classesText, gainText, walkText } from "../../causes";
import { stepRow } from "../../components/table";
import { usePage } from "../../context";
import { printable, sentence } from "../../format";
import { linkFrom } from "../../router";
import { keyOfPlace } from "../../causes";
import type { AnnotatedLine } from "../../schema";
import { lineKey, type FileLines, type PlaceOfEvent } from "./listing";
import { MarginCells, MarginHeads } from "./margin";

function CausesAt({ places, span }: { places: PlaceOfEvent[]; span: number }) {
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

interface LineProps {
  line: AnnotatedLine;
  gap: boolean;
  events: string[];
  chosen: string;
  places: PlaceOfEvent[] | undefined;
  onChoose: (key: string) => void;
}

export function rowPressed(event: KeyboardEvent, choose: () => void): void {
  if (event.target !== event.currentTarget) return;
  if (event.key === "ArrowDown") stepRow(1);
  else if (event.key === "ArrowUp") stepRow(-1);
  else if (event.key === "Enter" || event.key === " ") choose();
  else return;
  event.preventDefault();
}

function Line({ line, gap, events, chosen, places, onChoose }: LineProps) {
  const key = lineKey(line.file, line.line);
  const choose = (): void => onChoose(key);
  return (
    <>
      {gap && (
        <tr class="gap">
          <td colSpan={events.length + 2}>
            <span class="visually-hidden">lines left out</span>
          </td>
        </tr>
      )}
      <tr
        data-row=""
        tabIndex={chosen === key || chosen === "" ? 0 : -1}
        aria-current={chosen !== "" && chosen === key ? "true" : undefined}
        onClick={choose}
        onKeyDown={(event) => rowPressed(event, choose)}
      >
        <MarginCells row={line} events={events} />
        <td class="numeric quiet">{line.line ?? "-"}</td>
        <td class="code">{line.source === null ? <span class="quiet">the source is not here</span> : printable(line.source.replace(/\t/g, "    "))}</td>
      </tr>
      {places && <CausesAt places={places} span={events.length + 2} />}
    </>
  );
}

interface Props {
  file: FileLines;
  events: string[];
  chosen: string;
  places: Map<string, PlaceOfEvent[]>;
  onChoose: (key: string) => void;
}

export function FileTable({ file, events, chosen, places, onChoose }: Props) {
  const name = file.file ? printable(file.file) : "no source line is known";
  return (
    <div class="table-frame listing" role="region" aria-label={`Source lines of ${name}`} tabIndex={0}>
      <table class="table" data-steps="">
        <caption>{name}</caption>
        <thead>
          <tr>
            <MarginHeads events={events} />
            <th scope="col" class="numeric">
              <span>line</span>
            </th>
            <th scope="col">
              <span>source</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {file.lines.map((line, index) => {
            const before = file.lines[index - 1];
            return (
              <Line
                key={line.line ?? -1}
                line={line}
                gap={before !== undefined && (line.line ?? 0) > (before.line ?? 0) + 1}
                events={events}
                chosen={chosen}
                places={places.get(lineKey(line.file, line.line))}
                onChoose={onChoose}
              />
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
