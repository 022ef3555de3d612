#!/usr/bin/env node
// Runs the program npdb, which is in the npm package for the user's system.
"use strict";

const { spawn } = require("node:child_process");
const { constants } = require("node:os");

const name = `@npdb/${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "npdb.exe" : "npdb";

let program;
try {
  program = require.resolve(`${name}/bin/${file}`);
} catch {
  console.error(
    `npdb: the package ${name}, which contains the program, is not installed. If npm was run with --omit=optional,` +
      " install again without it. Otherwise there is no package for this system: see https://github.com/npdb/npdb#install",
  );
  process.exit(1);
}

const npdb = spawn(program, process.argv.slice(2), { stdio: "inherit" });
// The terminal sends Ctrl-C to npdb too. Signals for this process alone are passed on.
for (const signal of ["SIGINT", "SIGQUIT"]) process.on(signal, () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => npdb.kill(signal));
npdb.on("error", (e) => {
  console.error(`npdb: ${program} does not run: ${e.message}`);
  process.exit(1);
});
npdb.on("exit", (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code));
