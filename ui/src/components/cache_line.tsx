// SPDX-License-Identifier: MIT
// Bytes of cache lines as cells: who touches which.
import { Fragment } from "preact";

export interface Range {
  offset: number;
  bytes: number;
  colour: string;
  text: string;
}

interface Props {
  label: string;
  lineBytes: number;
  lines: number;
  // Offsets from the first byte of the first line.
  ranges: Range[];
}

const cell = 9;
const rowHeight = 22;
const left = 34;

export function CacheLines({ label, lineBytes, lines, ranges }: Props) {
  const width = left + lineBytes * cell + 2;
  const height = lines * rowHeight + 16;
  return (
    <div class="drawing" role="region" aria-label={label} tabIndex={0}>
      <svg width={width} height={height} role="img" aria-label={`${label}: ${ranges.map((each) => each.text).join("; ")}`}>
        {[0, 8, 16, 24, 32, 40, 48, 56].filter((byte) => byte < lineBytes).map((byte) => (
          <text key={byte} class="drawing-text" x={left + byte * cell} y={10}>
            {byte}
          </text>
        ))}
        {Array.from({ length: lines }, (_, line) => (
          <Fragment key={line}>
            <text class="drawing-text" x={0} y={16 + line * rowHeight + 13}>
              +{line * lineBytes}
            </text>
            <rect class="drawing-line" x={left} y={16 + line * rowHeight} width={lineBytes * cell} height={rowHeight - 5} />
            {ranges
              .flatMap((range) => partInLine(range, line, lineBytes))
              .map((part, index) => (
                <rect
                  key={index}
                  x={left + part.offset * cell + 0.5}
                  y={16 + line * rowHeight + 1}
                  width={part.bytes * cell - 1}
                  height={rowHeight - 7}
                  fill={part.colour}
                >
                  <title>{part.text}</title>
                </rect>
              ))}
          </Fragment>
        ))}
      </svg>
    </div>
  );
}

export function partInLine(range: Range, line: number, lineBytes: number): Range[] {
  const begin = Math.max(range.offset, line * lineBytes);
  const end = Math.min(range.offset + range.bytes, (line + 1) * lineBytes);
  return begin < end ? [{ ...range, offset: begin - line * lineBytes, bytes: end - begin }] : [];
}
