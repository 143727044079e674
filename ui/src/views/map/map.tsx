// SPDX-License-Identifier: MIT
import { Nothing } from "../../components/states";

export function MapView() {
  return <Nothing>Not there yet.</Nothing>;
}
