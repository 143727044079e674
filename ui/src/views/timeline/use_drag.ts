// SPDX-License-Identifier: MIT
// The pointer over the time line: a click chooses, a drag selects a range and shows it, a drag with Shift moves.
import { useRef, useState } from "preact/hooks";
import { timeAt, type Area } from "./draw";
import type { SetWindow } from "./use_window";
import { moved, rangeOf, within, type Window } from "./window";

// A pointer that moved less has clicked.
const clickPixels = 4;

interface Point {
  x: number;
  y: number;
}

interface Begun {
  x: number;
  window: Window;
  // Shift was down.
  isMove: boolean;
}

export interface Drag {
  pointer: Point | null;
  range: Window | null;
  isMoving: boolean;
  cancel: () => void;
  handlers: Record<"onPointerDown" | "onPointerMove" | "onPointerUp", (event: PointerEvent) => void> & Record<"onPointerCancel" | "onPointerLeave", () => void>;
}

function pointOf(event: PointerEvent): Point {
  const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
}

export function useDrag(area: Area, end: number, setWindow: SetWindow, onClick: (x: number, y: number) => void): Drag {
  const begun = useRef<Begun | null>(null);
  const [pointer, setPointer] = useState<Point | null>(null);
  const [range, setRange] = useState<Window | null>(null);
  const cancel = (): void => {
    begun.current = null;
    setRange(null);
  };
  const rangeTo = (x: number): Window => {
    const inside = (each: number): number => Math.min(area.left + area.width, Math.max(area.left, each));
    return rangeOf(timeAt(inside(begun.current?.x ?? x), area), timeAt(inside(x), area), end);
  };
  return {
    pointer,
    range,
    isMoving: begun.current?.isMove ?? false,
    cancel,
    handlers: {
      onPointerDown: (event) => {
        if (event.button !== 0) return;
        const { x } = pointOf(event);
        begun.current = { x, window: area.window, isMove: event.shiftKey };
        (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
      },
      onPointerMove: (event) => {
        const point = pointOf(event);
        setPointer(point);
        const from = begun.current;
        if (!from) return;
        if (from.isMove) setWindow(moved(from.window, (from.x - point.x) / area.width, end));
        else if (Math.abs(point.x - from.x) >= clickPixels) setRange(rangeTo(point.x));
      },
      onPointerUp: (event) => {
        const { x, y } = pointOf(event);
        const from = begun.current;
        if (from && Math.abs(x - from.x) < clickPixels) onClick(x, y);
        else if (from && !from.isMove) setWindow(within(rangeTo(x), end), true);
        cancel();
      },
      onPointerCancel: cancel,
      onPointerLeave: () => setPointer(null),
    },
  };
}
