// SPDX-License-Identifier: MIT
// The instructions of the function, those of the chosen line marked.
import { hex, placeText, printable } from "../../format";
import type { Annotation } from "../../schema";
import { CausesAt } from "./causes_at";
import { CodeCell } from "./code_cell";
import { ListingFrame } from "./frame";
import { rowPressed } from "./lines";
import { addressKey, hottest, lineKey, type PlaceOfEvent } from "./listing";
import { MarginCells, MarginHeads, marginColumns } from "./margin";

interface Props {
  annotation: Annotation;
  events: string[];
  chosen: string;
  onChoose: (key: string) => void;
  places: Map<string, PlaceOfEvent[]>;
  // The number is sufficient for its lines; null if no line is known.
  mainFile: string | null;
}

export function Instructions({ annotation, events, chosen, onChoose, places, mainFile }: Props) {
  const { instructions } = annotation;
  if (instructions.length === 0) {
    return <p class="state">No instructions: {printable(annotation.no_code ?? "the code cannot be read")}.</p>;
  }
  const columns = marginColumns(events, instructions);
  const hot = hottest(instructions, events[0] ?? "");
  const withLines = mainFile !== null;
  return (
    <ListingFrame label="Instructions" chosen={chosen} hottest={`${hot?.address}`}>
      <table class="table" data-steps="">
        <caption>
          {printable(annotation.function)} at {hex(annotation.start)}, {annotation.size} bytes
        </caption>
        <thead>
          <tr>
            <th scope="col" class="numeric">
              <span>address</span>
            </th>
            <th scope="col">
              <span>instruction</span>
            </th>
            {withLines && (
              <th scope="col" class="numeric minor">
                <span>line</span>
              </th>
            )}
            <MarginHeads columns={columns} />
          </tr>
        </thead>
        <tbody>
          {instructions.flatMap((each, index) => {
            const key = lineKey(each.file, each.line) || addressKey(each.address);
            const choose = (): void => onChoose(key);
            const found = places.get(addressKey(each.address));
            return [
              <tr
                key={each.address}
                data-row=""
                data-hottest={each === hot ? "" : undefined}
                tabIndex={index === 0 || key === chosen ? 0 : -1}
                aria-current={key === chosen ? "true" : undefined}
                onClick={choose}
                onKeyDown={(event) => rowPressed(event, choose)}
              >
                <td class="numeric code quiet">{hex(each.address)}</td>
                <CodeCell text={(each.text ?? "not decoded").replace(/\t/g, " ")} />
                {withLines && <td class="numeric quiet minor">{each.file === mainFile ? each.line : placeText(each.file, each.line) || "-"}</td>}
                <MarginCells row={each} columns={columns} />
              </tr>,
              ...(found ? [<CausesAt key={`${each.address} causes`} places={found} span={columns.length + 2 + (withLines ? 1 : 0)} />] : []),
            ];
          })}
        </tbody>
      </table>
    </ListingFrame>
  );
}
