// SPDX-License-Identifier: MIT
// What the views are about where nothing is chosen: the service, and the line, with most events.
import { usePage, type Outcome } from "../../context";
import { useRows, useServices } from "./ask";
import type { FleetTable } from "./schema";
import { spotOf, spotOfRow, type Spot } from "./selection";

// `service` is "" while it is not known.
export function useService(): { service: string; services: Outcome<FleetTable> } {
  const { route } = usePage();
  const services = useServices();
  const first = services.state === "ready" ? services.answer.rows[0]?.keys[0] : undefined;
  return { service: route.params.service ?? first ?? "", services };
}

// The line of a service with most events, and the place that is chosen, else that line; null while it is not
// known.
export function useSpot(service: string): { spot: Spot | null; worst: Spot | null; lines: Outcome<FleetTable> } {
  const { route } = usePage();
  const lines = useRows(service, "line");
  const first = lines.state === "ready" ? lines.answer.rows[0] : undefined;
  const worst = lines.state === "ready" && first ? spotOfRow(lines.answer.keys, first.keys) : null;
  return { spot: spotOf(route.params) ?? worst, worst, lines };
}
