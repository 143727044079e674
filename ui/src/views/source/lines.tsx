// SPDX-License-Identifier: MIT
// Source lines with their samples, and the causes at the lines that have some.
import { stepRow } from "../../components/table";
import { printable } from "../../format";
import type { AnnotatedLine } from "../../schema";
import { CausesAt } from "./causes_at";
import { CodeCell } from "./code_cell";
import { ListingFrame } from "./frame";
import { hottest, lineKey, type FileLines, type PlaceOfEvent } from "./listing";
import { MarginCells, MarginHeads, marginColumns, type MarginColumn } from "./margin";

interface LineProps {
  line: AnnotatedLine;
  gap: boolean;
  columns: MarginColumn[];
  isHottest: boolean;
  // At least one line of the file has a text.
  isReadable: boolean;
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

function SourceCell({ line, isReadable }: { line: AnnotatedLine; isReadable: boolean }) {
  if (!isReadable) return <td class="code" />;
  if (line.line !== null && line.source !== null) return <CodeCell text={line.source.replace(/\t/g, "    ")} />;
  return <td class="code quiet">{line.line === null ? "code without a source line" : "the file has no such line"}</td>;
}

function Line({ line, gap, columns, isHottest, isReadable, chosen, places, onChoose }: LineProps) {
  const key = lineKey(line.file, line.line);
  const choose = (): void => onChoose(key);
  return (
    <>
      {gap && (
        <tr class="gap">
          <td colSpan={columns.length + 2}>
            <span class="visually-hidden">lines left out</span>
          </td>
        </tr>
      )}
      <tr
        data-row=""
        data-hottest={isHottest ? "" : undefined}
        tabIndex={chosen === key || chosen === "" ? 0 : -1}
        aria-current={chosen !== "" && chosen === key ? "true" : undefined}
        onClick={choose}
        onKeyDown={(event) => rowPressed(event, choose)}
      >
        <td class="numeric quiet">{line.line}</td>
        <SourceCell line={line} isReadable={isReadable} />
        <MarginCells row={line} columns={columns} />
      </tr>
      {places && <CausesAt places={places} span={columns.length + 2} />}
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
  const name = file.file ? printable(file.file) : "Code without a source line";
  const columns = marginColumns(events, file.lines);
  const hot = hottest(file.lines, events[0] ?? "");
  const isReadable = file.file === null || file.lines.some((line) => line.source !== null);
  return (
    <ListingFrame label={`Source lines of ${name}`} chosen={chosen} hottest={`${hot?.line}`}>
      <table class="table" data-steps="">
        <caption>
          {name}
          {!isReadable && ": this file cannot be read here, so its lines have numbers alone."}
        </caption>
        <thead>
          <tr>
            <th scope="col" class="numeric">
              <span>line</span>
            </th>
            <th scope="col">
              <span>source</span>
            </th>
            <MarginHeads columns={columns} />
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
                columns={columns}
                isHottest={line === hot}
                isReadable={isReadable}
                chosen={chosen}
                places={places.get(lineKey(line.file, line.line))}
                onChoose={onChoose}
              />
            );
          })}
        </tbody>
      </table>
    </ListingFrame>
  );
}
