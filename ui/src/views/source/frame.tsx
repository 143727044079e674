// SPDX-License-Identifier: MIT
// The frame around a listing. It opens at the row that is marked, else at the hottest row, and follows the mark.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface Props {
  label: string;
  chosen: string;
  // A change leads to the hottest row again.
  hottest: string;
  children: ComponentChildren;
}

export function ListingFrame({ label, chosen, hottest, children }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const held = frame.current;
    const row = held?.querySelector<HTMLElement>('tr[aria-current="true"]') ?? held?.querySelector<HTMLElement>("tr[data-hottest]");
    if (row && held && !held.contains(document.activeElement)) held.scrollTop = row.offsetTop - held.clientHeight / 3;
  }, [chosen, hottest]);
  return (
    <div ref={frame} class="table-frame listing" role="region" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}
