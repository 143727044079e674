// SPDX-License-Identifier: MIT
// What stands in a view's place while there is nothing to show, and why.
import type { ComponentChildren } from "preact";
import type { Failure } from "../client";
import type { Outcome } from "../context";
import { printable } from "../format";

export function Failed({ failure }: { failure: Failure }) {
  return (
    <p class="state state-failed" role="alert">
      {printable(failure.message)}
    </p>
  );
}

export function Nothing({ children }: { children: ComponentChildren }) {
  return <p class="state">{children}</p>;
}

interface ReadyProps<T> {
  outcome: Outcome<T>;
  children: (answer: T) => ComponentChildren;
  // Instead of the failure, where an answer may well be missing.
  missing?: ComponentChildren;
}

// `children` once the answer is there.
export function Ready<T>({ outcome, children, missing }: ReadyProps<T>) {
  if (outcome.state === "waiting") return <div class="waiting" aria-busy="true" />;
  if (outcome.state === "ready") return <>{children(outcome.answer)}</>;
  if (missing !== undefined && outcome.failure.status === 404) return <Nothing>{missing}</Nothing>;
  return <Failed failure={outcome.failure} />;
}
