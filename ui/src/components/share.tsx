// SPDX-License-Identifier: MIT
// A share as a bar with its interval, beside "12.3% ±0.4".
import { shareText } from "../format";
import type { Share } from "../schema";

export function ShareBar({ share }: { share: Share | null | undefined }) {
  const width = (part: number): string => `${(Math.min(1, Math.max(0, part)) * 100).toFixed(2)}%`;
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

export function ShareCell({ share }: { share: Share | null | undefined }) {
  return (
    <span class="share">
      <ShareBar share={share} />
      <span class="share-text">{shareText(share)}</span>
    </span>
  );
}
