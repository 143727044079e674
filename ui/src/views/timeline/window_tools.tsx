// SPDX-License-Identifier: MIT
// Which part of the run is shown, in words, and buttons to change it.
import type { ComponentChildren } from "preact";
import { axisText } from "../../format";
import type { TimeUnit } from "../../schema";
import { afterKey, type Window } from "./window";

interface Props {
  window: Window;
  end: number;
  unit: TimeUnit;
  onChange: (window: Window) => void;
  // Told beside the buttons.
  children: ComponentChildren;
}

export function WindowTools({ window, end, unit, onChange, children }: Props) {
  const isWhole = window.from <= 0 && window.to >= end;
  // The buttons do what the keys do.
  const press = (key: string): void => onChange(afterKey(key, window, end) ?? window);
  return (
    <div class="toolbar" role="group" aria-label="Part of the run">
      <span class="window-text">
        {axisText(window.from, unit)} to {axisText(window.to, unit)} of {axisText(end, unit)}
      </span>
      <button type="button" onClick={() => press("+")}>
        Zoom in
      </button>
      <button type="button" onClick={() => press("-")} disabled={isWhole}>
        Zoom out
      </button>
      <button type="button" onClick={() => press("0")} disabled={isWhole}>
        Whole run
      </button>
      <span class="quiet">Drag to show a range, Shift and drag to move.</span>
      <span class="quiet" aria-live="polite">
        {children}
      </span>
    </div>
  );
}
