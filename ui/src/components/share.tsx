// SPDX-License-Identifier: MIT
// A share as a bar with its interval, beside "12.3% ±0.4".
import { shareText } from "../format";
import type { Share } from "../schema";

// Returns the share that fills a bar: the largest of all; 1 if there is none.
export function fullShare(shares: (Share | null | undefined)[]): number {
  return Math.max(0, ...shares.map((share) => share?.value ?? 0)) || 1;
}

interface Props {
  share: Share | null | undefined;
  // The share of a full bar.
  full?: number;
}

export function ShareBar({ share, full = 1 }: Props) {
  const width = (part: number): string => `${(Math.min(1, Math.max(0, part / full)) * 100).toFixed(2)}%`;
  return (
    <span class="share-bar" aria-hidden="true">
      {share && <span class="share-fill" style={{ width: width(share.value) }} />}
      {share && share.low !== null && share.high !== null && (
        <span
          class="share-interval"
          style={{ left: width(share.low), width: width(Math.max(0, share.high - share.low)) }}
        />
      )}
    </span>
  );
}

export function ShareCell({ share, full }: Props) {
  return (
    <span class="share">
      <ShareBar share={share} full={full} />
      <span class="share-text">{shareText(share)}</span>
    </span>
  );
}
