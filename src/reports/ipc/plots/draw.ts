import type { Spec } from "vega";
import { escapeXml } from "./text.ts";

/** A chart before it is drawn: a Vega specification, and what it shows in words. */
export interface Chart {
  readonly title: string;
  readonly description: string;
  /** Plain data. Its expressions are constants: names from outside are only ever values in it. */
  readonly spec: Spec;
}

/** The text of an SVG file. Vega is loaded by the first chart, so that nothing else waits for it. */
export async function draw({ title, description, spec }: Chart): Promise<string> {
  const { logger, parse, View, Error: errors } = await import("vega");
  // By itself Vega prints an error and goes on with half a chart.
  const strict = logger(errors, "error", (_method, _level, problems) => {
    throw problems[0] instanceof Error ? problems[0] : new Error(problems.join(" "));
  });
  const view = new View(parse(spec), { renderer: "none", logger: strict });
  try {
    const svg = await view.toSVG();
    const words = `<title>${escapeXml(title)}</title><desc>${escapeXml(description)}</desc>`;
    return svg.replace(/^<svg([^>]*)>/, (_, attributes) => `<svg${attributes} role="img">${words}`);
  } finally {
    view.finalize();
  }
}
