// SPDX-License-Identifier: MIT
// Tells what is waited for, when that takes more than half a second.
import { useEffect, useState } from "preact/hooks";
import { describe, type Client } from "../client";

const patienceMs = 500;

export function Progress({ client }: { client: Client }) {
  const [text, setText] = useState("");
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (): void => {
      const pending = client.pending();
      setText(pending.length === 0 ? "" : `Working out ${pending.map(describe).join(", ")} ...`);
    };
    const changed = (): void => {
      if (client.pending().length === 0) {
        clearTimeout(timer);
        timer = undefined;
        show();
      } else if (timer === undefined) {
        timer = setTimeout(show, patienceMs);
      }
    };
    changed();
    const stop = client.onChange(changed);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [client]);
  return (
    <div class="progress" role="status" data-active={text !== ""}>
      {text}
    </div>
  );
}
