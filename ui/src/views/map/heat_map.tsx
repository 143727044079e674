// SPDX-License-Identifier: MIT
// Regions of the cache from top to bottom, time from left to right: how many ways are in use.
import { useRef, useState } from "preact/hooks";
import { Canvas, useWidth } from "../../components/canvas";
import { Tooltip } from "../../components/tooltip";
import { heatColour, paletteOf } from "../../colours";
import { usePage } from "../../context";
import { axisText, grouped, number } from "../../format";
import type { CacheMap } from "../../schema";

const left = 46;
const bottom = 20;

interface Cell {
  column: number;
  region: number;
}

function usedBy(map: CacheMap, cell: Cell): number | null {
  return map.columns[cell.column]?.ways?.[cell.region] ?? null;
}

// From nothing in use to twice what the cache has.
function levelOf(ways: number, map: CacheMap): number {
  return ways / (2 * map.cache.ways);
}

function cellText(map: CacheMap, cell: Cell): string {
  const column = map.columns[cell.column];
  const begin = map.columns[0]?.begin_at ?? 0;
  if (!column) return "";
  const used = usedBy(map, cell);
  return (
    `region ${cell.region} at ${axisText(column.begin_at - begin, map.unit)}: ` +
    (used === null ? "not known" : `${number(used)} ways in use of ${map.cache.ways}`) +
    `; ${grouped(column.samples)} samples in this time`
  );
}

export function HeatMap({ map }: { map: CacheMap }) {
  const { theme } = usePage();
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const [cell, setCell] = useState<Cell | null>(null);
  const [pointer, setPointer] = useState<{ x: number; y: number } | null>(null);
  const regions = map.mean_ways.length;
  const columns = map.columns.length;
  if (regions === 0 || columns === 0) return <p class="state">No sample has a data address.</p>;
  const rowHeight = Math.max(3, Math.min(22, Math.floor(420 / regions)));
  const height = regions * rowHeight + bottom;
  const cellWidth = Math.max(0, (width - left) / columns);
  const palette = paletteOf(theme);
  const span = (map.columns[columns - 1]?.begin_at ?? 0) - (map.columns[0]?.begin_at ?? 0);

  const draw = (context: CanvasRenderingContext2D): void => {
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    for (let column = 0; column < columns; ++column) {
      for (let region = 0; region < regions; ++region) {
        const used = usedBy(map, { column, region });
        context.fillStyle = used === null ? palette.back : heatColour(levelOf(used, map), theme);
        context.fillRect(left + column * cellWidth, region * rowHeight, Math.ceil(cellWidth), rowHeight - (rowHeight > 6 ? 1 : 0));
      }
    }
    context.fillStyle = palette.quiet;
    const every = Math.ceil(16 / rowHeight);
    for (let region = 0; region < regions; region += every) context.fillText(String(region), 8, region * rowHeight + rowHeight / 2);
    for (const part of [0, 0.25, 0.5, 0.75]) {
      context.fillText(axisText(span * part, map.unit), left + part * (width - left), height - bottom / 2);
    }
    if (cell) {
      context.strokeStyle = palette.ink;
      context.lineWidth = 2;
      context.strokeRect(left + cell.column * cellWidth, cell.region * rowHeight, Math.max(3, cellWidth), rowHeight);
    }
  };

  const move = (event: MouseEvent): void => {
    const area = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const [x, y] = [event.clientX - area.left, event.clientY - area.top];
    const found = { column: Math.floor((x - left) / Math.max(1e-6, cellWidth)), region: Math.floor(y / rowHeight) };
    const inside = found.column >= 0 && found.column < columns && found.region >= 0 && found.region < regions;
    setCell(inside ? found : null);
    setPointer(inside ? { x, y } : null);
  };
  const pressed = (event: KeyboardEvent): void => {
    const steps: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const step = steps[event.key];
    if (!step) return;
    const from = cell ?? { column: 0, region: 0 };
    setCell({
      column: Math.min(columns - 1, Math.max(0, from.column + step[0])),
      region: Math.min(regions - 1, Math.max(0, from.region + step[1])),
    });
    setPointer(null);
    event.preventDefault();
  };

  return (
    <>
      <p class="quiet" aria-live="polite">
        {cell ? cellText(map, cell) : `Rows are regions of ${map.cache.name}; columns are time.`}
      </p>
      <div
        ref={frame}
        class="graph"
        tabIndex={0}
        role="application"
        aria-roledescription="heat map"
        aria-label="Ways in use in each region over time; arrows move; the table below has the averages"
        onMouseMove={move}
        onMouseLeave={() => setPointer(null)}
        onKeyDown={pressed}
      >
        <Canvas width={width} height={height} draw={draw} />
        {pointer && cell && (
          <Tooltip x={pointer.x} y={pointer.y} frameWidth={width}>
            {cellText(map, cell)}
          </Tooltip>
        )}
      </div>
      <Legend map={map} />
    </>
  );
}

function Legend({ map }: { map: CacheMap }) {
  const { theme } = usePage();
  const ways = map.cache.ways;
  return (
    <p class="legend">
      Ways in use:
      {[0, ways / 2, ways, ways * 1.5, ways * 2].map((each) => (
        <span key={each}>
          <span class="swatch" aria-hidden="true" style={{ backgroundColor: heatColour(levelOf(each, map), theme) }} />
          {number(each)}
          {each === ways ? " (all there are)" : each === ways * 2 ? " or more" : ""}
        </span>
      ))}
    </p>
  );
}
