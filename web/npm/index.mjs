// SPDX-License-Identifier: Apache-2.0
// The package's door: finds caldera.wasm beside this file, in node and in browsers.
import { fromBytes } from './caldera.mjs';

export { Compiler, fromBytes } from './caldera.mjs';

/** A compiler, with the module that comes with this package. */
export async function load(options) {
  const place = new URL('./caldera.wasm', import.meta.url);
  if (place.protocol === 'file:') {
    const { readFile } = await import('node:fs/promises');
    return fromBytes(await readFile(place), options);
  }
  const reply = await fetch(place);
  if (!reply.ok) throw new Error(`cannot load ${place}: ${reply.status}`);
  return fromBytes(await reply.arrayBuffer(), options);
}
