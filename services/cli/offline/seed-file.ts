// The graph and the catalog that offline answers are judged by, read from one file each. A file
// that is not sound is refused with its place and how to mend it; no half of it is ever used.
import { readFile } from 'node:fs/promises'
import { catalogFromFile, emptyCatalog, type Catalog } from '#core/catalog/catalog'
import { Fault } from '#core/fault'
import { graphFromFile, type Graph } from '#core/graph/graph'
import { parseGraphFile } from '#core/graph/seed-file'
import { readJson } from '#core/vlp/json'
import { describeJsonFault } from '#core/json-fault'

const limits = { bytesMax: 64 * 1024 * 1024, depthMax: 64 }

/** The graph of that file. */
export async function readGraph(path: string): Promise<Graph> {
  const value = await readSeedFile('graph', path)
  try {
    return graphFromFile(parseGraphFile(value))
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    throw new Fault(error.code, 'never', `graph \`${path}\`: ${error.message}`, { cause: error })
  }
}

/** The catalog of that file; without one, the catalog that has nobody and nothing in it. */
export async function readCatalog(path: string | undefined): Promise<Catalog> {
  if (path === undefined) return emptyCatalog
  const { catalog, refused } = catalogFromFile(await readSeedFile('catalog', path))
  if (catalog !== undefined) return catalog
  const where = refused.at === '' ? '' : `${refused.at}: `
  throw new Fault(refused.code, 'never', `catalog \`${path}\`: ${where}${refused.message}`)
}

async function readSeedFile(what: 'graph' | 'catalog', path: string): Promise<unknown> {
  const bytes = await readBytes(what, path)
  const reading = readJson(bytes, limits)
  if (reading.ok) return reading.value
  const { code } = reading
  const where = code === 'not_json' ? whereNotJson(bytes) : ''
  const message = `${what} \`${path}\`: ${describeJsonFault(code)}${where}`
  throw new Fault(`${what}_unreadable`, 'never', message)
}

async function readBytes(what: string, path: string): Promise<Uint8Array> {
  try {
    return await readFile(path)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : 'it cannot be read'
    throw new Fault(`${what}_unreadable`, 'never', `${what} \`${path}\`: ${why}`, { cause })
  }
}

// Only the parser knows where it stopped.
function whereNotJson(bytes: Uint8Array): string {
  try {
    JSON.parse(Buffer.from(bytes).toString('utf8'))
    return ''
  } catch (error) {
    return error instanceof Error ? `: ${error.message}` : ''
  }
}
