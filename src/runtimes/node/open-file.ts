import { spawn } from "node:child_process";
import path from "node:path";

/** Milliseconds in which what opens files says that it cannot. It may go on for as long as the browser that it starts. */
const ANSWER_MS = 3000;

/** What opens a file with the program that the user has for it, and its arguments before the file. */
export function openerOf(platform: NodeJS.Platform): readonly [string, ...string[]] {
  switch (platform) {
    case "darwin":
      return ["open"];
    case "win32":
      return ["explorer.exe"];
    default:
      return ["xdg-open"];
  }
}

/**
 * Opens a file as a double click would. Gives why it could not be opened; undefined where nothing says so.
 * @param opener a program in place of the system's
 */
export function openFile(
  file: string,
  opener: readonly [string, ...string[]] = openerOf(process.platform),
): Promise<string | undefined> {
  const [command, ...args] = opener;
  return new Promise((resolve) => {
    const child = spawn(command, [...args, path.resolve(file)], { detached: true, stdio: "ignore" });
    const timer = setTimeout(() => answered(undefined), ANSWER_MS);
    const answered = (problem: string | undefined): void => {
      clearTimeout(timer);
      child.unref();
      resolve(problem);
    };
    child.once("error", (error: NodeJS.ErrnoException) => {
      answered(error.code === "ENOENT" ? `there is no ${command} here` : `${command}: ${error.message}`);
    });
    child.once("exit", (code) => {
      // Explorer exits with 1 where it opened the file.
      const isRefused = code !== 0 && command !== "explorer.exe";
      answered(isRefused ? `${command} cannot open it (exit code ${code})` : undefined);
    });
  });
}
