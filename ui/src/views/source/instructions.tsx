// SPDX-License-Identifier: MIT
// The instructions of the function, those of the chosen line marked.
import { useEffect, useRef } from "preact/hooks";
import { hex, placeText, printable } from "../../format";
import type { Annotation } from "../../schema";
import { rowPressed } from "./lines";
import { lineKey } from "./listing";
import { MarginCells, MarginHeads } from "./margin";

interface Props {
  annotation: Annotation;
  events: string[];
  chosen: string;
  onChoose: (key: string) => void;
  // Of its lines the number is enough.
  mainFile: string | null;
}

export function Instructions({ annotation, events, chosen, onChoose, mainFile }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const marked = frame.current?.querySelector<HTMLElement>('tr[aria-current="true"]');
    const held = frame.current;
    if (marked && held && !held.contains(document.activeElement)) held.scrollTop = marked.offsetTop - held.clientHeight / 3;
  }, [chosen]);
  const { instructions } = annotation;
  if (instructions.length === 0) {
    return <p class="state">No instructions: {printable(annotation.no_code ?? "the code is not here")}</p>;
  }
  return (
    <div ref={frame} class="table-frame listing tall" role="region" aria-label="Instructions" tabIndex={0}>
      <table class="table" data-steps="">
        <caption>
          {printable(annotation.function)} at {hex(annotation.start)}, {annotation.size} bytes
        </caption>
        <thead>
          <tr>
            <MarginHeads events={events} />
            <th scope="col" class="numeric">
              <span>address</span>
            </th>
            <th scope="col" class="numeric">
              <span>line</span>
            </th>
            <th scope="col">
              <span>instruction</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {instructions.map((each, index) => {
            const key = lineKey(each.file, each.line);
            const choose = (): void => onChoose(key);
            return (
              <tr
                key={each.address}
                data-row=""
                tabIndex={index === 0 || (chosen !== "" && key === chosen) ? 0 : -1}
                aria-current={chosen !== "" && key === chosen ? "true" : undefined}
                onClick={choose}
                onKeyDown={(event) => rowPressed(event, choose)}
              >
                <MarginCells row={each} events={events} />
                <td class="numeric code quiet">{hex(each.address)}</td>
                <td class="numeric quiet">{each.file === mainFile ? each.line : placeText(each.file, each.line) || "-"}</td>
                <td class="code">{printable((each.text ?? "-").replace(/\t/g, " "))}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
