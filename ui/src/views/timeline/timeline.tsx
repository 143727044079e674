// SPDX-License-Identifier: MIT
// Which functions ran when.
import { Choice, Search } from "../../components/controls";
import { Nothing, Ready } from "../../components/states";
import { useAnswer, useChange, usePage, useRecording } from "../../context";
import { chosenEvent, eventNames } from "../../events";
import { countOf, printable, axisText } from "../../format";
import * as requests from "../../requests";
import type { Hotspots } from "../../schema";
import type { Timeline } from "./schema";
import { Lanes } from "./lanes";
import { TimelineTables } from "./tables";

const ways: [requests.TimelineBy, string][] = [
  ["thread", "thread"],
  ["cpu", "CPU"],
];

// More would make a picture that browsers do not draw.
const mostLanes = 200;

function Shown({ event, by, search }: { event: string; by: requests.TimelineBy; search: string }) {
  const outcome = useAnswer<Timeline>(requests.timeline(useRecording(), event, by));
  return (
    <Ready outcome={outcome}>
      {(answer) =>
        answer.lanes.length === 0 || answer.end_at <= answer.begin_at ? (
          <Nothing>No sample has a time.</Nothing>
        ) : (
          <>
            <p class="quiet">
              {printable(answer.event)}: {countOf(answer.samples, "sample", "samples")}
              {answer.branches > 0 && `, ${countOf(answer.branches, "branch", "branches")} between them`}, one every{" "}
              {axisText(answer.interval, answer.unit)} on average.
            </p>
            <Lanes whole={{ ...answer, lanes: answer.lanes.slice(0, mostLanes) }} by={by} search={search} />
            <TimelineTables whole={answer} />
          </>
        )
      }
    </Ready>
  );
}

export function TimelineView() {
  const { route } = usePage();
  const change = useChange();
  // Which events there are: the hot spots are at hand in any case.
  const hotspots = useAnswer<Hotspots>(requests.hotspots(useRecording(), "function"));
  const names = hotspots.state === "ready" ? eventNames(hotspots.answer.events) : [];
  const event = chosenEvent(names, route.params.event);
  const by = ways.find(([name]) => name === route.params.by)?.[0] ?? "thread";
  const search = route.params.search ?? "";
  return (
    <>
      <h1 class="visually-hidden">Time line</h1>
      <div class="toolbar" role="group" aria-label="What is shown">
        <Choice label="Lanes by" value={by} values={ways} onChange={(value) => change({ by: value, lane: "", at: "", span: "" })} />
        <Choice label="Event" value={event} values={names} onChange={(value) => change({ event: value })} />
        <Search label="Highlight functions" value={search} onChange={(value) => change({ search: value }, true)} />
      </div>
      <Ready outcome={hotspots}>
        {() =>
          event === "" ? (
            <Nothing>Nothing was measured: the recording has no samples.</Nothing>
          ) : (
            <Shown key={`${event}/${by}`} event={event} by={by} search={search} />
          )
        }
      </Ready>
    </>
  );
}
