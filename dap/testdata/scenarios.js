"use strict";
// Scenarios of debugging sessions. play returns what it observes, and want is what npdb must show. The runner
// plays the same scenario against debugpy; differs says why debugpy shows something else, lacks why the
// scenario cannot be played with it.

const NO_BACK = "debugpy has no moves backwards";
const NO_DATA = "debugpy has no data breakpoints";
const NPDB = "it is about a command or an attribute of npdb";

const names = (list) => list.map((v) => v.name);
const pairs = (list) => list.map((v) => `${v.name}=${v.value}`);

exports.scenarios = [
  // The program and its surroundings.
  { name: "capabilities", want: [true, true, true, true, true, true, true, true, true, true],
    async play(s) {
      await s.open("steps.py");
      return ["ConfigurationDoneRequest", "ConditionalBreakpoints", "HitConditionalBreakpoints", "FunctionBreakpoints", "EvaluateForHovers",
        "SetVariable", "ExceptionInfoRequest", "LogPoints", "CompletionsRequest", "SetExpression"].map((n) => s.about["supports" + n]);
    } },
  { name: "capabilities of the past", want: [true, true, true, true],
    differs: "debugpy has neither stepBack, nor data breakpoints, restartFrame or cancel",
    async play(s) {
      await s.open("steps.py");
      return ["StepBack", "DataBreakpoints", "RestartFrame", "CancelRequest"].map((n) => !!s.about["supports" + n]);
    } },
  { name: "exception filters", want: ["raised", "uncaught"],
    differs: "debugpy has userUnhandled too: npdb knows of no library that catches an exception",
    async play(s) { await s.open("steps.py"); return s.about.exceptionBreakpointFilters.map((f) => f.filter); } },
  { name: "stop on entry", want: { reason: "entry", line: 1 },
    async play(s) { await s.open("steps.py", { stopOnEntry: true }); return s.begin(); } },
  { name: "exit code 0", want: 0,
    async play(s) { await s.open("steps.py"); await s.configured(); return (await s.event("exited")).exitCode; } },
  { name: "exit code 3", want: 3,
    async play(s) { await s.open("surroundings.py"); await s.configured(); return (await s.event("exited")).exitCode; } },
  { name: "terminated after the end", want: {},
    async play(s) { await s.open("steps.py"); await s.configured(); await s.event("terminated"); return {}; } },
  { name: "output", want: "total 60",
    async play(s) { await s.open("steps.py"); await s.configured(); return s.printed("total 60", "stdout"); } },
  { name: "output to stderr", want: "to stderr",
    async play(s) { await s.open("surroundings.py"); await s.configured(); return s.printed("to stderr", "stderr"); } },
  { name: "arguments", want: "args ['a', 'b c']",
    async play(s) { await s.open("surroundings.py", { args: ["a", "b c"] }); await s.configured(); return s.printed("args ['a', 'b c']"); } },
  { name: "environment", want: "env here",
    async play(s) { await s.open("surroundings.py", { env: { NPDB_SCENARIO: "here" } }); await s.configured(); return s.printed("env here"); } },
  { name: "working directory", want: "cwd elsewhere",
    async play(s) { await s.open("surroundings.py", { cwd: s.file("elsewhere") }); await s.configured(); return s.printed("cwd elsewhere"); } },
  { name: "module", want: { reason: "breakpoint", line: 2 },
    async play(s) { await s.open("", { module: "steps", cwd: s.folder }); await s.breaks("steps.py", 2); return s.begin(); } },
  { name: "missing program", want: true,
    async play(s) { await s.open("missing.py").catch(() => {}); return s.launched.then(() => false, () => true); } },
  { name: "without debugging", want: 0,
    differs: "debugpy refuses a configuration if nothing is debugged",
    async play(s) {
      await s.open("steps.py", { noDebug: true });
      await s.breaks("steps.py", 2).catch(() => {});
      await s.configured();
      return (await s.event("exited")).exitCode;
    } },
  { name: "one thread", want: ["MainThread"],
    async play(s) { await s.at("steps.py", 2); return names((await s.ask("threads")).threads); } },

  // Breakpoints.
  { name: "breakpoint", want: { reason: "breakpoint", line: 2 },
    async play(s) { return s.at("steps.py", 2); } },
  { name: "breakpoint that is hit", want: true,
    differs: "debugpy does not say which breakpoint is hit",
    async play(s) {
      await s.open("steps.py");
      const [one] = await s.breaks("steps.py", 2);
      await s.begin();
      return one.verified && s.hit.includes(one.id);
    } },
  { name: "breakpoint on a blank line", want: false,
    differs: "debugpy moves it to another line",
    async play(s) { await s.open("steps.py"); return (await s.breaks("steps.py", 4))[0].verified; } },
  { name: "breakpoint behind the end", want: false,
    differs: "debugpy moves it to the last line",
    async play(s) { await s.open("steps.py"); return (await s.breaks("steps.py", 99))[0].verified; } },
  { name: "two breakpoints", want: [12, 2],
    async play(s) { return [(await s.at("steps.py", 2, 12)).line, (await s.go("continue")).line]; } },
  { name: "breakpoints are replaced", want: [2, 13],
    async play(s) {
      const first = await s.at("steps.py", 2);
      await s.breaks("steps.py", 13);
      return [first.line, (await s.go("continue")).line];
    } },
  { name: "condition", want: "4",
    async play(s) { await s.at("steps.py", { line: 12, condition: "i == 4" }); return s.value("i"); } },
  { name: "condition over a value", want: "6",
    async play(s) { await s.at("steps.py", { line: 8, condition: "a + b > 15" }); return s.value("a"); } },
  { name: "condition with a syntax error", want: false,
    differs: "debugpy finds the error when the breakpoint is hit",
    async play(s) { await s.open("steps.py"); return (await s.breaks("steps.py", { line: 12, condition: "i ==" }))[0].verified; } },
  { name: "hit count", want: "2",
    async play(s) { await s.at("steps.py", { line: 12, hitCondition: "3" }); return s.value("i"); } },
  { name: "hit count from", want: ["3", "4"],
    async play(s) {
      await s.at("steps.py", { line: 12, hitCondition: ">= 4" });
      const first = await s.value("i");
      await s.go("continue");
      return [first, await s.value("i")];
    } },
  { name: "every second hit", want: ["1", "3"],
    async play(s) {
      await s.at("steps.py", { line: 12, hitCondition: "% 2" });
      const first = await s.value("i");
      await s.go("continue");
      return [first, await s.value("i")];
    } },
  { name: "log message", want: "i is 3",
    async play(s) {
      await s.open("steps.py");
      await s.breaks("steps.py", { line: 12, logMessage: "i is {i}" });
      await s.configured();
      return s.printed("i is 3");
    } },
  { name: "log message after the fact", want: "i is 1", lacks: NO_BACK,
    async play(s) {
      await s.at("steps.py", 13);
      await s.breaks("steps.py", { line: 12, logMessage: "i is {i}" });
      return s.printed("i is 1");
    } },
  { name: "function breakpoint", want: { reason: "function breakpoint", line: 2 },
    differs: "debugpy stops at the line of the def",
    async play(s) {
      await s.open("steps.py");
      await s.ask("setFunctionBreakpoints", { breakpoints: [{ name: "inner" }] });
      return s.begin();
    } },
  { name: "unknown function", want: false,
    differs: "debugpy waits for a function of this name",
    async play(s) {
      await s.open("steps.py");
      return (await s.ask("setFunctionBreakpoints", { breakpoints: [{ name: "nope" }] })).breakpoints[0].verified;
    } },
  { name: "breakpoint while the program runs", want: { reason: "breakpoint", line: 4 },
    async play(s) {
      await s.open("loops.py");
      await s.configured();
      await s.breaks("loops.py", 4);
      return s.stop();
    } },

  // Steps.
  { name: "next", want: 13,
    async play(s) { await s.at("steps.py", { line: 12, condition: "i == 4" }); await s.go("next"); return (await s.go("next")).line; } },
  { name: "next passes over a call", want: { reason: "step", line: 7 },
    async play(s) { await s.at("steps.py", 6); return s.go("next"); } },
  { name: "next stops at a breakpoint", want: { reason: "breakpoint", line: 2 },
    async play(s) { await s.at("steps.py", 6, 2); return s.go("next"); } },
  { name: "stepIn", want: { reason: "step", line: 1 }, differs: "npdb stops at the call first, as pdb does",
    async play(s) { await s.at("steps.py", 6); return s.go("stepIn"); } },
  { name: "stepOut", want: "inner",
    differs: "npdb stops at the return first, as pdb does",
    async play(s) { await s.at("steps.py", { line: 2, condition: "n == 1" }); await s.go("stepOut"); return (await s.stack())[0].name; } },
  { name: "steps by statement", want: { reason: "step", line: 3 },
    async play(s) { await s.at("steps.py", 2); return s.go("next", { granularity: "statement" }); } },
  { name: "steps by instruction are refused", want: true, lacks: "debugpy ignores the granularity",
    async play(s) { await s.at("steps.py", 2); return s.refused("next", { threadId: 1, granularity: "instruction" }); } },
  { name: "pause", want: true,
    async play(s) {
      await s.open("loops.py");
      await s.configured();
      const threads = (await s.ask("threads")).threads;
      await s.ask("pause", { threadId: threads.length ? threads[0].id : 1 });
      return (await s.stop()).line >= 1;
    } },
  { name: "continue to the end", want: 0,
    async play(s) { await s.at("steps.py", 13); await s.ask("continue", { threadId: s.thread }); return (await s.event("exited")).exitCode; } },

  // Stack and values.
  { name: "stack", want: ["inner:2", "outer:6", "<module>:12"],
    async play(s) { await s.at("steps.py", 2); return (await s.stack()).map((f) => `${f.name}:${f.line}`); } },
  { name: "stack by pages", want: ["outer"],
    async play(s) { await s.at("steps.py", 2); return names(await s.stack({ startFrame: 1, levels: 1 })); } },
  { name: "scopes", want: ["Locals", "Globals"],
    async play(s) { await s.at("steps.py", 2); return names((await s.ask("scopes", { frameId: s.top })).scopes); } },
  { name: "locals", want: ["a=2", "b=4", "n=1"],
    async play(s) {
      await s.at("steps.py", { line: 8, condition: "n == 1" });
      return pairs(await s.kids(await s.scope("Locals"))).filter((p) => !p.startsWith("(return)")).sort();
    } },
  { name: "globals", want: ["i=0", "total=0"],
    async play(s) {
      await s.at("steps.py", 2);
      return pairs(await s.kids(await s.scope("Globals"))).filter((p) => /^(i|total)=/.test(p)).sort();
    } },
  { name: "locals of an outer frame", want: "0",
    async play(s) { await s.at("steps.py", 2); return s.value("total", "watch", (await s.stack())[2].id); } },
  { name: "types", want: ["list", "Point", "str", "float", "NoneType"],
    async play(s) {
      await s.at("values.py", 14);
      const list = [];
      for (const name of ["numbers", "point", "text", "ratio", "nothing"]) list.push((await s.local(name)).type);
      return list;
    } },
  { name: "text", want: "'abcabc'",
    async play(s) { await s.at("values.py", 14); return (await s.local("text")).value; } },
  { name: "attributes", want: ["x=3", "y=[4, 5]"],
    async play(s) {
      await s.at("values.py", 14);
      return pairs(await s.kids((await s.local("point")).variablesReference)).filter((p) => /^[xy]=/.test(p));
    } },
  { name: "keys", want: ["'k'=1", "'l'=[2]"],
    async play(s) {
      await s.at("values.py", 14);
      return pairs(await s.kids((await s.local("table")).variablesReference)).filter((p) => p.startsWith("'"));
    } },
  { name: "elements", want: ["3", "4"], lacks: "debugpy names elements 0000 and does not page",
    async play(s) {
      await s.at("values.py", 14);
      const numbers = await s.local("numbers");
      return (await s.kids(numbers.variablesReference, { filter: "indexed", start: 3, count: 2 })).map((v) => v.value);
    } },
  { name: "number of elements", want: 250, lacks: "debugpy does not page",
    async play(s) { await s.at("values.py", 14); return (await s.local("numbers")).indexedVariables; } },
  { name: "elements of elements", want: "(1, 2)",
    async play(s) {
      await s.at("values.py", 14);
      let v = await s.local("deep");
      for (let k = 0; k < 3; k++) v = (await s.kids(v.variablesReference)).find((kid) => !/variables|len\(/.test(kid.name));
      return v.value;
    } },
  { name: "evaluateName", want: "2", 
    async play(s) {
      await s.at("values.py", 14);
      const l = (await s.kids((await s.local("table")).variablesReference)).find((v) => v.name === "'l'");
      return s.value(l.evaluateName + "[0]");
    } },
  { name: "handles end with the stop", want: true,
    differs: "debugpy answers with an empty list",
    async play(s) { await s.at("steps.py", 2); const old = await s.scope("Locals"); await s.go("next"); return s.refused("variables", { variablesReference: old }); } },
  { name: "set a local", want: ["7", "14"],
    async play(s) {
      await s.at("steps.py", 2);
      const set = await s.ask("setVariable", { variablesReference: await s.scope("Locals"), name: "n", value: "7" });
      await s.go("next");
      return [set.value, await s.value("m")];
    } },
  { name: "set an element", want: "[9]",
    async play(s) {
      await s.at("values.py", 14);
      await s.ask("setVariable", { variablesReference: (await s.local("table")).variablesReference, name: "'l'", value: "[9]" });
      return s.value("table['l']");
    } },
  { name: "set an expression", want: "8",
    async play(s) { await s.at("values.py", 14); await s.ask("setExpression", { expression: "point.x", value: "8", frameId: s.top }); return s.value("point.x"); } },
  { name: "set in the past is refused", want: true, lacks: NO_BACK,
    async play(s) { await s.at("steps.py", 3); await s.go("stepBack"); return s.refused("setExpression", { expression: "n", value: "8", frameId: s.top }); } },

  // Evaluation.
  { name: "watch", want: "1", async play(s) { await s.at("steps.py", 2); return s.value("n + 1"); } },
  { name: "hover", want: "[4, 5]", async play(s) { await s.at("values.py", 14); return s.value("point.y", "hover"); } },
  { name: "watch of a missing name", want: true,
    async play(s) { await s.at("steps.py", 2); return s.refused("evaluate", { expression: "nope", context: "watch", frameId: s.top }); } },
  { name: "watch runs no code", want: true, differs: "debugpy runs the call",
    async play(s) { await s.at("steps.py", 2); return s.refused("evaluate", { expression: "inner(5)", context: "watch", frameId: s.top }); } },
  { name: "console: expression", want: "10", async play(s) { await s.at("steps.py", 2); return s.value("len('0123456789')", "repl"); } },
  { name: "console: statement", want: "99",
    async play(s) { await s.at("steps.py", 12); await s.value("total = 99", "repl"); return s.value("total"); } },
  { name: "console: error", want: true,
    async play(s) { await s.at("steps.py", 2); return s.refused("evaluate", { expression: "1 / 0", context: "repl", frameId: s.top }); } },
  { name: "console: command", want: true, lacks: NPDB,
    async play(s) { await s.at("steps.py", { line: 12, condition: "i == 3" }); return (await s.value("history total", "repl")).includes("18"); } },
  { name: "console: move", want: { reason: "step", line: 3 }, lacks: NPDB,
    async play(s) { await s.at("steps.py", 2); await s.value("n", "repl"); await s.ask("evaluate", { expression: "next", context: "repl" }); return s.stop(); } },
  { name: "console: completions", want: true,
    async play(s) { await s.at("values.py", 14); return (await s.ask("completions", { text: "num", column: 4, frameId: s.top })).targets.some((t) => t.label === "numbers"); } },
  { name: "clipboard", want: 5002,
    async play(s) { await s.at("values.py", 14); return (await s.value("long", "clipboard")).length; } },

  // Exceptions.
  { name: "uncaught exception", want: { reason: "exception", line: 3 },
    async play(s) { await s.open("raises.py"); await s.ask("setExceptionBreakpoints", { filters: ["uncaught"] }); return s.begin(); } },
  { name: "exception info", want: ["ValueError", "too big: 9", "unhandled"],
    async play(s) {
      await s.open("raises.py");
      await s.ask("setExceptionBreakpoints", { filters: ["uncaught"] });
      await s.begin();
      const info = await s.ask("exceptionInfo", { threadId: s.thread });
      return [info.exceptionId, info.description, info.breakMode];
    } },
  { name: "stack of an uncaught exception", want: ["check", "<module>"],
    async play(s) {
      await s.open("raises.py");
      await s.ask("setExceptionBreakpoints", { filters: ["uncaught"] });
      await s.begin();
      return names(await s.stack());
    } },
  { name: "raised exception", want: "3",
    async play(s) {
      await s.open("raises.py");
      await s.ask("setExceptionBreakpoints", { filters: ["raised"] });
      await s.begin();
      return s.value("n");
    } },
  { name: "raised exception of a type", want: "3", lacks: "debugpy has no condition for exceptions",
    async play(s) {
      await s.open("raises.py");
      await s.ask("setExceptionBreakpoints", { filters: [], filterOptions: [{ filterId: "raised", condition: "ValueError" }] });
      await s.begin();
      return s.value("n");
    } },
  { name: "raised exception of another type", want: 1, lacks: "debugpy has no condition for exceptions",
    async play(s) {
      await s.open("raises.py", { stayAtEnd: false });
      await s.ask("setExceptionBreakpoints", { filters: [], filterOptions: [{ filterId: "raised", condition: "KeyError" }] });
      await s.configured();
      return (await s.event("exited")).exitCode;
    } },
  { name: "no filter", want: 1,
    async play(s) {
      await s.open("raises.py");
      await s.ask("setExceptionBreakpoints", { filters: [] });
      await s.configured();
      return (await s.event("exited")).exitCode;
    } },
  { name: "back from an uncaught exception", want: { reason: "step", line: 2 }, lacks: NO_BACK,
    async play(s) {
      await s.open("raises.py");
      await s.begin();
      for (let k = 0; k < 5; k++) {
        const stop = await s.go("stepBack");
        if (stop.line === 2) return stop;
      }
      return null;
    } },

  // The past.
  { name: "step back", want: { reason: "step", line: 2 }, lacks: NO_BACK,
    async play(s) { await s.at("steps.py", 3); return s.go("stepBack"); } },
  { name: "step back and forth", want: [2, 3, "0"], lacks: NO_BACK,
    async play(s) {
      await s.at("steps.py", 3);
      return [(await s.go("stepBack")).line, (await s.go("next")).line, await s.value("m")];
    } },
  { name: "step back over a call", want: { reason: "step", line: 6 }, lacks: NO_BACK,
    async play(s) { await s.at("steps.py", 7); return s.go("stepBack"); } },
  { name: "values of the past", want: "0", lacks: NO_BACK,
    async play(s) { await s.at("steps.py", 13); await s.breaks("steps.py", { line: 12, condition: "i == 0" }); await s.go("reverseContinue"); return s.value("total"); } },
  { name: "reverse continue to a breakpoint", want: { reason: "breakpoint", line: 7 }, lacks: NO_BACK,
    async play(s) { await s.at("steps.py", 13); await s.breaks("steps.py", 7); return s.go("reverseContinue"); } },
  { name: "reverse continue to the beginning", want: { reason: "entry", line: 1 }, lacks: NO_BACK,
    async play(s) { await s.at("steps.py", 13); return s.go("reverseContinue"); } },
  { name: "step back at the beginning", want: { reason: "entry", line: 1 }, lacks: NO_BACK,
    async play(s) { await s.open("steps.py", { stopOnEntry: true }); await s.begin(); return s.go("stepBack"); } },
  { name: "the beginning is said", want: "This is the first state", lacks: NO_BACK,
    async play(s) { await s.open("steps.py", { stopOnEntry: true }); await s.begin(); await s.go("stepBack"); return s.printed("This is the first state", "console"); } },
  { name: "restart frame", want: { reason: "restart", line: 5 }, lacks: "debugpy has no restartFrame",
    async play(s) {
      await s.at("steps.py", { line: 2, condition: "n == 4" });
      await s.ask("restartFrame", { frameId: (await s.stack())[1].id });
      return s.stop();
    } },
  { name: "stay at the end", want: "exit", lacks: NPDB,
    async play(s) { await s.open("steps.py", { stayAtEnd: true }); return (await s.begin()).reason; } },
  { name: "back from the end", want: 13, lacks: NO_BACK,
    async play(s) { await s.open("steps.py", { stayAtEnd: true }); await s.begin(); return (await s.go("stepBack")).line; } },
  { name: "recording", want: { reason: "step", line: 10 }, lacks: NPDB,
    async play(s) {
      await s.open("", { recording: s.file("steps.npdb"), program: undefined });
      await s.begin();
      await s.breaks("steps.py", 11);
      await s.go("continue");
      return s.go("stepBack");
    } },

  // Data breakpoints.
  { name: "data breakpoint info", want: ["total", "write"], lacks: NO_DATA,
    async play(s) {
      await s.at("steps.py", 12);
      const info = await s.ask("dataBreakpointInfo", { variablesReference: await s.scope("Locals"), name: "total" });
      return [info.description, ...info.accessTypes];
    } },
  { name: "data breakpoint", want: ["data breakpoint", "3"], lacks: NO_DATA,
    async play(s) {
      await s.at("steps.py", { line: 12, condition: "i == 1" });
      const info = await s.ask("dataBreakpointInfo", { variablesReference: await s.scope("Locals"), name: "total" });
      await s.ask("setDataBreakpoints", { breakpoints: [{ dataId: info.dataId }] });
      await s.breaks("steps.py");
      const stop = await s.go("continue");
      return [stop.reason, String(Number(await s.value("total")) / 2)];
    } },
  { name: "data breakpoint backwards", want: ["data breakpoint", 8], lacks: NO_DATA,
    async play(s) {
      await s.at("steps.py", 13);
      const info = await s.ask("dataBreakpointInfo", { frameId: s.top, name: "total" });
      await s.ask("setDataBreakpoints", { breakpoints: [{ dataId: info.dataId, condition: "total < 40" }] });
      const stop = await s.go("reverseContinue");
      return [stop.reason, stop.line];
    } },

  // Other requests.
  { name: "goto", want: { reason: "goto", line: 2 },
    async play(s) {
      await s.at("steps.py", 3);
      const { targets } = await s.ask("gotoTargets", { source: { path: s.file("steps.py") }, line: 2 });
      return s.go("goto", { targetId: targets[0].id });
    } },
  { name: "goto in the past is refused", want: true, lacks: NO_BACK,
    async play(s) { await s.at("steps.py", 3); await s.go("stepBack"); return s.refused("goto", { threadId: 1, targetId: 3 }); } },
  { name: "restart", want: { reason: "breakpoint", line: 12 }, lacks: "debugpy leaves restart to the client",
    async play(s) { await s.at("steps.py", 12); await s.go("continue"); return s.go("restart"); } },
  { name: "loaded sources", want: true, lacks: "debugpy has no loadedSources",
    async play(s) { await s.at("steps.py", 2); return (await s.ask("loadedSources")).sources.some((f) => f.path === s.file("steps.py")); } },
  { name: "source", want: true, lacks: "debugpy has sources only by reference",
    async play(s) { await s.at("steps.py", 2); return (await s.ask("source", { sourceReference: 0, source: { path: s.file("steps.py") } })).content.startsWith("def inner"); } },
  { name: "modules", want: true, differs: "npdb has no modules request",
    async play(s) { await s.at("steps.py", 2); return s.refused("modules", {}); } },
  { name: "unknown request", want: true,
    async play(s) { await s.at("steps.py", 2); return s.refused("makeCoffee", {}); } },
  { name: "attach", want: true, lacks: "debugpy attaches by a server in the program",
    async play(s) { await s.open("steps.py"); return s.refused("attach", { processId: -1 }); } },
  { name: "cancel a move", want: "pause", lacks: "debugpy has no cancel",
    async play(s) {
      await s.open("loops.py");
      await s.configured();
      const { progressId } = await s.event("progressStart");
      await s.ask("cancel", { progressId });
      return (await s.stop()).reason;
    } },
  { name: "terminate", want: {},
    async play(s) { await s.open("loops.py"); await s.configured(); await s.ask("terminate"); await s.event("terminated"); return {}; } },
  { name: "disconnect", want: {},
    async play(s) { await s.open("loops.py"); await s.configured(); await s.ask("disconnect", { terminateDebuggee: true }); return {}; } },
  { name: "input from the console", want: "hello ann", lacks: "debugpy's internalConsole has no input",
    async play(s) {
      await s.open("asks.py");
      await s.configured();
      await s.printed("waits for a line");
      await s.ask("evaluate", { expression: "ann", context: "repl" });
      return s.printed("hello ann");
    } },
];
