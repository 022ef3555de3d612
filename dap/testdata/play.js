"use strict";
// Plays the scenarios against npdb, and against debugpy if it is there.
//
//   node play.js MODULES FOLDER NPDB PYTHON [DEBUGPY [WORD]]
//
// MODULES has @vscode/debugadapter-testsupport, FOLDER is for files. DEBUGPY is the folder of debugpy's adapter,
// or "". With WORD only the scenarios with this word in their name are played.

const { execFileSync } = require("child_process");
const fs = require("fs");
const path = require("path");
const { isDeepStrictEqual } = require("util");
const { programs } = require("./programs.js");
const { scenarios } = require("./scenarios.js");
const { Session } = require("./client.js");

const [modules, folder, npdb, python, debugpy, word] = process.argv.slice(2);
const { DebugClient } = require(path.join(modules, "node_modules/@vscode/debugadapter-testsupport"));

// play returns what a scenario observes, or its error.
async function play(adapter, scenario) {
  const s = new Session(DebugClient, adapter, folder);
  try {
    return { value: await scenario.play(s) };
  } catch (error) {
    return { error: String(error.message || error) };
  } finally {
    await s.end();
  }
}

const words = (seen) => (seen.error === undefined ? JSON.stringify(seen.value) : `error: ${seen.error}`);
const same = (seen, want) => seen.error === undefined && isDeepStrictEqual(seen.value, want);

async function main() {
  for (const [name, text] of Object.entries(programs)) fs.writeFileSync(path.join(folder, name), text);
  fs.mkdirSync(path.join(folder, "elsewhere"), { recursive: true });
  execFileSync(npdb, ["record", "--python", python, "-o", "steps.npdb", "steps.py"], { cwd: folder });
  const chosen = scenarios.filter((s) => !word || s.name.includes(word));
  let failed = 0;
  let passed = 0;
  for (const s of chosen) {
    const seen = await play({ name: "npdb", runtime: npdb, executable: "dap", launch: { python } }, s);
    if (same(seen, s.want)) {
      passed++;
      continue;
    }
    console.log(`FAILED: ${s.name}: ${words(seen)}, want ${JSON.stringify(s.want)}`);
  }
  console.log(`${passed} of ${chosen.length} scenarios pass`);
  failed += chosen.length - passed;
  if (!debugpy) {
    console.log("debugpy is not there: not compared");
    process.exit(failed ? 1 : 0);
  }
  let alike = 0;
  let differ = 0;
  const lacks = {};
  for (const s of chosen) {
    if (s.lacks) {
      (lacks[s.lacks] = lacks[s.lacks] || []).push(s.name);
      continue;
    }
    const seen = await play({ name: "debugpy", runtime: python, executable: debugpy, launch: { python: [python] } }, s);
    const equal = same(seen, s.want);
    if (equal && !s.differs) {
      alike++;
    } else if (!equal && s.differs) {
      differ++;
      console.log(`differs: ${s.name}: npdb ${JSON.stringify(s.want)}, debugpy ${words(seen)}: ${s.differs}`);
    } else {
      failed++;
      console.log(`FAILED: ${s.name}: debugpy shows ${words(seen)}, npdb ${JSON.stringify(s.want)}; the table says ${s.differs || "that they are alike"}`);
    }
  }
  for (const [why, list] of Object.entries(lacks)) console.log(`not played with debugpy: ${list.join(", ")}: ${why}`);
  console.log(`debugpy: ${alike} alike, ${differ} known differences`);
  process.exit(failed ? 1 : 0);
}

process.on("uncaughtException", (error) => {
  if (error.code === "EPIPE") return; // an adapter has ended before the last request
  console.log(error);
  process.exit(1);
});
main();
