// The graph and the catalog that offline answers are judged by, read from one file each. A file
// that is not sound is refused with its place and how to fix it; no half of it is ever used.
import { readFile } from 'node:fs/promises'
import { fileProblem } from '#system/file-problem'
import type { Catalog } from '#rules/catalog/catalog'
import { newCatalog } from '#rules/catalog/catalog-file'
import { Fault } from '#record/fault'
import { graphFromFile } from '#knowledge/graph/graph'
import type { Graph } from '#knowledge/graph/revision'
import { placeInLines } from '#authoring/changes/ndjson-file'
import { catalogOfBytes } from '#authoring/changes/seed-texts'
import { readGraphFile } from './graph-file.ts'

/** The graph of that file: a seed, or the lines that an export writes. */
export async function readGraph(path: string): Promise<Graph> {
  // Standard input is where the questions come from.
  const file = path === '-' ? './-' : path
  const read = await named(path, () => readGraphFile(file))
  return named(path, async () => graphFromFile(read.file), read.lines)
}

async function named<T>(
  path: string,
  run: () => Promise<T>,
  lines: readonly number[] | null = null,
): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const code = error.code === 'input_unreadable' ? 'graph_unreadable' : error.code
    const message = lines === null ? error.message : placeInLines(error.message, lines)
    throw new Fault(code, `graph \`${path}\`: ${message}`, { cause: error })
  }
}

/** The catalog of those files, one upon the other; without one it has no one and nothing in it. */
export async function readCatalog(...paths: readonly (string | undefined)[]): Promise<Catalog> {
  let catalog = newCatalog
  for (const path of paths) {
    if (path !== undefined) catalog = catalogOfBytes(path, await readBytes(path), catalog)
  }
  return catalog
}

async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path)
  } catch (cause) {
    const why = fileProblem(cause, 'it cannot be read')
    throw new Fault('catalog_unreadable', `catalog \`${path}\`: ${why}`, { cause })
  }
}
