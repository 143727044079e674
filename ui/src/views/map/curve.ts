// SPDX-License-Identifier: MIT
// Curves of misses over sizes, put on one axis.
import type { SizePoint } from "../../schema";

export interface NamedCurve {
  name: string;
  points: SizePoint[];
}

// For uPlot: the sizes in order, then for each curve its values, null where it has no point.
export function aligned(curves: NamedCurve[]): [number[], ...(number | null)[][]] {
  const sizes = [...new Set(curves.flatMap((curve) => curve.points.map((point) => point.bytes)))].sort((a, b) => a - b);
  const values = curves.map((curve) => {
    const bySize = new Map(curve.points.map((point) => [point.bytes, point.missed.value]));
    return sizes.map((size) => bySize.get(size) ?? null);
  });
  return [sizes, ...values];
}
