// SPDX-License-Identifier: MIT
// uPlot in a frame that follows the width.
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useWidth } from "./canvas";

interface Props {
  label: string;
  height: number;
  data: uPlot.AlignedData;
  // Without the size. A new object draws anew.
  options: Omit<uPlot.Options, "width" | "height">;
}

export function Plot({ label, height, data, options }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const plot = useRef<uPlot | null>(null);
  useEffect(() => {
    const place = frame.current;
    if (!place || width === 0) return;
    const made = new uPlot({ ...options, width, height }, data, place);
    plot.current = made;
    return () => {
      made.destroy();
      plot.current = null;
    };
  }, [options, data, width, height]);
  return <div ref={frame} class="plot" role="img" aria-label={label} style={{ minHeight: `${height}px` }} />;
}
