import { WHOLE_YOUNG_GENERATION } from "../measure/collector.ts";
import { defineRuntime } from "./launch/runtime.ts";
import { browser } from "./page/launch.ts";

const FLAGS = ["--expose-gc", WHOLE_YOUNG_GENERATION];

/** What a browser does besides showing a page, and would do beside what is timed. */
const QUIET = [
  "--no-first-run",
  "--no-default-browser-check",
  "--no-pings",
  "--mute-audio",
  "--password-store=basic",
  "--use-mock-keychain",
  "--metrics-recording-only",
  "--disable-background-networking",
  "--disable-background-timer-throttling",
  "--disable-backgrounding-occluded-windows",
  "--disable-breakpad",
  "--disable-component-update",
  "--disable-default-apps",
  "--disable-dev-shm-usage",
  "--disable-extensions",
  "--disable-gpu",
  "--disable-hang-monitor",
  "--disable-renderer-backgrounding",
  "--disable-sync",
  `--disable-features=${[
    "MediaRouter",
    "OptimizationHints",
    "Translate",
    // What opens under the address bar, which nobody sees: pages of their own, made while the first page loads (measured: 1.1 s
    // of a core, as much as a measuring process takes).
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    // A process for a page that never comes.
    "SpareRendererForSitePerProcess",
  ].join(",")}`,
];

export default defineRuntime({
  summary: "Chromium or Chrome without a window, whose engine is V8",
  command: "chromium",
  otherCommands: ["chromium-browser", "google-chrome", "chrome"],
  packaged: [],
  install: "apt install chromium",
  execArgv: ["--headless=new", `--js-flags=${FLAGS.join(",")}`],
  leadsImports: true,
  noEvalArgv: [],
  ...browser({
    args: (flags) => [
      "--headless=new",
      "--remote-debugging-pipe",
      "--user-data-dir={profile}",
      `--js-flags=${[...FLAGS, ...flags].join(",")}`,
      ...QUIET,
      // Its sandbox refuses to run as root.
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
    ],
    pipe: true,
  }),
});
