// SPDX-License-Identifier: Apache-2.0
// Starts `clc2spv --lsp` for OpenCL C. The server says what it can do, and the client shows it.
'use strict';

const vscode = require('vscode');
const { LanguageClient, TransportKind } = require('vscode-languageclient/node');

let client;

// Starting and stopping take a while, and events do not wait: each step begins when the one before has ended.
let work = Promise.resolve();
const queued = (step) => (work = work.then(step, step));

async function start() {
  const settings = vscode.workspace.getConfiguration('caldera');
  const server = { command: settings.get('compiler'), args: ['--lsp'], transport: TransportKind.stdio };
  client = new LanguageClient('caldera', 'OpenCL C', server, {
    documentSelector: [{ language: 'opencl' }],
    initializationOptions: { options: settings.get('options') },
  });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    vscode.window.showErrorMessage(
        `OpenCL C: ${server.command} did not start (${error.message}). Set caldera.compiler to the path of clc2spv.`);
  }
}

async function stop() {
  const running = client;
  client = undefined;
  try {
    await running?.stop();
  } catch {
    // The server has ended by itself.
  }
}

const restart = () => queued(async () => {
  await stop();
  await start();
});

exports.activate = async (context) => {
  context.subscriptions.push(vscode.commands.registerCommand('caldera.restart', restart),
                             vscode.workspace.onDidChangeConfiguration((change) => {
                               if (change.affectsConfiguration('caldera')) return restart();
                             }));
  await queued(start);
};

exports.deactivate = () => queued(stop);
