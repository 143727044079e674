// SPDX-License-Identifier: MIT
// The window as a part of the link, and what the wheel makes of it.
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useChange, usePage } from "../../context";
import { timeAt, type Area } from "./draw";
import { moved, within, zoomed, type Window } from "./window";

// A window at rest for so long goes into the link.
const restMs = 250;

// With `isStep`, the browser's Back returns to the window before.
export type SetWindow = (next: Window, isStep?: boolean) => void;

// Returns the window of the link, or the whole run if the link has none. It is kept here while it moves, and goes into
// the link at rest.
export function useWindow(end: number): [Window, SetWindow] {
  const { route } = usePage();
  const change = useChange();
  const asked = { from: Number(route.params.from ?? 0), to: Number(route.params.to ?? end) };
  const linked = within(Number.isFinite(asked.from) && asked.to > asked.from ? asked : { from: 0, to: end }, end);
  const [window, setWindow] = useState(linked);
  useEffect(() => setWindow(linked), [route.params.from, route.params.to, end]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const move: SetWindow = (next, isStep = false) => {
    setWindow(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const isWhole = next.from <= 0 && next.to >= end;
      change({ from: isWhole ? "" : String(Math.round(next.from)), to: isWhole ? "" : String(Math.round(next.to)) }, !isStep);
    }, restMs);
  };
  return [window, move];
}

export function useWheel(
  frame: RefObject<HTMLElement | null>,
  window: Window,
  area: Area,
  end: number,
  onChange: (window: Window) => void,
): void {
  const latest = useRef({ window, area });
  latest.current = { window, area };
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const rolled = (event: WheelEvent): void => {
      const now = latest.current;
      const isWhole = now.window.from <= 0 && now.window.to >= end;
      // Where there is nothing to zoom out to, or to move to, the page scrolls.
      if (isWhole && (event.deltaY >= 0 || event.shiftKey)) return;
      event.preventDefault();
      const x = event.clientX - element.getBoundingClientRect().left;
      const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
      const next = isSideways
        ? moved(now.window, (event.deltaX || event.deltaY) / 1200, end)
        : zoomed(now.window, Math.exp(event.deltaY / 400), timeAt(Math.max(now.area.left, x), now.area), end);
      // Several turns may come before the next drawing.
      latest.current = { window: next, area: { ...now.area, window: next } };
      onChange(next);
    };
    // The browser would scroll, unless the listener says that it may not.
    element.addEventListener("wheel", rolled, { passive: false });
    return () => element.removeEventListener("wheel", rolled);
  }, [end]);
}
