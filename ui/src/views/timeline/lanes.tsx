// SPDX-License-Identifier: MIT
// The lanes with their window: wheel and keys zoom, drags and keys move.
import { useRef, useState } from "preact/hooks";
import { Canvas, useWidth } from "../../components/canvas";
import { Tooltip } from "../../components/tooltip";
import { paletteOf } from "../../colours";
import { useChange, usePage, useRecording } from "../../context";
import { percent, printable, axisText } from "../../format";
import type { TimelineBy } from "../../requests";
import type { Lane, Timeline } from "./schema";
import * as draw from "./draw";
import { paintRates, rateHeight } from "./draw_rates";
import { HeldLanes } from "./held";
import { Moments } from "./moments";
import { useParts } from "./parts";
import { RateTable } from "./rate_table";
import { rateAt, shownRates } from "./rates";
import { useWheel, useWindow } from "./use_window";
import { afterKey, moved, pickOf, spanOfPick, windowOfPick, type Window } from "./window";
import { WindowTools } from "./window_tools";

interface Props {
  whole: Timeline;
  by: TimelineBy;
  search: string;
}

const ratesTop = draw.episodeHeight;
const belowRates = 6;

// A pointer that moved less has clicked.
const clickPixels = 4;

// What ran in the lane at this time, by the finest part that is there.
function ranAt(parts: Timeline[], name: string, time: number): string {
  const part = [...parts].reverse().find((each) => time >= each.begin_at && time < each.end_at);
  const lane = part?.lanes.find((each) => each.name === name);
  if (!part) return "";
  const bin = lane?.bins[Math.floor((time - part.begin_at) / part.bin)];
  if (!bin) return "nothing ran";
  const names = [...part.functions.map((each) => each.function), "others"];
  return bin
    .map((ran, index) => ({ ran, name: names[index] ?? "others" }))
    .filter((each) => each.ran > 0)
    .sort((a, b) => b.ran - a.ran)
    .slice(0, 6)
    .map((each) => `${printable(each.name)}: ${axisText(each.ran, part.unit)}, ${percent(each.ran / part.bin)}`)
    .join("\n");
}

function laneText(lane: Lane | undefined, whole: Timeline): string {
  if (!lane) return "";
  if (!whole.counts_time) return `${printable(lane.name)}.`;
  const idle = lane.idle === null ? "" : `, idle ${axisText(lane.idle, whole.unit)}`;
  return `${printable(lane.name)}: ran ${axisText(lane.ran, whole.unit)}${idle}.`;
}

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
  const [pointer, setPointer] = useState<{ x: number; y: number } | null>(null);
  const drag = useRef<{ x: number; window: Window } | null>(null);
  const left = Math.min(210, Math.max(84, Math.round(width * 0.16)));
  const area: draw.Area = { left, width: Math.max(1, width - left), window, unit: whole.unit };
  const all = [whole, ...parts];
  const rates = shownRates(whole, parts, window);
  const top = ratesTop + rates.length * rateHeight + belowRates;
  const bottom = top + whole.lanes.length * draw.laneHeight;
  const palette = paletteOf(theme);
  const picked = pickOf(route.params);
  const choose = (lane: Lane | undefined, at: number): void => {
    if (!lane || at < 0 || at > end) return;
    const span = spanOfPick((window.to - window.from) / area.width, whole.interval);
    change({ lane: lane.name, at: String(Math.round(at)), span: String(span) }, true);
  };

  const textAt = (y: number, time: number): string => {
    const rate = rates[Math.floor((y - ratesTop) / rateHeight)];
    if (rate) return `${printable(rate.event)} at ${axisText(time, whole.unit)}\n${rateAt(rate, time, whole.unit)}`;
    const lane = whole.lanes[Math.floor((y - top) / draw.laneHeight)];
    return lane ? `${printable(lane.name)} at ${axisText(time, whole.unit)}\n${ranAt(all, lane.name, time)}` : "";
  };

  const paint = (context: CanvasRenderingContext2D): void => {
    draw.paintEpisodes(context, whole, area, theme);
    paintRates(context, rates, ratesTop, area, theme);
    for (const part of all) {
      const colours = draw.coloursOf(part, theme, search);
      whole.lanes.forEach((lane, index) => {
        const held = part.lanes.find((each) => each.name === lane.name);
        // A lane may be left out of a part that has many.
        if (!held && part.all_lanes > part.lanes.length) return;
        draw.paintLane(context, part, held, colours, top + index * draw.laneHeight, area, palette.back);
      });
    }
    draw.paintNames(context, whole.lanes.map((lane) => lane.name), top, draw.laneHeight, left, theme, current);
    draw.paintAxis(context, ratesTop, bottom, area, theme);
    const row = whole.lanes.findIndex((lane) => lane.name === picked?.lane);
    if (picked && row >= 0) draw.paintPlace(context, windowOfPick(picked, end), top + row * draw.laneHeight, area, theme);
    // Where Enter would look.
    const middle = (window.from + window.to) / 2;
    if (current >= 0) draw.paintPlace(context, { from: middle, to: middle }, top + current * draw.laneHeight, area, theme);
  };

  useWheel(frame, window, area, end, setWindow);

  const pressed = (event: KeyboardEvent): void => {
    const next = afterKey(event.key, window, end);
    if (next) setWindow(next);
    else if (event.key === "ArrowDown") setCurrent(Math.min(whole.lanes.length - 1, current + 1));
    else if (event.key === "ArrowUp") setCurrent(Math.max(0, current - 1));
    else if (event.key === "Enter" && current >= 0) choose(whole.lanes[current], (window.from + window.to) / 2);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const moveTo = (event: PointerEvent): void => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const x = event.clientX - box.left;
    if (drag.current) {
      const part = (drag.current.x - x) / area.width;
      setWindow(moved(drag.current.window, part, end));
    }
    setPointer({ x, y: event.clientY - box.top });
  };

  const released = (event: PointerEvent): void => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const x = event.clientX - box.left;
    const clicked = drag.current !== null && Math.abs(x - drag.current.x) < clickPixels && event.button === 0;
    drag.current = null;
    const row = Math.floor((event.clientY - box.top - top) / draw.laneHeight);
    if (clicked && x >= left) choose(whole.lanes[row], draw.timeAt(x, area));
  };

  const hovered = pointer && !drag.current && pointer.x >= left ? textAt(pointer.y, draw.timeAt(pointer.x, area)) : "";
  return (
    <>
      <WindowTools window={window} end={end} unit={whole.unit} onChange={setWindow}>
        {laneText(whole.lanes[current], whole)} {picked && `The samples at ${axisText(picked.at, whole.unit)} are below.`} {failure}
      </WindowTools>
      <div
        ref={frame}
        class="graph draggable"
        tabIndex={0}
        role="application"
        aria-roledescription="time line"
        aria-label="How often each event was counted, and functions over time, a row each lane; left and right move, plus and minus zoom, 0 shows all, up and down choose a lane, Enter shows the samples in its middle; the tables below have the sums"
        onKeyDown={pressed}
        onPointerDown={(event) => {
          const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
          drag.current = { x, window };
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={moveTo}
        onPointerUp={released}
        onPointerCancel={() => (drag.current = null)}
        onPointerLeave={() => setPointer(null)}
      >
        <Canvas width={width} height={bottom + draw.axisHeight} draw={paint} />
        {pointer && hovered && (
          <Tooltip x={pointer.x} y={pointer.y} frameWidth={width}>
            {hovered}
          </Tooltip>
        )}
      </div>
      {picked && <Moments event={whole.event} by={by} pick={picked} window={windowOfPick(picked, end)} unit={whole.unit} />}
      <RateTable rates={rates} unit={whole.unit} isSlowed={whole.unit === "ns" && whole.recording.pmu === "software"} />
      {whole.last_level_cache && <HeldLanes width={width} area={area} left={left} />}
    </>
  );
}
