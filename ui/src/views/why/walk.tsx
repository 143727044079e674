// SPDX-License-Identifier: MIT
// How a steady walk meets lines: which of their bytes are used.
import { CacheLines, type Range } from "../../components/cache_line";
import { paletteOf } from "../../colours";
import { usePage } from "../../context";
import { countOf } from "../../format";
import type { Place } from "../../schema";

const lineBytes = 64;
const shownLines = 4;

export function stepsOf(step: number, bytes: number, colour: string): Range[] {
  const ranges: Range[] = [];
  for (let offset = 0, index = 1; offset < shownLines * lineBytes; offset += step, ++index) {
    ranges.push({ offset, bytes, colour, text: `access ${index}: ${countOf(bytes, "byte", "bytes")} at +${offset}` });
  }
  return ranges;
}

export function WalkDrawing({ place }: { place: Place }) {
  const { theme } = usePage();
  const step = Math.abs(place.step_bytes ?? 0);
  const bytes = place.access_bytes ?? 0;
  const isSteady = place.shape === "sequential" || place.shape === "strided";
  if (!isSteady || step === 0 || bytes === 0) return null;
  return (
    <>
      <h3>How it walks over lines of {lineBytes} bytes</h3>
      <CacheLines
        label="The walk over cache lines"
        lineBytes={lineBytes}
        lines={shownLines}
        ranges={stepsOf(step, bytes, paletteOf(theme).accent)}
      />
      <p class="quiet">
        {step < lineBytes
          ? `A line serves ${countOf(Math.max(1, Math.floor(lineBytes / step)), "access", "accesses")} of this instruction.`
          : `Of each line that is fetched, this instruction uses ${bytes} of ${lineBytes} bytes.`}{" "}
        Drawn as if the walk began at a line's first byte.
      </p>
    </>
  );
}
