// The catalog and the graph as the bytes of their files say them. What is not sound is refused with
// its file, its place and how to fix it; no half of it is ever used.
import { graphFromFile } from '#knowledge/graph/graph'
import type { Graph } from '#knowledge/graph/revision'
import { Fault } from '#record/fault'
import { readJson } from '#record/json'
import { describeJsonFault, parserFault } from '#record/json-fault'
import type { Catalog } from '#rules/catalog/catalog'
import { catalogFromFile, newCatalog } from '#rules/catalog/catalog-file'
import { parseGraphFile } from './seed-file.ts'

const limits = { bytesMax: 64 * 1024 * 1024, depthMax: 64 }

/** Upon another, if one is given. */
export function catalogOfBytes(path: string, bytes: Uint8Array, before = newCatalog): Catalog {
  const value = valueIn(bytes, (why) => {
    return new Fault('catalog_unreadable', `catalog \`${path}\`: ${why}`)
  })
  const { catalog, refused } = catalogFromFile(value, before)
  if (catalog !== undefined) return catalog
  const where = refused.at === '' ? '' : `${refused.at}: `
  throw new Fault(refused.code, `catalog \`${path}\`: ${where}${refused.message}`)
}

export function graphOfBytes(path: string, bytes: Uint8Array): Graph {
  const value = valueIn(bytes, (why) => {
    return new Fault('graph_unreadable', `graph \`${path}\`: ${why}`)
  })
  try {
    return graphFromFile(parseGraphFile(value))
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    throw new Fault(error.code, `graph \`${path}\`: ${error.message}`, { cause: error })
  }
}

function valueIn(bytes: Uint8Array, refused: (why: string) => Fault): unknown {
  const reading = readJson(bytes, limits)
  if (reading.ok) return reading.value
  const { code, at } = reading
  const where = code === 'not_json' ? `: ${parserFault(bytes)}` : ''
  throw refused(`${describeJsonFault({ code, at })}${where}`)
}
