// SPDX-License-Identifier: MIT
import { Nothing } from "../../components/states";

export function DataView() {
  return <Nothing>Not there yet.</Nothing>;
}
