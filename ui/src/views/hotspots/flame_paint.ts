// SPDX-License-Identifier: MIT
// Paints the boxes of the call graph.
import { canvasFont, fitted } from "../../components/canvas";
import { colourOf, otherColour, paletteOf, type Theme } from "../../colours";
import { printable, shortName } from "../../format";
import type { Box } from "./tree";

export const rowHeight = 18;

export interface Look {
  width: number;
  rows: number;
  // Callers below what they call.
  upwards: boolean;
  search: string;
  theme: Theme;
  current: Box | undefined;
}

// The root, processes and threads.
function isNoFunction(box: Box): boolean {
  return box.depth === 0 || box.node.kind !== "function";
}

function paintBox(context: CanvasRenderingContext2D, box: Box, look: Look): void {
  const { theme, search } = look;
  const palette = paletteOf(theme);
  const x = box.begin * look.width;
  const y = (look.upwards ? look.rows - 1 - box.depth : box.depth) * rowHeight;
  const wide = (box.end - box.begin) * look.width;
  const name = box.node.function;
  const isMatch = search !== "" && name.toLowerCase().includes(search.toLowerCase());
  context.globalAlpha = search !== "" && !isMatch ? 0.45 : 1;
  context.fillStyle = isMatch ? palette.mark : isNoFunction(box) ? otherColour(theme) : colourOf(name, theme);
  context.fillRect(x, y, Math.max(0.5, wide - 1), rowHeight - 1);
  context.globalAlpha = 1;
  context.fillStyle = palette.ink;
  const label = box.node.kind === "function" ? shortName(name) : printable(name);
  context.fillText(fitted(context, label, wide - 8), x + 4, y + rowHeight / 2);
  if (box !== look.current) return;
  context.strokeStyle = palette.ink;
  context.lineWidth = 2;
  context.strokeRect(x + 1, y + 1, Math.max(2, wide - 3), rowHeight - 3);
}

export function paintBoxes(context: CanvasRenderingContext2D, boxes: Box[], look: Look): void {
  context.font = canvasFont;
  context.textBaseline = "middle";
  for (const box of boxes) paintBox(context, box, look);
}
