// Reads a seed folder: the graph, the catalog and the callbacks that people write. What is not
// sound is refused with its file, its place and how to fix it; no half of it is ever used.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileProblem, hasCode } from '#system/file-problem'
import { CatalogFile } from '#schemas/catalog'
import type { GraphFile } from '#schemas/graph'
import { parseCatalogFile } from '#rules/catalog/catalog-file'
import { digestOf, digestOfJson } from '#record/digest'
import { Fault } from '#record/fault'
import { slicedCatalog, wholeCatalogOf } from './changes/sliced-catalog.ts'
import type { SeedCatalog, SlicedCatalog, WrittenCatalog } from './changes/sliced-catalog.ts'
import { parseGraphFile } from './changes/seed-file.ts'
import { readJson } from '#record/json'
import { describeJsonFault, parserFault } from '#record/json-fault'

export interface SeedFiles {
  readonly graph: GraphFile
  readonly catalog: SeedCatalog
  /** The settings of the catalog that its file names; those it leaves out it does not mention. */
  readonly settings: ReadonlySet<string>
  readonly callbacks: CallbackModule | null
  /** The same as they are written, without the defaults; null for a file that is not there. */
  readonly written: { readonly graph: unknown; readonly catalog: WrittenCatalog | null }
  /** Of all that is in these files, to the byte. */
  readonly digest: string
}

export interface CallbackModule {
  readonly source: string
  readonly exported: readonly string[]
}

/** As `warrant init` calls the folder that it makes beside the log's. */
export const seedFolderName = 'warrant'

export const seedFileNames = {
  graph: 'graph.json',
  catalog: 'catalog.json',
  callbacks: 'callbacks.ts',
} as const

// Of a catalog so large that it takes them all, most is principals.
const limits = { bytesMax: 256 * 1024 * 1024, depthMax: 64 }
/** A larger catalog is read in slices. */
const wholeBytesMax = 4 * 1024 * 1024
const sliceBytes = 1024 * 1024

export async function readSeed(folder: string): Promise<SeedFiles> {
  const [graph, catalog, callbacks] = await Promise.all([
    readText(join(folder, seedFileNames.graph)),
    readText(join(folder, seedFileNames.catalog)),
    readText(join(folder, seedFileNames.callbacks)),
  ])
  if (graph === null && catalog === null) {
    const message = `\`${folder}\` holds no seed: write \`graph.json\` or \`catalog.json\` there`
    throw new Fault('seed_missing', message)
  }
  const files = { graph, catalog, callbacks }
  const digests = Object.entries(files).map(([part, text]) => {
    return [part, text === null ? null : digestOf(text.bytes)] as const
  })
  const writtenGraph = graph === null ? null : jsonIn(graph)
  const { written: writtenCatalog, ...read } = catalogOf(catalog)
  return {
    graph: graph === null ? { primitives: [] } : graphOf(graph, writtenGraph),
    ...read,
    callbacks: callbacks === null ? null : await callbackModule(callbacks),
    written: { graph: writtenGraph, catalog: writtenCatalog },
    digest: digestOfJson(Object.fromEntries(digests)),
  }
}

interface FileText {
  readonly path: string
  readonly bytes: Uint8Array
}

async function readText(path: string): Promise<FileText | null> {
  try {
    return { path, bytes: await readFile(path) }
  } catch (cause) {
    if (hasCode(cause, 'ENOENT')) return null
    const why = fileProblem(cause, 'it cannot be read')
    throw new Fault('seed_unreadable', `\`${path}\`: ${why}`, { cause })
  }
}

function graphOf(text: FileText, value: unknown): GraphFile {
  try {
    return parseGraphFile(value)
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    throw new Fault(cause.code, `\`${text.path}\`: ${cause.message}`, { cause })
  }
}

function catalogOf(text: FileText | null) {
  if (text === null) {
    const { file } = wholeCatalogOf(CatalogFile.parse({}), {})
    return { catalog: file, settings: new Set<string>(), written: null }
  }
  const isLarge = text.bytes.length > wholeBytesMax
  const sliced = isLarge ? slicedCatalog(text.bytes, limits, sliceBytes) : null
  const { file, written } = sliced ?? wholeCatalog(text)
  return { catalog: file, settings: new Set(Object.keys(written.settings)), written }
}

function wholeCatalog(text: FileText): SlicedCatalog {
  const value = jsonIn(text)
  const { file, refused } = parseCatalogFile(value)
  if (refused === undefined && typeof value === 'object' && value !== null) {
    return wholeCatalogOf(file, value)
  }
  const { code, message, at = '' } = refused ?? { code: 'catalog_invalid', message: 'no object' }
  throw new Fault(code, `\`${text.path}\`: ${at === '' ? '' : `${at}: `}${message}`)
}

/** Throws a Fault that names the file where it is not one. */
export async function callbackModule({ path, bytes }: FileText): Promise<CallbackModule> {
  const { exportedNames, moduleUrl } = await import('#runtime/callbacks/module')
  const source = Buffer.from(bytes).toString('utf8')
  try {
    // A module that a thread could not load would refuse everything that asks for it.
    moduleUrl(source)
    return { source, exported: exportedNames(source) }
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    throw new Fault(cause.code, `\`${path}\`: ${cause.message}`, { cause })
  }
}

function jsonIn({ path, bytes }: FileText): unknown {
  const reading = readJson(bytes, limits)
  if (reading.ok) return reading.value
  const where = reading.code === 'not_json' ? ` at ${parserFault(bytes)}` : ''
  throw new Fault('seed_unreadable', `\`${path}\`: ${describeJsonFault(reading)}${where}`)
}
