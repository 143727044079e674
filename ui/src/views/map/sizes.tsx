// SPDX-License-Identifier: MIT
// The part of all accesses that caches of each size would miss, with the machine's levels marked.
import { useMemo } from "preact/hooks";
import type uPlot from "uplot";
import { useCaches, type Cache } from "../../caches";
import { Plot } from "../../components/plot";
import { Table, type Column } from "../../components/table";
import { hueOf, paletteOf, type Theme } from "../../colours";
import { usePage } from "../../context";
import { bytesText, grouped, percent, printable, shareText } from "../../format";
import type { SizeNeed, SizePoint, Sizes } from "../../schema";
import { aligned, type NamedCurve } from "./curve";

const mostFunctions = 5;

function needText(need: SizeNeed | null): string {
  if (!need) return "No size was found beyond which misses are rare.";
  const times = need.times === null ? "" : ` That is ${need.times.toFixed(1)} times fewer misses.`;
  return `Misses are rare from ${bytesText(need.enough.bytes)} on (${percent(need.enough.missed.value)}); at ${bytesText(need.smaller.bytes)} it is ${percent(need.smaller.missed.value)}.${times}`;
}

// Lines where the machine's caches are.
function markCaches(plot: uPlot, caches: Cache[], theme: Theme): void {
  const { ctx, bbox } = plot;
  const palette = paletteOf(theme);
  ctx.save();
  ctx.strokeStyle = palette.quiet;
  ctx.fillStyle = palette.quiet;
  ctx.setLineDash([4, 4]);
  caches.forEach((cache) => {
    const x = plot.valToPos(cache.bytes, "x", true);
    if (x < bbox.left || x > bbox.left + bbox.width) return;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    const isRight = x > bbox.left + bbox.width * 0.85;
    ctx.textAlign = isRight ? "right" : "left";
    ctx.fillText(`${cache.name} ${bytesText(cache.bytes)}`, isRight ? x - 4 : x + 4, bbox.top + 12);
  });
  ctx.restore();
}

function optionsOf(curves: NamedCurve[], caches: Cache[], theme: Theme): Omit<uPlot.Options, "width" | "height"> {
  const palette = paletteOf(theme);
  const lightness = theme === "light" ? 38 : 66;
  const axis = { stroke: palette.quiet, grid: { stroke: palette.line, width: 1 }, ticks: { stroke: palette.line, width: 1 } };
  return {
    scales: { x: { time: false, distr: 3, log: 2 }, y: { range: (_plot, _low, high) => [0, Math.max(0.01, high * 1.08)] } },
    axes: [
      { ...axis, values: (_plot, sizes) => sizes.map((size) => (Number.isInteger(Math.log2(size) / 2) ? bytesText(size) : "")) },
      { ...axis, size: 60, values: (_plot, values) => values.map((value) => percent(value)) },
    ],
    series: [
      { label: "size", value: (_plot, size) => (size === null ? "-" : bytesText(size)) },
      ...curves.map((curve, index) => ({
        label: curve.name,
        stroke: index === 0 ? palette.accent : `hsl(${hueOf(curve.name)} 55% ${lightness}%)`,
        width: index === 0 ? 2 : 1.5,
        spanGaps: true,
        points: { show: false },
        value: (_plot: uPlot, value: number | null) => (value === null ? "-" : percent(value)),
      })),
    ],
    hooks: { draw: [(plot) => markCaches(plot, caches, theme)] },
  };
}

const columns: Column<SizePoint>[] = [
  { name: "bytes", title: "size", numeric: true, value: (point) => point.bytes, cell: (point) => bytesText(point.bytes) },
  { name: "sets", title: "sets", numeric: true, value: (point) => point.sets, cell: (point) => grouped(point.sets) },
  { name: "ways", title: "ways", numeric: true, value: (point) => point.ways },
  { name: "missed", title: "missed", numeric: true, value: (point) => point.missed.value, cell: (point) => shareText(point.missed) },
];

export function SizesOf({ sizes }: { sizes: Sizes }) {
  const { theme } = usePage();
  const caches = useCaches();
  const curves = useMemo(
    () => [
      { name: "all accesses", points: sizes.curve },
      ...(sizes.functions ?? []).slice(0, mostFunctions).map((row) => ({ name: printable(row.function), points: row.curve })),
    ],
    [sizes],
  );
  const data = useMemo(() => aligned(curves), [curves]);
  const marks = caches.map((each) => `${each.name}${each.bytes}`).join();
  const options = useMemo(() => optionsOf(curves, caches, theme), [curves, marks, theme]);
  if (sizes.curve.length === 0) return <p class="state">No access was simulated.</p>;
  return (
    <>
      <p>
        {grouped(sizes.accesses)} accesses. {needText(sizes.need)}
      </p>
      <Plot label="Missed accesses by cache size; the table below has the same data" height={320} data={data} options={options} />
      <details class="behind">
        <summary>The curve as a table</summary>
        <Table
          label="Misses by size"
          columns={columns}
          rows={sizes.curve}
          rowKey={(point) => `${point.sets}/${point.ways}`}
          order={{ column: "bytes", descending: false }}
        />
      </details>
    </>
  );
}
