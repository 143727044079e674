// SPDX-License-Identifier: MIT
// Each hot place: why it misses, and what would help.
import { useMemo } from "preact/hooks";
import { spotsOf, writtenFunction, type Spot } from "../../causes";
import { Choice, Search } from "../../components/controls";
import { fullShare, ShareCell } from "../../components/share";
import { FunctionName } from "../../components/function_name";
import { Nothing, Ready } from "../../components/states";
import { Table, type Column } from "../../components/table";
import { useAnswer, useChange, usePage, useRecording } from "../../context";
import { chosenEvent } from "../../events";
import { grouped, percent, placeText, printable } from "../../format";
import * as requests from "../../requests";
import { linkFrom } from "../../router";
import type { Causes, Place } from "../../schema";
import { PlaceOf } from "./place";

function PlaceShare({ place, full }: { place: Place | undefined; full: number }) {
  return place ? <ShareCell share={place.share} full={full} /> : <span class="quiet" title="below 0.5 % of the event's samples, or not among its 20 hottest locations">
      not listed
    </span>;
}

function columnsOf(event: string, spots: Spot[]): Column<Spot>[] {
  const partOf = (spot: Spot): Place | undefined => spot.parts.find((each) => each.event === event)?.place;
  const full = fullShare(spots.map((spot) => partOf(spot)?.share));
  return [
    { name: "function", title: "function", wide: true, value: writtenFunction, cell: (spot) => <FunctionName spot={spot} /> },
    { name: "place", title: "place", minor: true, value: (spot) => placeText(spot.file, spot.line) || spot.dso },
    {
      name: "wait",
      title: "cycles",
      hint: "latency of the accesses at this location, from the model or the hardware",
      numeric: true,
      value: (spot) => (spot.parts[0]?.place.wait_cycles === null ? null : (spot.parts[0]?.cycles ?? null)),
      cell: (spot) => (spot.parts[0]?.place.wait_cycles === null ? "not measured" : grouped(spot.parts[0]?.cycles)),
    },
    {
      name: "share",
      title: event,
      hint: `share of the samples of ${event}`,
      numeric: true,
      value: (spot: Spot) => partOf(spot)?.share?.value ?? null,
      cell: (spot: Spot) => <PlaceShare place={partOf(spot)} full={full} />,
    },
  ];
}

function SpotOf({ spot, event }: { spot: Spot; event: string | undefined }) {
  const { route } = usePage();
  const change = useChange();
  const part = spot.parts.find((each) => each.event === event) ?? spot.parts[0];
  if (!part) return null;
  const source = linkFrom(route, "source", { function: spot.function, dso: spot.dso, line: String(spot.line ?? "") });
  return (
    <section class="panel" aria-label="Why this place misses">
      <h2>
        <FunctionName spot={spot} /> {placeText(spot.file, spot.line)} ({printable(spot.dso)})
      </h2>
      <p class="links">
        <a href={source}>Source</a>
        <a href={linkFrom(route, "hotspots", { row: `${spot.function}@${spot.dso}`, event: part.event })}>Callers</a>
      </p>
      {spot.parts.length > 1 && (
        <div class="toolbar" role="group" aria-label="Event">
          {spot.parts.map((each) => (
            <button
              key={each.event}
              type="button"
              aria-pressed={each === part}
              onClick={() => change({ event: each.event })}
            >
              {printable(each.event)} {percent(each.place.share?.value)}
            </button>
          ))}
        </div>
      )}
      {spot.parts.length === 1 && <p class="quiet">{printable(part.event)}</p>}
      <PlaceOf place={part.place} />
    </section>
  );
}

function Spots({ causes }: { causes: Causes }) {
  const { route } = usePage();
  const change = useChange();
  const only = route.params.only ?? "";
  const search = route.params.search ?? "";
  const spots = useMemo(() => spotsOf(causes, only || undefined), [causes, only]);
  const events = causes.events.map((each) => each.name).filter((name) => only === "" || name === only);
  const event = chosenEvent(events, only || route.params.event);
  const columns = useMemo(() => columnsOf(event, spots), [causes, only, event]);
  const matching = spots.find((each) => search !== "" && `${each.function} ${each.inlined ?? ""}`.includes(search));
  const spot = spots.find((each) => each.key === route.params.spot) ?? matching ?? spots[0];
  if (!spot) return <Nothing>No measured event has causes to show.</Nothing>;
  return (
    <>
      <div class="toolbar" role="group" aria-label="What is shown">
        <Choice
          label="Places of"
          value={only}
          values={[["", "all events"], ...causes.events.map((each): [string, string] => [each.name, each.name])]}
          onChange={(value) => change({ only: value })}
        />
        <Search value={search} onChange={(value) => change({ search: value }, true)} />
      </div>
      <div class="side-by-side">
        <Table
          label="Hot places"
          columns={columns}
          rows={spots}
          rowKey={(each) => each.key}
          order={{ column: "wait", descending: true }}
          filter={search}
          selected={spot.key}
          onSelect={(each) => change({ spot: each.key }, true)}
          size="tall"
        />
        <SpotOf spot={spot} event={route.params.event} />
      </div>
    </>
  );
}

export function WhyView() {
  const outcome = useAnswer<Causes>(requests.explain(useRecording()));
  return (
    <>
      <h1 class="visually-hidden">Why locations miss</h1>
      <Ready outcome={outcome}>{(answer) => <Spots causes={answer} />}</Ready>
    </>
  );
}
