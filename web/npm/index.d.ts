// SPDX-License-Identifier: Apache-2.0
/** How a source is compiled. */
export interface CompileOptions {
  /** For messages and relative includes; "kernel.cl" otherwise. With ".spvasm" at its end, assembly of SPIR-V. */
  name?: string;
  /** Options of clc2spv, one each: ["-O2", "--target=vulkan1.3", "--abi=descriptors"]. No names of inputs. */
  arguments?: string[];
  /** What the source includes, and a device's profile for --device-profile, by their paths. */
  files?: Record<string, string>;
  /** Whether the result has the module after each pass of the translator. */
  passes?: boolean;
}

/** A position in a source; lines and columns count from 1. */
export interface Position {
  file: string;
  line?: number;
  /** In cells of a terminal, with a tab stop at every eighth. */
  column?: number;
  'display-column'?: number;
  /** In bytes of the line's UTF-8. */
  'byte-column'?: number;
}

/** A stretch of a source; `finish` is its last character. */
export interface Location {
  caret: Position;
  finish?: Position;
}

/** A message, in the form of `gcc -fdiagnostics-format=json`. */
export interface Diagnostic {
  kind: 'note' | 'warning' | 'error' | 'fatal error';
  message: string;
  /** The first is the place; others are highlighted besides. */
  locations: Location[];
  children: Diagnostic[];
  /** The option that controls a warning. */
  option?: string;
  hint?: string;
  fixits?: { start: Position; next: Position; string: string }[];
  'included-from'?: Position[];
}

/** A module in the compiler's memory. */
export interface SpirvModule {
  /** A copy of the bytes of a SPIR-V file. */
  readonly bytes: Uint8Array;
  /** Assembly text. `bySource`: the functions beside the lines of the source, which needs the argument "-g". */
  disassemble(options?: { bySource?: boolean }): string;
}

/** A pass of the translator. */
export interface PassInfo {
  number: number;
  name: string;
  need: '' | 'required' | 'optimization' | 'precaution';
  summary: string;
}

/** A pass that ran, and the module after it: the one before, where the pass changed nothing. */
export interface Pass extends PassInfo {
  changed: boolean;
  module: SpirvModule;
}

/** What a compilation gave. */
export interface Result {
  ok: boolean;
  /** Where the error is; "compiler": a fault of Caldera's. */
  failed: '' | 'request' | 'options' | 'front end' | 'translator' | 'validator' | 'compiler';
  /** The diagnostics with source lines and carets, as clc2spv prints them. */
  log: string;
  diagnostics: Diagnostic[];
  target: string;
  /** The front end's module. */
  opencl: SpirvModule | null;
  /** The translator's module. */
  vulkan: SpirvModule | null;
  /** How the kernels are called: every field of caldera/reflection.h under its own name. */
  reflection: Record<string, unknown> | null;
  /** What --emit=c-header, cpp-header and ast, and -E make. */
  text: string;
  /** With the option `passes`: those that ran, in order. The first is "read". */
  passes: Pass[];
  times: { stage: string; ms: number }[];
  /** Gives the memory of the modules back; they cannot be used afterwards. */
  free(): void;
}

/** A compiler. It is for one thread, and its calls return when they are done. */
export class Compiler {
  constructor(module: WebAssembly.Module, options?: { log?: (text: string) => void });
  /** Compiles OpenCL C to OpenCL SPIR-V, and translates that for Vulkan. No source makes it throw. */
  compile(source: string, options?: CompileOptions): Result;
  /** The version, the options of clc2spv as its --help shows them, and the passes. */
  about(): { version: string; help: string; passes: PassInfo[] };
}

/** Makes a compiler of the bytes of caldera.wasm. `log` gets what the C library prints when it aborts. */
export function fromBytes(bytes: BufferSource, options?: { log?: (text: string) => void }): Promise<Compiler>;

/** A compiler, with the module that comes with this package: by the file system in node, else by fetch(). */
export function load(options?: { log?: (text: string) => void }): Promise<Compiler>;
