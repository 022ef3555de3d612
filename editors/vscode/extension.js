"use strict";
// Starts npdb dap for debugging sessions of the type npdb.

const vscode = require("vscode");

exports.activate = (context) => {
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory("npdb", {
      createDebugAdapterDescriptor(session) {
        const path = vscode.workspace.getConfiguration("npdb", session.workspaceFolder).get("path") || "npdb";
        return new vscode.DebugAdapterExecutable(path, ["dap"]);
      },
    }),
    vscode.debug.registerDebugConfigurationProvider("npdb", {
      // F5 without a launch.json debugs the current file.
      resolveDebugConfiguration(_folder, config) {
        const editor = vscode.window.activeTextEditor;
        if (!config.type && !config.request && editor && editor.document.languageId === "python") {
          return { type: "npdb", request: "launch", name: "npdb: current file", program: "${file}" };
        }
        return config;
      },
    }),
  );
};

exports.deactivate = () => {};
