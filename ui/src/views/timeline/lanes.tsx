// SPDX-License-Identifier: MIT
// The lanes with their window: wheel and keys zoom, a drag selects a range, keys and a drag with Shift move.
import { useMemo, useRef, useState } from "preact/hooks";
import { Canvas, useWidth } from "../../components/canvas";
import { Tooltip } from "../../components/tooltip";
import { paletteOf } from "../../colours";
import { useChange, usePage, useRecording } from "../../context";
import { printable, axisText } from "../../format";
import type { TimelineBy } from "../../requests";
import type { Timeline } from "./schema";
import * as draw from "./draw";
import { paintRates, rateHeight } from "./draw_rates";
import { HeldLanes } from "./held";
import { ranAt, rowName, rowText } from "./lane_text";
import { Legend } from "./legend";
import { Moments } from "./moments";
import { useParts } from "./parts";
import { RateTable } from "./rate_table";
import { rateAt, shownRates } from "./rates";
import { binsOf, rowsOf, toggledOf, toggledText, type LaneRow } from "./rows";
import { useDrag } from "./use_drag";
import { useWheel, useWindow } from "./use_window";
import { afterKey, pickOf, spanOfPick, windowOfPick } from "./window";
import { WindowTools } from "./window_tools";

interface Props {
  whole: Timeline;
  by: TimelineBy;
  search: string;
}

const ratesTop = draw.axisHeight + draw.episodeHeight;
const belowRates = 6;

export function Lanes({ whole, by, search }: Props) {
  const { theme, route } = usePage();
  const change = useChange();
  const recording = useRecording();
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const end = whole.end_at;
  const [window, setWindow] = useWindow(end);
  const { parts, failure } = useParts(recording, whole.event, by, window, end);
  const [current, setCurrent] = useState(-1);
  const toggled = useMemo(() => toggledOf(route.params.folds), [route.params.folds]);
  const rows = useMemo(() => rowsOf(whole, toggled), [whole, toggled]);
  const left = Math.min(250, Math.max(92, Math.round(width * 0.18)));
  const area: draw.Area = { left, width: Math.max(1, width - left), window, unit: whole.unit };
  const all = [whole, ...parts];
  const rates = shownRates(whole, parts, window);
  const top = ratesTop + rates.length * rateHeight + belowRates;
  const bottom = top + rows.length * draw.laneHeight;
  const picked = pickOf(route.params);
  const toggle = (row: LaneRow): void => change({ folds: toggledText(toggled, row.key) }, true);
  const choose = (row: LaneRow | undefined, at: number): void => {
    if (!row) return;
    if (row.kind !== "lane") return toggle(row);
    if (at < 0 || at > end) return;
    const span = spanOfPick((window.to - window.from) / area.width, whole.interval);
    change({ lane: rowName(row), at: String(Math.round(at)), span: String(span) }, true);
  };
  const rowAt = (y: number): LaneRow | undefined => rows[Math.floor((y - top) / draw.laneHeight)];
  const clicked = (x: number, y: number): void => {
    const row = rowAt(y);
    if (x >= left) choose(row, draw.timeAt(x, area));
    else if (row && row.kind !== "lane") toggle(row);
  };
  const drag = useDrag(area, end, setWindow, clicked);
  useWheel(frame, window, area, end, setWindow);

  const textAt = (x: number, y: number): string => {
    const row = rowAt(y);
    if (x < left) return row ? printable(rowName(row)) : "";
    const time = draw.timeAt(x, area);
    const rate = y < ratesTop ? undefined : rates[Math.floor((y - ratesTop) / rateHeight)];
    if (rate) return `${printable(rate.event)} at ${axisText(time, whole.unit)}\n${rateAt(rate, time, whole.unit)}`;
    return row ? `${printable(rowName(row))} at ${axisText(time, whole.unit)}\n${ranAt(all, row, time)}` : "";
  };

  const paint = (context: CanvasRenderingContext2D): void => {
    const palette = paletteOf(theme);
    draw.paintEpisodes(context, whole, area, theme);
    paintRates(context, rates, ratesTop, area, theme);
    for (const part of all) {
      const colours = draw.coloursOf(part, theme, search);
      rows.forEach((row, index) => {
        // A lane may be left out of a part that has many.
        const isThere = part.lanes.some((each) => row.lanes.includes(each.name));
        if (!isThere && part.all_lanes > part.lanes.length) return;
        draw.paintLane(context, part, binsOf(part, row), colours, top + index * draw.laneHeight, area, palette.back);
      });
    }
    draw.paintRowNames(context, rows, top, left, theme, current);
    draw.paintAxis(context, draw.axisHeight, bottom, draw.axisHeight / 2, area, theme);
    const row = rows.findIndex((each) => each.kind === "lane" && each.lanes[0] === picked?.lane);
    if (picked && row >= 0) draw.paintPlace(context, windowOfPick(picked, end), top + row * draw.laneHeight, area, theme);
    // Where Enter would look.
    const middle = (window.from + window.to) / 2;
    if (rows[current]?.kind === "lane") draw.paintPlace(context, { from: middle, to: middle }, top + current * draw.laneHeight, area, theme);
    if (drag.range) draw.paintRange(context, drag.range, bottom, area, theme);
    if (drag.pointer && drag.pointer.x >= left) draw.paintRuler(context, drag.pointer.x, bottom, area, theme);
  };

  const pressed = (event: KeyboardEvent): void => {
    const next = afterKey(event.key, window, end);
    if (next) setWindow(next);
    else if (event.key === "ArrowDown") setCurrent(Math.min(rows.length - 1, current + 1));
    else if (event.key === "ArrowUp") setCurrent(Math.max(0, current - 1));
    else if (event.key === "Enter" && current >= 0) choose(rows[current], (window.from + window.to) / 2);
    else if (event.key === "Escape" && drag.range) drag.cancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const { range, pointer } = drag;
  const hovered = !pointer ? "" : range ? rangeText(range.from, range.to, whole) : drag.isMoving ? "" : textAt(pointer.x, pointer.y);
  return (
    <>
      <WindowTools window={window} end={end} unit={whole.unit} onChange={setWindow}>
        {rowText(rows[current], whole)} {picked && `The samples at ${axisText(picked.at, whole.unit)} are below.`} {failure}
      </WindowTools>
      <div
        ref={frame}
        class="graph selectable"
        tabIndex={0}
        role="application"
        aria-roledescription="time line"
        aria-label="How often each event was counted, and functions over time, one row for each lane; left and right move, plus and minus zoom, 0 shows all, up and down choose a lane, Enter shows the samples in its middle or folds a group; the tables below have the sums"
        onKeyDown={pressed}
        {...drag.handlers}
      >
        <Canvas width={width} height={bottom + 4} draw={paint} />
        {pointer && hovered && (
          <Tooltip x={pointer.x} y={pointer.y} frameWidth={width}>
            {hovered}
          </Tooltip>
        )}
      </div>
      <Legend whole={whole} />
      {picked && <Moments event={whole.event} by={by} pick={picked} window={windowOfPick(picked, end)} unit={whole.unit} />}
      <RateTable rates={rates} unit={whole.unit} isSlowed={whole.unit === "ns" && whole.recording.pmu === "software"} />
      {whole.last_level_cache && <HeldLanes width={width} area={area} left={left} />}
    </>
  );
}

function rangeText(from: number, to: number, { unit }: Timeline): string {
  return `${axisText(from, unit)} to ${axisText(to, unit)}\n${axisText(to - from, unit)} long`;
}
