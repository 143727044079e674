// SPDX-License-Identifier: MIT
// Over time: a service, and one place in it.
import { Ready } from "../../components/states";
import { printable } from "../../format";
import { NothingMeasured, Trend } from "./parts";
import { Toolbar } from "./toolbar";
import { spotText } from "./words";
import { useService, useSpot } from "./worst";

export function TrendView() {
  const { service, services } = useService();
  const { spot } = useSpot(service);
  return (
    <>
      <h1 class="visually-hidden">Over time</h1>
      <Toolbar service={service} withRelease />
      <Ready outcome={services} missing={<NothingMeasured />}>
        {() => (
          <>
            <h2>{printable(service)}</h2>
            <Trend service={service} height={260} />
            {spot && (
              <>
                <h2 class="below">
                  In it <code>{spotText(spot)}</code>
                </h2>
                <Trend service={service} spot={spot} height={260} />
              </>
            )}
          </>
        )}
      </Ready>
    </>
  );
}
