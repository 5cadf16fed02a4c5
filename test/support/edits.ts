// Changes of a log that a scene begins with, by the commands that read them from files.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run, type Ran, type RunOptions } from './cli-runner.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** `warrant graph apply` or `catalog apply`, of operations as they stand in a file. */
export async function changed(
  kind: 'graph' | 'catalog',
  operations: readonly object[],
  options: RunOptions,
  ...words: readonly string[]
): Promise<Ran> {
  const file = join(await temporaryFolder(), 'operations.json')
  await writeFile(file, JSON.stringify(operations))
  return run([kind, 'apply', file, ...words], options)
}

type Entry = Readonly<Record<string, unknown>>

/** Puts entries; what they do not name stays as the catalog has it, and undefined takes it away. */
export async function put(
  collection: string,
  entries: readonly Entry[],
  options: RunOptions,
  ...words: readonly string[]
): Promise<Ran> {
  const { stdout } = await run(['catalog', 'export'], options)
  const there: readonly Entry[] = JSON.parse(stdout)[collection] ?? []
  const operations = entries.map((entry) => ({
    op: 'put',
    collection,
    entry: { ...there.find(({ id }) => id === entry['id']), ...entry },
  }))
  return changed('catalog', operations, options, ...words)
}

/** The operations that bring in a primitive with these levels. */
export function adding(
  name: string,
  levels: Readonly<Record<number, Entry>> = {},
): readonly object[] {
  return [
    { op: 'add', name },
    ...Object.entries({ 0: {}, ...levels }).map(([level, properties]) => {
      return { op: 'describe', name, level: Number(level), properties }
    }),
  ]
}
