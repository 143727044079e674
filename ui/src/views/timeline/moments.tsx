// SPDX-License-Identifier: MIT
// The samples at a place of the time line, one by one, each with the branches before it.
import { useEffect, useRef } from "preact/hooks";
import { Nothing, Ready } from "../../components/states";
import { Swatch } from "../../components/swatch";
import { Table, type Column } from "../../components/table";
import { useAnswer, useChange, useRecording } from "../../context";
import { grouped, printable, axisText } from "../../format";
import * as requests from "../../requests";
import type { TimeUnit } from "../../schema";
import type { Moment, Timeline } from "./schema";
import { runsOf } from "./runs";
import type { Pick, Window } from "./window";

const most = 20;
// The samples of all lanes come in order of time: more are asked for, so that enough are of this one.
const asked = 200;

// When it was taken, as finely as it is known.
function placeText(at: number, unit: TimeUnit): string {
  return unit === "cycles" ? `${grouped(at)} cycles` : `${(at / 1000).toFixed(3)} us`;
}

function branchesText(moment: Moment): string {
  return moment.branches.map((each) => each.function).join(" ");
}

function Branches({ moment }: { moment: Moment }) {
  return (
    <ol class="branches">
      {runsOf(moment.branches).map((each, index) => (
        <li key={index} class={each.isNew ? undefined : "quiet"}>
          <code>{printable(each.function)}</code>
          {each.times > 1 && ` ×${each.times}`}
        </li>
      ))}
    </ol>
  );
}

const columnsOf = (unit: TimeUnit): Column<Moment>[] => [
  { name: "time", title: "time", numeric: true, value: (each) => each.at, cell: (each) => placeText(each.at, unit) },
  {
    name: "function",
    title: "function",
    wide: true,
    value: (each) => each.function,
    cell: (each) => (
      <code>
        <Swatch name={each.function} />
        {printable(each.function)}
      </code>
    ),
  },
  { name: "lane", title: "lane", minor: true, value: (each) => each.lane, cell: (each) => printable(each.lane) },
];

const branchColumns: Column<Moment>[] = [
  {
    name: "branches",
    title: "branches before it, oldest first",
    hint: "the functions that the branches left; grey: also in the previous sample",
    value: branchesText,
    cell: (each) => <Branches moment={each} />,
  },
  {
    name: "certain",
    title: "which are new",
    hint: "whether it is certain which of them came after the previous sample",
    minor: true,
    value: (each) => (each.ambiguous ? "not certain" : "certain"),
  },
];

function Shown({ answer, lane }: { answer: Timeline; lane: string }) {
  const here = answer.moments.filter((each) => each.lane === lane);
  const shown = here.slice(0, most);
  if (shown.length === 0) return <Nothing>This lane has no sample there.</Nothing>;
  const withBranches = answer.branches > 0 || shown.some((each) => each.branches.length > 0);
  const isCut = here.length > most || answer.moments.length >= asked;
  return (
    <>
      <Table
        label="Samples one by one"
        columns={withBranches ? [...columnsOf(answer.unit), ...branchColumns] : columnsOf(answer.unit)}
        rows={shown}
        rowKey={(each) => String(each.at)}
        order={{ column: "time", descending: false }}
        size="half"
      />
      {!withBranches && <p class="quiet">No branches were recorded with these samples: record with -b.</p>}
      {isCut && <p class="quiet">There are more samples: zoom in to see them.</p>}
    </>
  );
}

interface Props {
  event: string;
  by: requests.TimelineBy;
  pick: Pick;
  window: Window;
  unit: TimeUnit;
}

export function Moments({ event, by, pick, window, unit }: Props) {
  const change = useChange();
  const outcome = useAnswer<Timeline>(requests.samplesAt(useRecording(), event, by, window.from, window.to, asked));
  const panel = useRef<HTMLElement>(null);
  // There may be many lanes above it.
  useEffect(() => panel.current?.scrollIntoView({ block: "nearest" }), [pick.lane, window.from, window.to, outcome.state]);
  return (
    <section ref={panel} class="panel" aria-label="Samples there">
      <div class="toolbar">
        <h2>
          {printable(pick.lane)}, {axisText(window.from, unit)} to {axisText(window.to, unit)}
        </h2>
        <button type="button" onClick={() => change({ lane: "", at: "", span: "" }, true)}>
          Close
        </button>
      </div>
      <Ready outcome={outcome}>{(answer) => <Shown answer={answer} lane={pick.lane} />}</Ready>
    </section>
  );
}
