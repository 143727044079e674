// SPDX-License-Identifier: MIT
// The tree of calls as boxes: callers below what they call (flame graph) or above it (icicle).
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Canvas, useWidth } from "../../components/canvas";
import { Tooltip } from "../../components/tooltip";
import { useChange, usePage } from "../../context";
import { countOf, percent, printable } from "../../format";
import type { Flame } from "../../schema";
import { paintBoxes, rowHeight } from "./flame_paint";
import { FlameTable } from "./flame_table";
import { boxesOf, inverted, matchedShare, parentPath, type Box } from "./tree";

interface Props {
  answer: Flame;
  upwards: boolean;
  leavesFirst: boolean;
  search: string;
}

// Narrower boxes are not drawn.
const fewestPixels = 1;

// The box that an arrow key leads to.
function stepTo(boxes: Box[], from: Box, key: string, upwards: boolean): Box | undefined {
  const [toCallee, toCaller] = upwards ? ["ArrowUp", "ArrowDown"] : ["ArrowDown", "ArrowUp"];
  const parent = parentPath(from.path);
  if (key === toCaller) return from.path === "" ? undefined : boxes.find((box) => box.path === parent);
  if (key === toCallee) return boxes.find((box) => box.path !== "" && box.depth === from.depth + 1 && box.begin >= from.begin);
  const row = boxes.filter((box) => box.depth === from.depth).sort((a, b) => a.begin - b.begin);
  const place = row.findIndex((box) => box.path === from.path);
  return key === "ArrowRight" ? row[place + 1] : key === "ArrowLeft" ? row[place - 1] : undefined;
}

function textOf(box: Box, all: number): string {
  const { node } = box;
  const dso = node.dso ? ` (${node.dso})` : "";
  return printable(
    `${node.function}${dso}: ${percent(all ? node.events / all : 0)}, ${countOf(node.events, "event", "events")}, ` +
      `${countOf(node.self_events, "in itself", "in itself")}`,
  );
}

export function FlameGraph({ answer, upwards, leavesFirst, search }: Props) {
  const { theme, route } = usePage();
  const change = useChange();
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const [hovered, setHovered] = useState<{ box: Box; x: number; y: number } | null>(null);
  const [path, setPath] = useState<string | null>(null);
  const zoom = route.params.zoom ?? "";
  const root = useMemo(() => (leavesFirst ? inverted(answer.root) : answer.root), [answer, leavesFirst]);
  const boxes = useMemo(() => boxesOf(root, zoom, width > 0 ? fewestPixels / width : 0.001), [root, zoom, width]);
  const rows = Math.max(...boxes.map((box) => box.depth)) + 1;
  const height = rows * rowHeight + 1;
  const current = boxes.find((box) => box.path === path);

  // The callers stand at the lower edge of a flame graph, which may be higher than the window.
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (scroller.current) scroller.current.scrollTop = upwards ? scroller.current.scrollHeight : 0;
  }, [upwards, height, zoom]);

  const draw = (context: CanvasRenderingContext2D): void =>
    paintBoxes(context, boxes, { width, rows, upwards, search, theme, current });

  const boxAt = (event: MouseEvent): Box | undefined => {
    const area = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const x = (event.clientX - area.left) / Math.max(1, width);
    const row = Math.floor((event.clientY - area.top) / rowHeight);
    return boxes.find((box) => box.depth === (upwards ? rows - 1 - row : row) && x >= box.begin && x < box.end);
  };
  const zoomTo = (box: Box | undefined): void => {
    if (!box) return;
    setPath(box.path);
    change({ zoom: box.path });
  };
  const pressed = (event: KeyboardEvent): void => {
    if (event.key === "Enter") zoomTo(current);
    else if (event.key === "0") zoomTo(boxes[0]);
    else if (event.key.startsWith("Arrow")) {
      const next = current ? stepTo(boxes, current, event.key, upwards) : boxes[0];
      if (next) setPath(next.path);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <>
      <p class="quiet" aria-live="polite">
        {current ? textOf(current, root.events) : `${countOf(answer.samples, "sample", "samples")} of ${printable(answer.event)}.`}
        {answer.left_out > 0 && ` The innermost calls of ${countOf(answer.left_out, "sample", "samples")} were left out as too rare; the boxes of their callers count them.`}
        {search !== "" && ` ${percent(matchedShare(root, search))} in functions with "${search}".`}
        {zoom !== "" && " "}
        {zoom !== "" && (
          <button type="button" onClick={() => change({ zoom: "" })}>
            Show all
          </button>
        )}
      </p>
      <div ref={scroller} class="graph-frame">
        <div
          ref={frame}
          class="graph"
          tabIndex={0}
          role="application"
          aria-roledescription="call graph"
          aria-label="Calls as boxes, as wide as their share of the events; arrows move, Enter zooms, 0 shows all; the table below has the same data"
          onKeyDown={pressed}
          onClick={(event) => zoomTo(boxAt(event))}
          onMouseMove={(event) => {
            const box = boxAt(event);
            const area = event.currentTarget.getBoundingClientRect();
            setHovered(box ? { box, x: event.clientX - area.left, y: event.clientY - area.top } : null);
          }}
          onMouseLeave={() => setHovered(null)}
        >
          <Canvas width={width} height={height} draw={draw} />
          {hovered && (
            <Tooltip x={hovered.x} y={hovered.y} frameWidth={width} frameHeight={height}>
              {textOf(hovered.box, root.events)}
            </Tooltip>
          )}
        </div>
      </div>
      <FlameTable boxes={boxes} all={root.events} onZoom={zoomTo} />
    </>
  );
}
