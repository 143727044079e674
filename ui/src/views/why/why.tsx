// SPDX-License-Identifier: MIT
import { Nothing } from "../../components/states";

export function WhyView() {
  return <Nothing>Not there yet.</Nothing>;
}
