#!/usr/bin/env node
// Without an import statement, so that a Node too old for wirebench comes as far as to say so.
const OLDEST = [20, 11];
const [major, minor] = process.versions.node.split(".").map(Number);

function end(line, code) {
  process.stderr.write(`error: ${line}\n`);
  process.exitCode = code;
}

if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  end(`wirebench needs Node ${OLDEST.join(".")} or later, this is ${process.versions.node}`, 2);
} else {
  import("../dist/cli/main.js").catch(({ code, message }) => {
    const isUnbuilt = code === "ERR_MODULE_NOT_FOUND" && /dist[\\/]/.test(message);
    const why = isUnbuilt ? "it is not built: run npm ci in its folder" : String(message).split("\n")[0];
    end(`wirebench cannot be loaded: ${why}`, 70);
  });
}
