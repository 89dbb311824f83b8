// SPDX-License-Identifier: Apache-2.0
// How long the compiler takes in node: node speed.mjs PACKAGE FILE.cl...
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, ...files] = process.argv.slice(2);
const begin = performance.now();
const { load } = await import(pathToFileURL(path.join(path.resolve(folder), 'index.mjs')));
const compiler = await load();
console.log(`loaded in ${(performance.now() - begin).toFixed(0)} ms`);
const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
for (const file of files) {
  const source = readFileSync(file, 'utf8');
  const lines = source.split('\n').length;
  const time = (given) => {
    const times = [];
    for (let i = 0; i < 25; ++i) {
      const start = performance.now();
      const made = compiler.compile(source, { name: path.basename(file), arguments: ['-cl-std=CL3.0', ...given] });
      if (i >= 5) times.push(performance.now() - start);
      if (!made.ok) throw new Error(made.log);
      made.free();
    }
    return median(times);
  };
  const row = [['-fsyntax-only'], ['--target=opencl3.0'], []].map((given) => time(given).toFixed(2));
  console.log(
    `${path.basename(file)}: ${lines} lines; check ${row[0]} ms, to OpenCL ${row[1]} ms, to Vulkan ${row[2]} ms`,
  );
}
