// SPDX-License-Identifier: MIT
// A rate over time: a line, with its 95 % interval as a band; nothing where nothing was measured. Dragging
// chooses a time.
import { useMemo } from "preact/hooks";
import uPlot from "uplot";
import { paletteOf, type Theme } from "../../colours";
import { Plot } from "../../components/plot";
import { Table, type Column } from "../../components/table";
import { useChange, usePage } from "../../context";
import { grouped, number } from "../../format";
import type { Moment, Named, OverTime } from "./schema";
import { isAlone, seriesOf, type Series } from "./series";
import { lengthText, rateForm, rateText, releaseText, timeText, type RateForm } from "./words";

// Intervals of buckets that no band leads to.
function paintAlone(plot: uPlot, series: Series, colour: string): void {
  const { ctx } = plot;
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.lineWidth = 2 * devicePixelRatio;
  series.times.forEach((time, index) => {
    const low = series.lows[index] ?? null, high = series.highs[index] ?? null;
    if (low === null || high === null || !isAlone(series.highs, index)) return;
    const x = plot.valToPos(time, "x", true);
    ctx.beginPath();
    ctx.moveTo(x, plot.valToPos(low, "y", true));
    ctx.lineTo(x, plot.valToPos(high, "y", true));
    ctx.stroke();
  });
  ctx.restore();
}

interface Mark {
  at: number;
  text: string;
}

function paintMarks(plot: uPlot, marks: Mark[], theme: Theme): void {
  const { ctx, bbox } = plot;
  const palette = paletteOf(theme);
  ctx.save();
  ctx.strokeStyle = palette.quiet;
  ctx.fillStyle = palette.ink;
  ctx.setLineDash([4, 4]);
  marks.forEach((mark, index) => {
    const x = plot.valToPos(mark.at, "x", true);
    if (x < bbox.left || x > bbox.left + bbox.width) return;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    const isRight = x > bbox.left + bbox.width / 2;
    ctx.textAlign = isRight ? "right" : "left";
    ctx.fillText(mark.text, isRight ? x - 4 : x + 4, bbox.top + (12 + 14 * index) * devicePixelRatio);
  });
  ctx.restore();
}

interface Looks {
  series: Series;
  form: RateForm;
  marks: Mark[];
  theme: Theme;
  onSpan: (begin: number, end: number) => void;
}

// uPlot's forms of times (from which distance on, usually, and where a year, a day, an hour is new), by 24 hours.
const dayForm = ["\n{YYYY}-{MM}-{DD}", null, "\n{MM}-{DD}", null];
const timeForms: (string | number | null)[][] = [
  [86400, "{MM}-{DD}", "\n{YYYY}", null, null, null, null, null, 1],
  [60, "{HH}:{mm}", ...dayForm, null, null, 1],
  [1, "{HH}:{mm}:{ss}", ...dayForm, null, null, 1],
];

function optionsOf({ series, form, marks, theme, onSpan }: Looks): Omit<uPlot.Options, "width" | "height"> {
  const palette = paletteOf(theme);
  const axis = { stroke: palette.quiet, grid: { stroke: palette.line, width: 1 }, ticks: { stroke: palette.line, width: 1 } };
  const value = (_plot: uPlot, each: number | null): string => (each === null || each === undefined ? "-" : number(each));
  const edge = { points: { show: false }, stroke: "transparent", width: 0, value };
  return {
    cursor: { drag: { x: true, y: false, setScale: false } },
    scales: { y: { range: (_plot, _low, high) => [0, Math.max(high * 1.08, 1e-9)] } },
    axes: [{ ...axis, values: timeForms as uPlot.Axis.Values }, { ...axis, size: 56, values: (_plot, values) => values.map((each) => number(each)) }],
    bands: [{ series: [3, 2], fill: palette.bar + "80" }],
    series: [
      { label: "time", value: (_plot, time) => (time === null || time === undefined ? "-" : timeText(Math.round(time))) },
      { label: form.title, stroke: palette.accent, width: 2, points: { show: true, size: 4, fill: palette.accent }, value },
      { label: "95 % from", ...edge },
      { label: "to", ...edge },
    ],
    hooks: {
      draw: [(plot) => paintAlone(plot, series, palette.bar), (plot) => paintMarks(plot, marks, theme)],
      setSelect: [
        (plot) => {
          if (plot.select.width < 5) return;
          const at = (x: number): number => Math.floor(plot.posToVal(x, "x"));
          onSpan(at(plot.select.left), at(plot.select.left + plot.select.width) + 1);
        },
      ],
    },
  };
}

function columnsOf(form: RateForm): Column<Moment>[] {
  return [
    { name: "begin", title: "from", value: (row) => row.begin_s, cell: (row) => timeText(row.begin_s) },
    { name: "rate", title: form.title, numeric: true, value: (row) => row.rate?.value ?? null, cell: (row) => rateText(row.rate, form) },
    { name: "samples", title: "samples", numeric: true, value: (row) => row.samples, cell: (row) => grouped(row.samples) },
    { name: "measurements", title: "measurements", numeric: true, value: (row) => row.measurements, cell: (row) => grouped(row.measurements) },
  ];
}

interface Props {
  label: string;
  found: OverTime;
  // New ones are marked.
  releases?: Named[];
  height?: number;
}

export function RateChart({ label, found, releases = [], height = 220 }: Props) {
  const { theme } = usePage();
  const change = useChange();
  const form = rateForm(found);
  const series = useMemo(() => seriesOf(found, form.factor), [found]);
  const data = useMemo((): uPlot.AlignedData => [series.times, series.values, series.lows, series.highs], [series]);
  const marks = useMemo(
    () => releases.filter((each) => each.first_s > found.begin_s).slice(0, 6).map((each) => ({ at: each.first_s, text: `release ${releaseText(each.name)}` })),
    [releases, found],
  );
  const options = useMemo(
    () => optionsOf({ series, form, marks, theme, onSpan: (begin, end) => change({ since: String(begin), until: String(end) }) }),
    [series, marks, theme],
  );
  return (
    <>
      <Plot label={`${label}; the table below has the same`} height={height} data={data} options={options} />
      <details class="behind">
        <summary>
          Each point is {lengthText(found.bucket_s)}; where there is none nothing was measured. Drag to choose a time. The same as a table
        </summary>
        <Table label={`${label}, as a table`} columns={columnsOf(form)} rows={found.moments} rowKey={(row) => String(row.begin_s)} order={{ column: "begin", descending: true }} size="half" />
      </details>
    </>
  );
}
