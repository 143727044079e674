// SPDX-License-Identifier: MIT
// A rate over time as lines: of a bucket without a measurement there is nothing, which is no zero.
import type { Moment, OverTime } from "./schema";

export interface Series {
  times: number[]; // the middles of all buckets, those without a measurement as well
  values: (number | null)[];
  lows: (number | null)[];
  highs: (number | null)[];
}

export function seriesOf(found: OverTime, factor: number): Series {
  const series: Series = { times: [], values: [], lows: [], highs: [] };
  const moments = new Map<number, Moment>(found.moments.map((each) => [each.begin_s, each]));
  const scaled = (value: number | null | undefined): number | null => (value === null || value === undefined ? null : value * factor);
  const first = found.moments[0]?.begin_s ?? found.begin_s;
  for (let begin = first; begin < found.end_s; begin += found.bucket_s) {
    const rate = moments.get(begin)?.rate;
    series.times.push(begin + found.bucket_s / 2);
    series.values.push(scaled(rate?.value));
    series.lows.push(scaled(rate?.low));
    series.highs.push(scaled(rate?.high));
  }
  return series;
}

// Those with no measurement on either side: no line leads to them.
export function isAlone(values: (number | null)[], index: number): boolean {
  return values[index] !== null && (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null;
}
