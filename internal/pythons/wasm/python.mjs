// Runs CPython compiled to WebAssembly (the npm package pyodide) like an interpreter of this
// machine, so that npdb can debug programs in it. PYODIDE names the package's folder, PYTHON what
// sys.executable should be:
//
//     PYODIDE=FOLDER/node_modules/pyodide PYTHON=FOLDER/python3.15 node python.mjs [ARG…]
//
// The program sees the folders of this machine and the descriptors that it inherits. There are no
// threads, processes or signals. platform.py replaces what npdb's tracer needs and WebAssembly
// lacks.
import fs from "node:fs";
import { pathToFileURL } from "node:url";

const { loadPyodide } = await import(pathToFileURL(process.env.PYODIDE + "/pyodide.mjs"));

const OWN = new Set(["dev", "lib", "proc", "sys"]); // folders that WebAssembly has itself
const LOADER = "/dev/fd/7"; // the program by which npdb starts its tracer
const FLAGS = [0, 1, 1, 2, 1, 0, 0, 0]; // standard streams; memory, events, commands, credits, loader (trace/spawn_unix.go)
const FILES = new Set([3, 7]); // the others are read and written without a position

// device makes a device that reads and writes a descriptor of this process.
function device(FS, number) {
  const at = (position) => (FILES.has(number) ? position : null);
  const patiently = (work) => {
    for (;;) {
      try {
        return work();
      } catch (e) {
        if (e.code === "EOF") return 0;
        if (e.code !== "EAGAIN") throw new FS.ErrnoError(e.code === "EPIPE" ? 64 : 29);
      }
    }
  };
  const id = FS.makedev(64, number);
  FS.registerDevice(id, {
    open: (stream) => { stream.seekable = FILES.has(number); },
    read: (_, buffer, offset, length, position) => patiently(() => fs.readSync(number, buffer, offset, length, at(position))),
    write: (_, buffer, offset, length, position) => patiently(() => fs.writeSync(number, buffer, offset, length, at(position))),
    llseek: (stream, offset, whence) => {
      if (!FILES.has(number)) throw new FS.ErrnoError(70);
      return offset + [0, stream.position, fs.fstatSync(number).size][whence];
    },
  });
  const path = `/dev/inherited${number}`;
  FS.mkdev(path, 0o666, id);
  return path;
}

const args = process.argv.slice(2);
const { PYODIDE, PYTHON, ...env } = process.env;
const python = await loadPyodide({
  args: [...args],
  env,
  _sysExecutable: PYTHON,
  stdLibURL: fs.existsSync(PYODIDE + "/compiled.zip") ? PYODIDE + "/compiled.zip" : undefined,
  fsInit: async (FS) => {
    for (const name of fs.readdirSync("/")) {
      if (OWN.has(name) || !fs.lstatSync("/" + name).isDirectory()) continue;
      FS.mkdirTree("/" + name);
      FS.mount(FS.filesystems.NODEFS, { root: "/" + name }, "/" + name);
    }
    FS.chdir(process.cwd());
  },
});
const { FS, _module: c } = python;
for (const number of FLAGS.keys()) {
  if (number > 2 && args[0] !== LOADER) break;
  const path = device(FS, number);
  if (FS.streams[number]) FS.close(FS.streams[number]);
  const stream = FS.open(path, FLAGS[number]);
  if (stream.fd === number) continue;
  FS.dupStream(stream, number);
  FS.close(stream);
}
FS.mkdirTree("/dev/fd");
FS.symlink("/dev/inherited7", LOADER);
FS.mkdirTree("/lib/python3.15/lib-dynload");
c._PyConfig_Set(c.stringToNewUTF8("inspect"), c._PyLong_FromLong(0)); // Pyodide keeps the interpreter alive after the program
const names = python.toPy({ __name__: "platform" });
python.runPython(fs.readFileSync(new URL("platform.py", import.meta.url), "utf8"), { globals: names });
let code;
try {
  code = c._run_main();
} catch (e) {
  code = e.status;
  if (code === undefined) throw e;
}
process.exit(code);
