// SPDX-License-Identifier: MIT
// What several views of a store show.
import { Ready } from "../../components/states";
import { usePage } from "../../context";
import { percent, printable } from "../../format";
import { linkWith } from "../../router";
import { useChoices, useOverTime } from "./ask";
import { RateChart } from "./chart";
import type { FleetTable } from "./schema";
import { spotOfRow, type Spot } from "./selection";
import { rateForm, spotText, stepText } from "./words";

export function NothingMeasured() {
  const { route } = usePage();
  return (
    <>
      Nothing was measured of this. <a href={linkWith(route, { since: "all", until: "", host: "", release: "" })}>Show all</a>
    </>
  );
}

// "shop.service: 77.9% of its l3_cache_miss are in look_up, cart.cc:88."
export function WorstLine({ service, lines }: { service: string; lines: FleetTable }) {
  const row = lines.rows[0];
  if (!row) return <p class="quiet">{printable(service)}: no sample has a place.</p>;
  return (
    <p>
      <strong>{printable(service)}</strong>: {percent(row.share)} of its {printable(lines.event)} are in <code class="strong">{spotText(spotOfRow(lines.keys, row.keys))}</code>.
    </p>
  );
}

interface TrendProps {
  service: string;
  spot?: Spot;
  // Of what is shown where a service has no rate.
  instead?: Spot;
  height?: number;
}

// The rate of a service or of a place in it, with since when it is another.
export function Trend({ service, spot, instead, height }: TrendProps) {
  const outcome = useOverTime(service, spot);
  const choices = useChoices(service);
  const releases = choices.state === "ready" && choices.answer.releases.length > 1 ? choices.answer.releases : [];
  return (
    <Ready outcome={outcome} missing={<NothingMeasured />}>
      {(found) =>
        found.rate === null ? (
          <>
            <p class="quiet">
              Measured by the {printable(found.event)}, {printable(service)} as a whole has no rate: it is its CPU time.
              {instead && ` Its line with most, ${spotText(instead)}:`}
            </p>
            {instead && <Trend service={service} spot={instead} height={height} />}
          </>
        ) : (
          <>
            <p class="since">{stepText(found, rateForm(found))}</p>
            <RateChart label={`Rate of ${spot ? spotText(spot) : printable(service)} over time`} found={found} releases={releases} height={height} />
          </>
        )
      }
    </Ready>
  );
}
