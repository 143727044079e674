// SPDX-License-Identifier: MIT
// Beside the pointer, inside a frame that is `position: relative`.
import type { ComponentChildren } from "preact";

interface Props {
  x: number;
  y: number;
  frameWidth: number;
  children: ComponentChildren;
}

export function Tooltip({ x, y, frameWidth, children }: Props) {
  const onLeft = x > frameWidth / 2;
  const place = onLeft ? { right: `${frameWidth - x + 12}px` } : { left: `${x + 12}px` };
  return (
    <div class="tooltip" aria-hidden="true" style={{ ...place, top: `${y + 14}px` }}>
      {children}
    </div>
  );
}
