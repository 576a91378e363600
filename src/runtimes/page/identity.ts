/** Which browser this is, as far as it says so. */
import type { RuntimeIdentity } from "../../model/runtime.ts";

/** What is read of a browser's `navigator`. */
export interface NavigatorFacts {
  readonly userAgent: string;
  readonly userAgentData?: {
    getHighEntropyValues?(hints: readonly string[]): Promise<{ readonly fullVersionList?: readonly Brand[] }>;
  };
}

interface Brand {
  readonly brand: string;
  readonly version: string;
}

/** Browsers by what their user agents have, the more special ones first: most say Chrome and Safari too. */
const BROWSERS: readonly (readonly [pattern: RegExp, name: string, engine: string])[] = [
  [/\bEdgA?\/([\d.]+)/, "edge", "V8"],
  [/\bOPR\/([\d.]+)/, "opera", "V8"],
  [/\bSamsungBrowser\/([\d.]+)/, "samsung", "V8"],
  [/\b(?:FxiOS|CriOS|EdgiOS)\/([\d.]+)/, "ios", "JavaScriptCore"],
  [/\b(?:Headless)?Chrome\/([\d.]+)/, "chrome", "V8"],
  [/\bFirefox\/([\d.]+)/, "firefox", "SpiderMonkey"],
  [/\bVersion\/([\d.]+).*\bSafari\//, "safari", "JavaScriptCore"],
];

/** Brands of full versions by those names. */
const BRANDS: Readonly<Record<string, string>> = {
  chrome: "Chromium",
  edge: "Microsoft Edge",
  opera: "Opera",
  samsung: "Samsung Internet",
};

/** The browser of a page, by what it says of itself: newer ones keep their full versions for pages of a secure address. */
export async function browserIdentity({
  userAgent,
  userAgentData,
}: NavigatorFacts): Promise<RuntimeIdentity> {
  for (const [pattern, name, engine] of BROWSERS) {
    const said = pattern.exec(userAgent)?.[1];
    if (said === undefined) continue;
    const full = await userAgentData?.getHighEntropyValues?.(["fullVersionList"]).catch(() => undefined);
    const brands = full?.fullVersionList ?? [];
    const version = brands.find(({ brand }) => brand === BRANDS[name])?.version ?? said;
    const chromium = /\bChrome\/(\d+)/.exec(userAgent)?.[1];
    // V8 15.6 is that of Chromium 156. Of the other engines only the browser's version is known.
    const isV8 = engine === "V8" && chromium !== undefined;
    return {
      name,
      version,
      engine: { name: engine, version: isV8 ? `${chromium.slice(0, -1)}.${chromium.slice(-1)}` : version },
    };
  }
  return { name: "browser", version: "unknown", engine: { name: "unknown", version: "unknown" } };
}
