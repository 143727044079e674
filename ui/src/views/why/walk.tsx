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

type Steps = Pick<Place, "shape" | "step_bytes" | "code_step_bytes">;

// From one access to the next. The step between misses is that only if each access is of another line: a walk by 8
// bytes misses every 64. 0: not known.
export function accessStep(place: Steps): number {
  if (place.code_step_bytes !== null) return Math.abs(place.code_step_bytes);
  return place.shape === "strided" ? Math.abs(place.step_bytes ?? 0) : 0;
}

export function coverageText(place: Steps & Pick<Place, "line_bytes_used" | "access_bytes">): string {
  const step = accessStep(place);
  const used = place.line_bytes_used;
  if (step === 0) return "It goes from line to line. How many bytes of each line it uses does not follow from its code.";
  const uses =
    used === null
      ? `Of each line that is fetched, this instruction uses ${place.access_bytes ?? 0} of ${lineBytes} bytes.`
      : `Of each line that is fetched, this loop uses ${used} of ${lineBytes} bytes.`;
  if (step >= lineBytes) return uses;
  return `A line serves ${countOf(Math.max(1, Math.floor(lineBytes / step)), "access", "accesses")} of this instruction. ${uses}`;
}

export function WalkDrawing({ place }: { place: Place }) {
  const { theme } = usePage();
  const step = accessStep(place);
  const bytes = place.access_bytes ?? 0;
  const isSteady = place.shape === "sequential" || place.shape === "strided";
  if (!isSteady || (place.step_bytes ?? 0) === 0 || bytes === 0) return null;
  return (
    <>
      <h3>How it walks over lines of {lineBytes} bytes</h3>
      {step !== 0 && (
        <CacheLines
          label="The walk over cache lines"
          lineBytes={lineBytes}
          lines={shownLines}
          ranges={stepsOf(step, bytes, paletteOf(theme).accent)}
        />
      )}
      <p class="quiet">
        {coverageText(place)} {step !== 0 && "Drawn as if the walk began at a line's first byte."}
      </p>
    </>
  );
}
