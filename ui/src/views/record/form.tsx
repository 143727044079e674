// SPDX-License-Identifier: MIT
// What to record, and how.
import type { ComponentChildren } from "preact";
import { Choice } from "../../components/controls";
import { pmus, type Pmu, type RecordForm } from "./wish";

const pmuWords: Record<Pmu, string> = {
  auto: "auto: the kernel's where it can deliver the events, else the software PMU",
  linux: "linux: the kernel's, hardware counters at full speed",
  soft: "soft: the software PMU, a model of the machine; slow, exact",
};

type Flag = "user" | "kernel" | "callers" | "sizes" | "llc";
const flags: [Flag, string][] = [
  ["user", "user mode"],
  ["kernel", "kernel mode"],
  ["callers", "call chains: who called"],
  ["sizes", "misses in caches of other sizes (software PMU)"],
  ["llc", "who holds the last-level cache"],
];

interface Props {
  form: RecordForm;
  onChange: (changes: Partial<RecordForm>) => void;
  onStart: () => void;
  // Start and Stop.
  children: ComponentChildren;
}

function Target({ form, onChange }: Pick<Props, "form" | "onChange">) {
  const isCommand = form.target === "command";
  return (
    <fieldset class="form-target">
      <legend>What to measure</legend>
      <div class="toolbar">
        <label>
          <input type="radio" name="target" checked={isCommand} onChange={() => onChange({ target: "command" })} /> a command
        </label>
        <label>
          <input type="radio" name="target" checked={!isCommand} onChange={() => onChange({ target: "processes" })} /> processes
          that run
        </label>
      </div>
      {isCommand ? (
        <>
          <label class="choice form-line">
            <span>Command line</span>
            <input
              type="text"
              class="code"
              value={form.command}
              spellcheck={false}
              autocomplete="off"
              autocapitalize="off"
              aria-describedby="command-hint"
              onInput={(event) => onChange({ command: event.currentTarget.value })}
            />
          </label>
          <p id="command-hint" class="quiet">
            Split into words as a shell does it, with quotes and backslashes. Nothing is expanded: there are no variables, patterns,
            pipes or redirections; for these, record <code>sh -c '...'</code>. It runs where hardmeter ui was started, as its user.
          </p>
        </>
      ) : (
        <>
          <label class="choice form-line">
            <span>Process IDs</span>
            <input
              type="text"
              class="code"
              inputMode="numeric"
              value={form.pids}
              autocomplete="off"
              aria-describedby="pids-hint"
              onInput={(event) => onChange({ pids: event.currentTarget.value })}
            />
          </label>
          <p id="pids-hint" class="quiet">
            With all their threads, until they end or Stop is pressed. Several are parted by blanks or commas.
          </p>
        </>
      )}
    </fieldset>
  );
}

export function Form({ form, onChange, onStart, children }: Props) {
  return (
    <form
      class="record-form"
      aria-label="What to record"
      onSubmit={(event) => {
        event.preventDefault();
        onStart();
      }}
    >
      <Target form={form} onChange={onChange} />
      <div class="toolbar">
        <Choice
          label="PMU"
          value={form.pmu}
          values={pmus.map((name): [string, string] => [name, pmuWords[name]])}
          onChange={(value) => onChange({ pmu: pmus.find((each) => each === value) ?? "auto" })}
        />
        <label class="choice">
          <span>Sampling period</span>
          <input
            type="text"
            size={12}
            value={form.period}
            placeholder="as usual"
            autocomplete="off"
            aria-describedby="period-hint"
            onInput={(event) => onChange({ period: event.currentTarget.value })}
          />
        </label>
        <span id="period-hint" class="quiet">
          so many events, such as 1000; of the clock, so much time, such as 100us
        </span>
      </div>
      <div class="toolbar" role="group" aria-label="What else is recorded">
        {flags.map(([name, text]) => (
          <label key={name}>
            <input type="checkbox" checked={form[name]} onChange={(event) => onChange({ [name]: event.currentTarget.checked })} />{" "}
            {text}
          </label>
        ))}
      </div>
      {children}
    </form>
  );
}
