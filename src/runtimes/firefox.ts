import { defineRuntime } from "./launch/runtime.ts";
import { browser } from "./page/launch.ts";

/** What a browser does besides showing a page, and would do beside what is timed; and a clock that is not made coarser. */
const PREFERENCES = {
  "app.normandy.enabled": false,
  "app.update.disabledForTesting": true,
  "browser.aboutwelcome.enabled": false,
  "browser.cache.disk.enable": false,
  "browser.safebrowsing.downloads.remote.enabled": false,
  "browser.safebrowsing.malware.enabled": false,
  "browser.safebrowsing.phishing.enabled": false,
  "browser.safebrowsing.update.enabled": false,
  "browser.search.update": false,
  "browser.sessionstore.resume_from_crash": false,
  "browser.shell.checkDefaultBrowser": false,
  "browser.startup.homepage_override.mstone": "ignore",
  "datareporting.policy.dataSubmissionEnabled": false,
  "dom.ipc.processPrelaunch.enabled": false,
  "dom.push.connection.enabled": false,
  "extensions.systemAddon.update.enabled": false,
  "extensions.update.enabled": false,
  "media.gmp-manager.updateEnabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "privacy.reduceTimerPrecision": false,
  "privacy.reduceTimerPrecision.unconditional": false,
  "services.settings.server": "",
  "toolkit.telemetry.reportingpolicy.firstRun": false,
} as const;

const ARGS = ["-headless", "-no-remote"];

export default defineRuntime({
  summary: "Firefox without a window, whose engine is SpiderMonkey",
  command: "firefox",
  otherCommands: ["firefox-esr"],
  packaged: [],
  install: "apt install firefox-esr",
  execArgv: ARGS,
  leadsImports: true,
  noEvalArgv: [],
  ...browser({
    args: () => [...ARGS, "-profile", "{profile}"],
    files: {
      "user.js": Object.entries(PREFERENCES)
        .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
        .join(""),
    },
    pipe: false,
  }),
});
