// SPDX-License-Identifier: MIT
// Light and dark: as the system has it, or as was chosen here, which is remembered.
import { useEffect, useState } from "preact/hooks";
import type { Theme } from "./colours";

export type Choice = "system" | Theme;
const order: Choice[] = ["system", "light", "dark"];
const place = "hardmeter-theme";

// A page that is read from a file may have no storage.
function remembered(): Choice {
  try {
    const text = localStorage.getItem(place);
    return order.find((each) => each === text) ?? "system";
  } catch {
    return "system";
  }
}

function remember(choice: Choice): void {
  try {
    localStorage.setItem(place, choice);
  } catch {
    // It is then forgotten with the page.
  }
}

export function useTheme(): { choice: Choice; theme: Theme; choose: (choice: Choice) => void; next: () => void } {
  const [choice, setChoice] = useState<Choice>(remembered);
  const asked = window.matchMedia("(prefers-color-scheme: dark)");
  const [systemDark, setSystemDark] = useState(asked.matches);
  useEffect(() => {
    const changed = (): void => setSystemDark(asked.matches);
    asked.addEventListener("change", changed);
    return () => asked.removeEventListener("change", changed);
  }, []);
  const theme: Theme = choice === "system" ? (systemDark ? "dark" : "light") : choice;
  document.documentElement.dataset.theme = theme;
  const choose = (chosen: Choice): void => {
    remember(chosen);
    setChoice(chosen);
  };
  const next = (): void => choose(order[(order.indexOf(choice) + 1) % order.length] ?? "system");
  return { choice, theme, choose, next };
}
