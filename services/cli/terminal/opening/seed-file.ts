// The graph and the catalog that offline answers are judged by, read from one file each. A file
// that is not sound is refused with its place and how to fix it; no half of it is ever used.
import { readFile } from 'node:fs/promises'
import { fileProblem } from '#system/file-problem'
import type { Catalog } from '#rules/catalog/catalog'
import { catalogFromFile, newCatalog } from '#rules/catalog/catalog-file'
import { Fault } from '#record/fault'
import { graphFromFile } from '#knowledge/graph/graph'
import type { Graph } from '#knowledge/graph/revision'
import { placeInLines } from '#authoring/changes/ndjson-file'
import { readJson } from '#record/json'
import { describeJsonFault, parserFault } from '#record/json-fault'
import { readGraphFile } from './graph-file.ts'

const limits = { bytesMax: 64 * 1024 * 1024, depthMax: 64 }

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
  for (const path of paths) if (path !== undefined) catalog = await withCatalogFile(catalog, path)
  return catalog
}

async function withCatalogFile(before: Catalog, path: string): Promise<Catalog> {
  const { catalog, refused } = catalogFromFile(await readCatalogFile(path), before)
  if (catalog !== undefined) return catalog
  const where = refused.at === '' ? '' : `${refused.at}: `
  throw new Fault(refused.code, `catalog \`${path}\`: ${where}${refused.message}`)
}

async function readCatalogFile(path: string): Promise<unknown> {
  const bytes = await readBytes(path)
  const reading = readJson(bytes, limits)
  if (reading.ok) return reading.value
  const { code, at } = reading
  const where = code === 'not_json' ? `: ${parserFault(bytes)}` : ''
  const message = `catalog \`${path}\`: ${describeJsonFault({ code, at })}${where}`
  throw new Fault('catalog_unreadable', message)
}

async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path)
  } catch (cause) {
    const why = fileProblem(cause, 'it cannot be read')
    throw new Fault('catalog_unreadable', `catalog \`${path}\`: ${why}`, { cause })
  }
}
