// SPDX-License-Identifier: MIT
// Which parts of a cache are crowded, when and with what; and what caches of other sizes would miss.
import { Choice } from "../../components/controls";
import { Ready } from "../../components/states";
import { useAnswer, useChange, usePage, useRecording } from "../../context";
import { bytesText, countOf, grouped, percent, shareText } from "../../format";
import * as requests from "../../requests";
import type { CacheMap, Moved, Sizes, Totals } from "../../schema";
import { processesOf } from "./processes";
import { CrowdedRegions } from "./crowded";
import { HeatMap } from "./heat_map";
import { SizesOf } from "./sizes";

const pressures: Record<string, string> = {
  fits: "What is in use fits.",
  conflict: "The data in use would fit, but it is spread unevenly: some regions are crowded while others have room.",
  capacity: "More data is in use than fits, however it is spread.",
};

function movedText(what: string, moved: Moved): string {
  return `${what}: ${shareText(moved.removed)} of the crowded-out samples would go (${grouped(moved.crowded_out)} before, ${grouped(moved.crowded_out_after)} after).`;
}

function Told({ map }: { map: CacheMap }) {
  const { cache } = map;
  return (
    <ul class="trust">
      <li>
        {cache.name}: {bytesText(cache.sets * cache.ways * cache.line_bytes)}, {grouped(cache.sets)} sets of {cache.ways} ways,
        lines of {cache.line_bytes} bytes; by {map.addresses} addresses.
      </li>
      <li>
        {pressures[map.pressure] ?? map.pressure} {percent(map.crowded_regions)} of the regions are crowded on average.
      </li>
      <li>{movedText("If pages lay evenly", map.spread)}</li>
      {map.huge_pages && <li>{movedText("With pages of 2 MiB", map.huge_pages)}</li>}
      <li>
        {countOf(map.samples, "sample", "samples")} with an address, {grouped(map.samples_without_address)} without.
        The last {countOf(map.pages, "page", "pages")} that were sampled are taken as in use.
      </li>
    </ul>
  );
}

// All processes are in one map unless one is chosen.
function TogetherText({ map, processes }: { map: CacheMap; processes: number }) {
  const why = "the map is of the cache that they share";
  const pages =
    map.addresses === "virtual"
      ? " Pages of two processes at the same virtual address count as one page here, and processes that did not run at the same time seem to: choose a process to see it alone."
      : "";
  return (
    <p class="quiet">
      All {grouped(processes)} processes together: {why}.{pages}
    </p>
  );
}

function MapOf({ level, pid, processes }: { level: requests.CacheLevel; pid: string; processes: number }) {
  const outcome = useAnswer<CacheMap>(requests.cacheMap(useRecording(), level, pid));
  return (
    <Ready outcome={outcome}>
      {(answer) => (
        <>
          {pid === "" && processes > 1 && <TogetherText map={answer} processes={processes} />}
          <Told map={answer} />
          <HeatMap map={answer} />
          <h2>Crowded regions</h2>
          <CrowdedRegions map={answer} />
        </>
      )}
    </Ready>
  );
}

export function MapView() {
  const { route, client } = usePage();
  const change = useChange();
  const level = requests.cacheLevels.find((each) => each === route.params.level) ?? "l2";
  const sizes = useAnswer<Sizes>(requests.sizes(useRecording()));
  const totals = useAnswer<Totals>(requests.totals(useRecording()));
  const processes = totals.state === "ready" ? processesOf(totals.answer) : [];
  const pid = processes.some((each) => String(each.pid) === route.params.pid) ? (route.params.pid ?? "") : "";
  const choices: [string, string][] = [
    ["", `all ${processes.length} processes`],
    ...processes.map((each): [string, string] => [String(each.pid), `${each.pid} ${each.name}: ${countOf(each.samples, "sample", "samples")}`]),
  ];
  const levels = requests.cacheLevels.map((each): [string, string] => [each, each.toUpperCase()]);
  return (
    <>
      <h1>Cache map: which regions are crowded, and when</h1>
      <div class="toolbar" role="group" aria-label="What is shown">
        <Choice label="Cache" value={level} values={levels} onChange={(value) => change({ level: value })} />
        {processes.length > 1 && !client.isFile && (
          <Choice label="Process" value={pid} values={choices} onChange={(value) => change({ pid: value })} />
        )}
      </div>
      <MapOf level={level} pid={pid} processes={processes.length} />
      <section class="below" aria-labelledby="sizes-title">
        <h2 id="sizes-title">Misses in caches of other sizes</h2>
        <Ready outcome={sizes} missing="Not recorded: record with --sizes.">
          {(answer) => <SizesOf sizes={answer} />}
        </Ready>
      </section>
    </>
  );
}
