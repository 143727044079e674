// SPDX-License-Identifier: MIT
// The recording that is being made, or was made last: how far it is, what it said, and its hot spots so far.
import { eventNames } from "../../events";
import { usePage } from "../../context";
import { bytesText, commandText, countOf, durationText, printable, printableLines } from "../../format";
import { linkFrom } from "../../router";
import type { Hotspots } from "../../schema";
import { HotspotTable } from "../hotspots/table";
import type { Recorder } from "./recorder";
import type { RecorderState } from "./schema";

function LiveHotspots({ live }: { live: Hotspots }) {
  const event = eventNames(live.events)[0] ?? "";
  return (
    <section class="below" aria-labelledby="live-title">
      <h2 id="live-title">Hot spots so far</h2>
      <p class="quiet">
        {Object.entries(live.events)
          .map(([name, each]) => `${printable(name)}: ${countOf(each.samples, "sample", "samples")}`)
          .join("; ")}
      </p>
      <HotspotTable answer={live} sort="function" event={event} filter="" selected={undefined} />
    </section>
  );
}

function Ended({ state }: { state: RecorderState }) {
  const { recordings, route } = usePage();
  const made = state.bytes > 0 ? recordings.find((each) => each.path === state.path) : undefined;
  if (state.bytes === 0) return <p>Nothing was recorded.</p>;
  return (
    <p class="links">
      {made && <a href={linkFrom(route, "summary", { recording: String(made.id), event: "" })}>Summary of {printable(made.name)}</a>}
      {made && <a href={linkFrom(route, "hotspots", { recording: String(made.id), event: "" })}>Hot spots</a>}
    </p>
  );
}

export function Run({ state, live, liveFailure }: { state: RecorderState } & Pick<Recorder, "live" | "liveFailure">) {
  return (
    <section class="panel" aria-label="The recording">
      <h2>{state.running ? "Being recorded" : "Recorded last"}</h2>
      <dl class="facts">
        <dt>Command</dt>
        <dd>
          <code>{commandText(state.command)}</code>
        </dd>
        <dt>File</dt>
        <dd>
          {printable(state.path ?? "-")}: {bytesText(state.bytes)}
        </dd>
        <dt>Time</dt>
        <dd>{durationText(Math.round(state.seconds * 1e9))}</dd>
        {!state.running && <dt>Exit status</dt>}
        {!state.running && <dd class={state.exit_status === 0 ? undefined : "bad"}>{state.exit_status ?? "-"}</dd>}
      </dl>
      {!state.running && <Ended state={state} />}
      {state.said !== "" && (
        <pre class="said" tabIndex={0} role="region" aria-label="What it said">
          {printableLines(state.said)}
        </pre>
      )}
      {state.running && liveFailure !== "" && <p class="quiet">No newer hot spots: {printable(liveFailure)}.</p>}
      {live && live.rows.length > 0 && state.running && <LiveHotspots live={live} />}
    </section>
  );
}
