// SPDX-License-Identifier: MIT
// Beside the pointer, inside a frame that is `position: relative`.
import type { ComponentChildren } from "preact";

interface Props {
  x: number;
  y: number;
  frameWidth: number;
  // The height of a frame that would grow by a tooltip below its lower edge.
  frameHeight?: number;
  children: ComponentChildren;
}

export function Tooltip({ x, y, frameWidth, frameHeight, children }: Props) {
  const onLeft = x > frameWidth / 2;
  const isAbove = frameHeight !== undefined && y > frameHeight / 2;
  const height = isAbove ? { bottom: `${frameHeight - y + 8}px` } : { top: `${y + 14}px` };
  const place = onLeft ? { right: `${frameWidth - x + 12}px` } : { left: `${x + 12}px` };
  return (
    <div class="tooltip" aria-hidden="true" style={{ ...place, ...height }}>
      {children}
    </div>
  );
}
