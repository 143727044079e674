// SPDX-License-Identifier: MIT
// A canvas that is drawn in CSS pixels, sharp on every screen, and how wide there is room.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { RefObject } from "preact";

export type Draw = (context: CanvasRenderingContext2D, width: number, height: number) => void;

interface Props {
  width: number;
  height: number;
  draw: Draw;
}

export function Canvas({ width, height, draw }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (!element || !context || width <= 0 || height <= 0) return;
    const scale = window.devicePixelRatio || 1;
    element.width = Math.round(width * scale);
    element.height = Math.round(height * scale);
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    draw(context, width, height);
  });
  return <canvas ref={canvas} aria-hidden="true" style={{ width: `${width}px`, height: `${height}px`, display: "block" }} />;
}

export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const watched = element.current;
    if (!watched) return;
    const measure = (): void => setWidth(Math.floor(watched.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(watched);
    return () => observer.disconnect();
  }, []);
  return width;
}

const fewestLetters = 3;
const lettersOfBothEnds = 16;

// Returns how many letters wide a character is: two for Chinese, none for a combining character.
type Letters = (character: string) => number;

// Returns as many characters as fit into `letters`, from the first on.
function fitting(characters: string[], letters: number, lettersOf: Letters): string[] {
  let left = letters;
  const end = characters.findIndex((each) => (left -= lettersOf(each)) < 0);
  return end < 0 ? characters : characters.slice(0, end);
}

// Returns `text` if it fits into `letters`, else a part of it with "…": its beginning, or both ends if there is room
// for them; "" if there is no room for three letters and the mark.
export function shortened(text: string, letters: number, lettersOf: Letters = () => 1): string {
  const characters = Array.from(text);
  if (fitting(characters, letters, lettersOf).length === characters.length) return text;
  const room = letters - 1;
  if (room < fewestLetters) return "";
  const front = room < lettersOfBothEnds ? room : Math.ceil(room / 2);
  const end = fitting([...characters].reverse(), room - front, lettersOf).reverse();
  while (end[0] !== undefined && lettersOf(end[0]) === 0) end.shift();
  return `${fitting(characters, front, lettersOf).join("")}…${end.join("")}`;
}

// Returns the widths of characters in a font in which ASCII's are of one width.
function lettersIn(context: CanvasRenderingContext2D, letter: number): Letters {
  return (character) => (character < "\u007f" ? 1 : Math.round((10 * context.measureText(character).width) / letter) / 10);
}

// The same by pixels.
export function fitted(context: CanvasRenderingContext2D, text: string, width: number): string {
  const letter = context.measureText("m").width;
  return shortened(text, Math.floor(width / letter), lettersIn(context, letter));
}

// As much of its beginning as fits.
export function begun(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  const letter = context.measureText("m").width;
  const room = Math.floor(width / letter) - 1;
  return room < 1 ? "" : `${fitting(Array.from(text), room, lettersIn(context, letter)).join("")}…`;
}

export const canvasFont = '12px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace';
