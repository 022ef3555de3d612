#!/usr/bin/env node
// Runs the program npdb, which a package for the user's system contains.
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
    `npdb: the package ${name}, which has the program, is not installed. If npm was run with --omit=optional,` +
      " install again without it; otherwise npdb has no program for this system: see https://github.com/npdb/npdb",
  );
  process.exit(1);
}

const npdb = spawn(program, process.argv.slice(2), { stdio: "inherit" });
// The terminal sends Ctrl-C to npdb too. What is sent to this process alone is passed on.
for (const signal of ["SIGINT", "SIGQUIT"]) process.on(signal, () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => npdb.kill(signal));
npdb.on("error", (e) => {
  console.error(`npdb: ${program} does not run: ${e.message}`);
  process.exit(1);
});
npdb.on("exit", (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code));
