// Reads a catalog file and brings it into the catalog.
import type { CatalogFile } from '#schemas/catalog'
import { parseCatalogFile } from '#rules/catalog/catalog-file'
import { Fault } from '#record/fault'
import { plannedCatalog } from '#authoring/catalog-import'
import { operationLines } from '#operations/proposals/operation-lines'
import { importFile, type ImportCommandOptions } from '../editing/edit.ts'
import { inInput, readInput } from '#cli/terminal/opening/input'
import { usage } from '#cli/terminal/failure'
import { proposeTools, toolsIn } from './tools/propose.ts'
import { proposedAtEdge, type ProposedTool } from './tools/proposed.ts'

interface ImportOptions extends ImportCommandOptions {
  /** Of tools: the seed folder whose catalog.json gets what it lacks. */
  readonly into?: string
  /** Of tools: their classes as a person gives them, and whether hints are taken for them. */
  readonly class?: Readonly<Record<string, unknown>>
  readonly acceptHints?: boolean
  /** Of an OpenAPI document: what a proxy asks about, in place of what a program calls. */
  readonly requests?: boolean
}

/** A catalog file is brought into the log; tools that others describe are only proposed. */
export async function importCatalog(file: string, options: ImportOptions): Promise<number> {
  if (/\.ya?ml$/i.test(file)) {
    throw new Fault('input_unreadable', `\`${file}\`: YAML is not read: convert it to JSON`)
  }
  const input = await inInput(file, () => readInput(file, () => false))
  const value = input.as === 'value' ? input.value : null
  const tools = toolsIn(value, { acceptsHints: options.acceptHints === true })
  if (options.requests === true) return proposeTools(file, atEdge(tools), options)
  if (tools !== null) return proposeTools(file, tools, options)
  refuseOtherDocuments(file, value)
  const read = await inInput(file, () => readCatalog(value))
  const { exact = false, note } = options
  return importFile(file, options, {
    kind: 'catalog',
    plan: ({ follower }, by) => {
      const sets = plannedCatalog(follower.state.catalog, read, { exact, by, note })
      return { sets, leftAlone: {} }
    },
    shown: (sets) => sets.flatMap(({ operations }) => operationLines(operations)),
  })
}

/** What is near to what is read here, and is not. */
function refuseOtherDocuments(file: string, value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (!['swagger', 'openapi', 'paths'].some((member) => member in value)) return
  if ('openapi' in value && String(value.openapi).startsWith('3.') && !('paths' in value)) {
    const none = 'it has no `paths`, so it describes nothing that could be called'
    const instead = '`webhooks` are what its author calls; import the document that has `paths`'
    throw new Fault('input_unreadable', `\`${file}\`: ${none}: ${instead}`)
  }
  const version = 'swagger' in value ? `Swagger ${String(value.swagger)}` : 'this OpenAPI document'
  const read = 'OpenAPI 3 with `openapi` and `paths` is read, as JSON'
  throw new Fault('input_unreadable', `\`${file}\`: ${version} is not read: ${read}; convert it`)
}

function atEdge(tools: readonly ProposedTool[] | null): readonly ProposedTool[] {
  const found = tools?.map(proposedAtEdge) ?? [null]
  return found.map((one) => {
    if (one !== null) return one
    throw usage('only an OpenAPI document has requests: leave --requests out')
  })
}

function readCatalog(value: unknown): {
  readonly file: CatalogFile
  readonly settings: ReadonlySet<string>
} {
  const { file, refused } = parseCatalogFile(value)
  if (refused !== undefined) {
    const { code, message, at } = refused
    throw new Fault(code, at === '' ? message : `${at}: ${message}`)
  }
  const named = typeof value === 'object' && value !== null ? Object.keys(value) : []
  return { file, settings: new Set(named) }
}
