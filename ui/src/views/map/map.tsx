// SPDX-License-Identifier: MIT
// Which parts of a cache are crowded, when and with what; and what caches of other sizes would miss.
import { Choice } from "../../components/controls";
import { Ready } from "../../components/states";
import { useAnswer, useChange, usePage, useRecording } from "../../context";
import { bytesText, countOf, grouped, percent, shareText } from "../../format";
import * as requests from "../../requests";
import type { CacheMap, Moved, Sizes } from "../../schema";
import { CrowdedRegions } from "./crowded";
import { HeatMap } from "./heat_map";
import { SizesOf } from "./sizes";

const pressures: Record<string, string> = {
  fits: "What is in use fits.",
  conflict: "What is in use would fit, but lies unevenly: some parts are crowded while others have room.",
  capacity: "More is in use than fits, however it lies.",
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
        {pressures[map.pressure] ?? map.pressure} {percent(map.crowded_regions)} of the regions are crowded in the mean.
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

function MapOf({ level }: { level: requests.CacheLevel }) {
  const outcome = useAnswer<CacheMap>(requests.cacheMap(useRecording(), level));
  return (
    <Ready outcome={outcome}>
      {(answer) => (
        <>
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
  const { route } = usePage();
  const change = useChange();
  const level = requests.cacheLevels.find((each) => each === route.params.level) ?? "l2";
  const sizes = useAnswer<Sizes>(requests.sizes(useRecording()));
  const levels = requests.cacheLevels.map((each): [string, string] => [each, each.toUpperCase()]);
  return (
    <>
      <h1>Map of a cache: which regions of it are crowded, and when</h1>
      <div class="toolbar" role="group" aria-label="What is shown">
        <Choice label="Cache" value={level} values={levels} onChange={(value) => change({ level: value })} />
      </div>
      <MapOf level={level} />
      <section class="below" aria-labelledby="sizes-title">
        <h2 id="sizes-title">Misses in caches of other sizes</h2>
        <Ready outcome={sizes} missing="Not recorded: record with --sizes to have it.">
          {(answer) => <SizesOf sizes={answer} />}
        </Ready>
      </section>
    </>
  );
}
