// SPDX-License-Identifier: MIT
// Paints how often events were counted: a lane each, as high as the most in the window.
import { begun, canvasFont } from "../../components/canvas";
import { colourOf, paletteOf, type Palette, type Theme } from "../../colours";
import { axisRateText, printable } from "../../format";
import { placeOf, type Area } from "./draw";
import type { RateCell, ShownRate } from "./rates";

export const rateHeight = 36;
const gapHeight = 3;

export function paintRates(context: CanvasRenderingContext2D, rates: ShownRate[], top: number, area: Area, theme: Theme): void {
  const palette = paletteOf(theme);
  rates.forEach((rate, row) => {
    const at = top + row * rateHeight;
    for (const cell of rate.cells) paintCell(context, cell, rate, at, area, palette, colourOf(rate.event, theme));
    paintLabel(context, rate, at, area, palette);
  });
}

function paintCell(context: CanvasRenderingContext2D, cell: RateCell, rate: ShownRate, top: number, area: Area, palette: Palette, colour: string): void {
  // Whole pixels leave no seams between cells.
  const x = Math.floor(Math.max(area.left, placeOf(cell.from, area)));
  const next = Math.ceil(Math.min(area.left + area.width, placeOf(cell.to, area)));
  const room = rateHeight - 4;
  if (next <= x) return;
  context.fillStyle = cell.perBillion === null ? palette.mark : palette.back;
  context.fillRect(x, top, next - x, room);
  if (cell.isGap) {
    context.fillStyle = palette.mark;
    context.fillRect(x, top, next - x, gapHeight);
  }
  if (!cell.perBillion || !rate.most) return;
  // A little that was counted is to be seen, too.
  const height = Math.max(1, (cell.perBillion / rate.most) * (room - gapHeight));
  context.fillStyle = colour;
  context.fillRect(x, top + room - height, next - x, height);
}

function paintLabel(context: CanvasRenderingContext2D, rate: ShownRate, top: number, area: Area, palette: Palette): void {
  const width = area.left - 12;
  context.font = canvasFont;
  context.textBaseline = "middle";
  context.fillStyle = palette.ink;
  context.fillText(begun(context, printable(rate.event), width), 6, top + rateHeight * 0.28);
  context.fillStyle = palette.quiet;
  // A number is not to be cut.
  const texts = rate.most === null ? ["not measured", "-"] : [`to ${axisRateText(rate.most, area.unit)}`, axisRateText(rate.most, area.unit)];
  const fitting = texts.find((text) => context.measureText(text).width <= width) ?? "";
  context.fillText(fitting, 6, top + rateHeight * 0.7);
}
