import { STYLE } from "../chart/palette.ts";

/** The style sheet of a page. Its colours are those of pictures. */
export const PAGE_STYLE = `${STYLE}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1240px;padding:16px 20px 48px;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif}
h1{font-size:1.5em;margin:.4em 0}
h2{font-size:1.25em;margin:1.6em 0 .4em;border-bottom:1px solid var(--grid);padding-bottom:.2em}
h3{font-size:1.05em;margin:1.4em 0 .4em}
p,li{max-width:80ch}
code{font-family:ui-monospace,Consolas,monospace;font-size:.92em;overflow-wrap:anywhere}
.faint{color:var(--faint-ink)}.warning{border-left:4px solid var(--vermilion);padding:.2em .8em;font-weight:600}
.answer{display:grid;grid-template-columns:max-content 1fr;gap:.35em 1.2em;margin:.6em 0;background:var(--band);border-radius:8px;padding:.9em 1.1em}
.answer dt{font-weight:600}.answer dd{margin:0}
.scroll{overflow-x:auto;max-width:100%;border:1px solid var(--grid);border-radius:6px}
.scroll:focus-visible,button:focus-visible,input:focus-visible,summary:focus-visible{outline:3px solid var(--blue);outline-offset:1px}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.9em;width:max-content;min-width:100%}
th,td{padding:.25em .6em;text-align:right;white-space:nowrap;border-bottom:1px solid var(--grid)}
th{background:var(--band);font-weight:600}.l{text-align:left}
tbody th{position:sticky;left:0;background:var(--paper);font-weight:500;text-align:left;z-index:1}
tbody tr:hover td,tbody tr:hover th{background:var(--band)}
.s{border-left:2px solid var(--grid)}
td.facts{white-space:normal;min-width:20em;text-align:left}
td.faster{background:color-mix(in srgb,var(--green) 22%,var(--paper))}td.slower{background:color-mix(in srgb,var(--orange) 24%,var(--paper))}
button{font:inherit;color:inherit;background:none;border:1px solid transparent;border-radius:4px;padding:0 .2em;cursor:pointer}
button:hover{border-color:var(--axis)}.tools button,.chips label{border:1px solid var(--axis);border-radius:999px;padding:.15em .8em}
thead th button{font-weight:600}[aria-sort=ascending] button::after{content:" ▲"}[aria-sort=descending] button::after{content:" ▼"}
.group button::before{content:"− "}.group button[aria-expanded=false]::before{content:"+ "}
.tools,.chips{display:flex;flex-wrap:wrap;gap:.5em;align-items:center;margin:.6em 0}fieldset{border:0;padding:0;margin:.6em 0}legend{padding:0;color:var(--faint-ink)}
.chips label{cursor:pointer;font-size:.9em}input{accent-color:var(--blue)}
input[type=search]{font:inherit;color:inherit;background:var(--paper);border:1px solid var(--axis);border-radius:6px;padding:.2em .6em;max-width:100%}
input[type=range]{width:min(34em,100%);display:block}
[hidden]{display:none!important}
figure{margin:1em 0;overflow-x:auto;max-width:100%}
figure svg{width:100%;min-width:620px;max-width:900px;height:auto;display:block}
svg .off{opacity:.18}
details{margin:1em 0}
summary{cursor:pointer;font-weight:600}
.bars{list-style:none;padding:0;margin:.6em 0;max-width:60em}.bars li{max-width:none;display:grid;grid-template-columns:14em 1fr 9em;gap:.6em;align-items:center;font-size:.92em;font-variant-numeric:tabular-nums}
.bars li>:last-child{text-align:right}.bars progress{width:100%;height:.8em;accent-color:var(--blue)}.bars .best{font-weight:700}
.stack{display:flex;height:.9em}.stack i{display:block}.key i{display:inline-block;width:.8em;height:.8em;border-radius:2px}
@media (max-width:640px){body{padding:10px 10px 40px}.answer{grid-template-columns:1fr;gap:0 0;padding:.7em .8em}.answer dd{margin-bottom:.5em}.bars li{grid-template-columns:1fr 7.5em}.bars progress{grid-column:1/-1;grid-row:2}
tbody th{max-width:9.5em;overflow:hidden;text-overflow:ellipsis}}
@media print{.tools,.chips,fieldset,input[type=range]{display:none!important}.scroll,figure{overflow:visible;border:0}body{max-width:none;padding:0;font-size:10pt}table{font-size:7pt;width:100%}th,td{padding:.1em .25em}figure svg{min-width:0}figure,tr{break-inside:avoid}}
`.replaceAll("\n", "");
