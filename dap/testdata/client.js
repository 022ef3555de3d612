"use strict";
// One session of a debug adapter: requests, and events in the order in which they came.

const path = require("path");

const EVENTS = ["initialized", "stopped", "continued", "exited", "terminated", "thread", "output", "breakpoint",
  "loadedSource", "capabilities", "progressStart", "progressUpdate", "progressEnd", "invalidated"];
const PATIENCE = 30000;

class Session {
  constructor(DebugClient, adapter, folder) {
    this.adapter = adapter;
    this.folder = folder;
    this.client = new DebugClient(adapter.runtime, adapter.executable, adapter.name);
    this.events = [];
    this.waiting = [];
    for (const name of EVENTS) {
      this.client.on(name, (event) => {
        this.events.push(event);
        for (const look of this.waiting.splice(0)) look();
      });
    }
  }

  file(name) { return path.join(this.folder, name); }

  // ask sends a request and returns the body of its response. The error of a refused request is thrown.
  async ask(command, args) {
    const response = await limited(this.client.send(command, args || {}), command);
    return response.body || {};
  }

  // refused returns whether a request is refused.
  async refused(command, args) {
    try {
      await this.ask(command, args);
      return false;
    } catch (error) {
      if (error.late) throw error;
      return true;
    }
  }

  // event waits for an event and removes it. It leaves the events before it.
  async event(name, holds = () => true) {
    for (;;) {
      const at = this.events.findIndex((e) => e.event === name && holds(e.body || {}));
      if (at >= 0) return this.events.splice(at, 1)[0].body || {};
      await limited(new Promise((done) => this.waiting.push(done)), `event ${name}`);
    }
  }

  // printed waits until the program or the adapter has printed a text.
  async printed(text, category) {
    let all = "";
    while (!all.includes(text)) {
      const o = await this.event("output", (b) => !category || b.category === category);
      all += o.output;
    }
    return text;
  }

  // open launches a program and returns when breakpoints can be set.
  async open(program, launch = {}) {
    await this.client.start();
    this.about = await this.ask("initialize", {
      clientID: "scenarios", adapterID: this.adapter.name, linesStartAt1: true, columnsStartAt1: true, pathFormat: "path",
      supportsVariableType: true, supportsVariablePaging: true, supportsInvalidatedEvent: true, supportsProgressReporting: true,
    });
    const args = { console: "internalConsole", ...this.adapter.launch, ...launch };
    if (program) args.program = this.file(program);
    this.launched = this.ask("launch", args);
    this.launched.catch(() => {});
    await Promise.race([this.event("initialized"), this.launched]);
  }

  // breaks sets the breakpoints of a file.
  async breaks(program, ...list) {
    const body = await this.ask("setBreakpoints", {
      source: { path: this.file(program) }, breakpoints: list.map((b) => (typeof b === "number" ? { line: b } : b)),
    });
    return body.breakpoints;
  }

  // begin ends the configuration and returns the first stop.
  async begin() {
    await this.configured();
    return this.stop();
  }

  async configured() {
    await this.ask("configurationDone");
    await this.launched;
  }

  // at launches a program with breakpoints and returns the line of the first stop.
  async at(program, ...list) {
    await this.open(program);
    await this.breaks(program, ...list);
    return this.begin();
  }

  // stop waits for a stop and returns its reason and line.
  async stop() {
    const stopped = await this.event("stopped");
    this.thread = stopped.threadId;
    const frames = await this.stack();
    this.top = frames[0].id;
    this.hit = stopped.hitBreakpointIds;
    return { reason: stopped.reason, line: frames[0].line };
  }

  // go makes a move and returns the stop.
  async go(command, more) {
    await this.ask(command, { threadId: this.thread, ...more });
    return this.stop();
  }

  async stack(more) {
    const body = await this.ask("stackTrace", { threadId: this.thread, ...more });
    return body.stackFrames;
  }

  async scope(name, frame) {
    const body = await this.ask("scopes", { frameId: frame || this.top });
    return body.scopes.find((s) => s.name === name).variablesReference;
  }

  async kids(variablesReference, more) {
    const body = await this.ask("variables", { variablesReference, ...more });
    return body.variables;
  }

  // local returns a local of the current frame.
  async local(name) {
    return (await this.kids(await this.scope("Locals"))).find((v) => v.name === name);
  }

  async value(expression, context = "watch", frame) {
    const body = await this.ask("evaluate", { expression, context, frameId: frame || this.top });
    return body.result;
  }

  async end() {
    await Promise.race([this.client.stop(), new Promise((done) => setTimeout(done, 5000))]).catch(() => {});
  }
}

// limited fails if a promise takes too long.
function limited(promise, what) {
  let timer;
  const late = new Promise((_, fail) => {
    timer = setTimeout(() => fail(Object.assign(new Error(`${what} takes more than ${PATIENCE / 1000} s`), { late: true })), PATIENCE);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

exports.Session = Session;
