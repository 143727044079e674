// SPDX-License-Identifier: MIT
// How much is fetched between two uses of a line, against what the caches hold.
import { useCaches } from "../../caches";
import { bytesText, grouped } from "../../format";
import type { Place } from "../../schema";

const width = 640;
const height = 74;
const base = 40;

export function ReuseDrawing({ reuse }: { reuse: NonNullable<Place["reuse"]> }) {
  const caches = useCaches();
  if (caches.length === 0) return null;
  const lineBytes = caches[0]?.lineBytes ?? 64;
  const distance = Math.max(1, reuse.lines) * lineBytes;
  const least = Math.min(distance, ...caches.map((each) => each.bytes)) / 4;
  const most = Math.max(distance, ...caches.map((each) => each.bytes)) * 4;
  const place = (bytes: number): number => ((Math.log2(bytes) - Math.log2(least)) / (Math.log2(most) - Math.log2(least))) * width;
  const fits = caches.find((each) => each.bytes > distance);
  const text =
    `Between two uses of a line ${reuse.at_least ? "at least " : ""}${grouped(reuse.lines)} other lines are used, ` +
    `${bytesText(distance)}, in the median. ` +
    (fits && !reuse.at_least ? `The smallest cache that holds that is ${fits.name}, ${bytesText(fits.bytes)}.` : fits ? `A cache that keeps the line must be larger than that.` : "No cache of this machine holds that.");
  return (
    <>
      <h3>Reuse distance against the caches</h3>
      <div class="drawing" role="region" aria-label="Reuse distance" tabIndex={0}>
        <svg width={width} height={height} role="img" aria-label={text}>
          <line class="drawing-axis" x1={0} x2={width} y1={base} y2={base} />
          {caches.map((cache) => (
            <g key={cache.name}>
              <line class="drawing-axis" x1={place(cache.bytes)} x2={place(cache.bytes)} y1={base - 8} y2={base + 8} />
              <text class="drawing-text" x={place(cache.bytes)} y={base + 22} text-anchor="middle">
                {cache.name} {bytesText(cache.bytes)}
              </text>
            </g>
          ))}
          <rect class="drawing-mark" x={0} y={base - 4} width={place(distance)} height={8} />
          {reuse.at_least && <rect class="drawing-open" x={place(distance)} y={base - 4} width={width - place(distance)} height={8} />}
          <text class="drawing-text strong" x={Math.min(width - 80, place(distance))} y={base - 14} text-anchor="middle">
            {reuse.at_least ? "≥ " : ""}
            {bytesText(distance)}
          </text>
        </svg>
      </div>
      <p class="quiet">{text}</p>
    </>
  );
}
