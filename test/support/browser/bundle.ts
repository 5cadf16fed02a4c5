// A bundle as a page gets it: for browsers, from the sources, as one script. It runs where there is
// nothing of Node.
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'

const root = join(import.meta.dirname, '..', '..', '..')

export interface Bundled {
  readonly code: string
  /** The files of which something is loaded at once, from the root. */
  readonly files: readonly string[]
  /** What it would load from outside. */
  readonly outside: readonly string[]
  /** Of what is loaded at once. */
  readonly gzipBytes: number
}

/** In one script, or in several of which some are loaded on demand. */
export async function bundled(source: string, { whole }: { whole: boolean }): Promise<Bundled> {
  const entry = join(root, 'bundled-entry.ts')
  const built = await rolldown({
    cwd: root,
    input: entry,
    platform: 'browser',
    resolve: { conditionNames: ['browser', 'warrant-source', 'import', 'default'] },
    plugins: [
      {
        name: 'entry',
        load: (id) => (id === entry ? source : null),
        resolveId: (id) => (id === entry ? id : null),
      },
    ],
    onLog: (level, { message }) => {
      if (level === 'warn') throw new Error(message)
    },
  })
  const { output } = await built.generate(
    whole
      ? { format: 'iife', name: 'page', codeSplitting: false, minify: true }
      : { format: 'es', minify: true },
  )
  await built.close()
  const [first] = output
  const names = new Set(output.map(({ fileName }) => fileName))
  const wanted = new Set([first.fileName])
  for (const chunk of output) {
    if (chunk.type === 'chunk' && wanted.has(chunk.fileName)) {
      for (const one of chunk.imports) wanted.add(one)
    }
  }
  const chunks = output.filter((one) => one.type === 'chunk')
  const atOnce = chunks.filter(({ fileName }) => wanted.has(fileName))
  return {
    code: first.code,
    files: atOnce.flatMap(({ modules }) =>
      Object.entries(modules).flatMap(([id, { renderedLength }]) =>
        renderedLength > 0 ? [id.replace(`${root}/`, '')] : [],
      ),
    ),
    outside: chunks
      .flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
      .filter((one) => !names.has(one)),
    gzipBytes: atOnce.reduce((bytes, { code }) => bytes + gzipSync(code, { level: 9 }).length, 0),
  }
}

const anywhere = { mayCompile: true }

/** Runs the bundle with what every platform has, and nothing of Node: what it exports. */
export function runAlone(
  code: string,
  { mayCompile }: { mayCompile: boolean } = anywhere,
): unknown {
  const given = { TextEncoder, TextDecoder, structuredClone, URL }
  const context = createContext(given, { codeGeneration: { strings: mayCompile, wasm: false } })
  runInContext(code, context)
  return runInContext('page', context)
}
