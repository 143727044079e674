// SPDX-License-Identifier: MIT
// Records a command or processes, where hardmeter ui was started with --allow-record.
import { useState } from "preact/hooks";
import { Failure } from "../../client";
import { Failed, Nothing, Ready } from "../../components/states";
import { useAnswer, usePage } from "../../context";
import * as requests from "../../requests";
import { EventChoice } from "./events";
import { Form } from "./form";
import { useRecorder } from "./recorder";
import { Run } from "./run";
import { usualForm, wishOf, type RecordForm } from "./wish";
import type { MachineEvents } from "./schema";

// Stays while other views are looked at. Not in the link: one from elsewhere should bring no command with it.
let kept = usualForm;

function Recording() {
  const [form, setForm] = useState<RecordForm>(kept);
  const recorder = useRecorder();
  const events = useAnswer<MachineEvents>(requests.events());
  const runs = recorder.state?.running ?? false;
  const change = (changes: Partial<RecordForm>): void => {
    kept = { ...kept, ...changes };
    setForm(kept);
  };
  const start = (): void => {
    if (runs) return;
    const asked = wishOf(form);
    if ("error" in asked) recorder.refuse(asked.error);
    else recorder.start(asked.wish);
  };
  return (
    <div class="record">
      <Form form={form} onChange={change} onStart={start}>
        {/* Not `disabled`: a button that is loses the focus. */}
        <div class="toolbar" role="group" aria-label="Recording">
          <button type="submit" class="strong" aria-disabled={runs}>
            Start
          </button>
          <button type="button" aria-disabled={!runs} onClick={() => runs && recorder.stop()}>
            Stop
          </button>
          <span aria-live="polite">{recorder.news}</span>
        </div>
      </Form>
      {recorder.refusal !== "" && <Failed failure={new Failure(0, recorder.refusal)} />}
      {recorder.state && recorder.state.command.length > 0 && (
        <Run state={recorder.state} live={recorder.live} liveFailure={recorder.liveFailure} />
      )}
      <Ready outcome={events}>
        {(answer) => (
          <EventChoice events={answer.events} chosen={form.events} pmu={form.pmu} onChange={(chosen) => change({ events: chosen })} />
        )}
      </Ready>
    </div>
  );
}

export function RecordView() {
  const { mayRecord } = usePage();
  return (
    <>
      <h1 class="visually-hidden">Record</h1>
      {mayRecord ? (
        <Recording />
      ) : (
        <Nothing>
          Nothing is recorded from this page: start <code>hardmeter ui</code> with <code>--allow-record</code> to have it.
        </Nothing>
      )}
    </>
  );
}
