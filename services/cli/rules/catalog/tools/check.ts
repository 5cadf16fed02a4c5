// `warrant catalog check`: compares the capabilities that were imported with what their authors
// say now, suspends those that changed, or accepts what a person has looked at, each by a signed
// change.
import type { Catalog } from '#rules/catalog/catalog'
import { Fault } from '#record/fault'
import { counted } from '#present/wording'
import type { Capability, CatalogOperation } from '#schemas/catalog'
import { exitCodes } from '#schemas/faults/exit'
import type { EditOptions } from '../../editing/edit-options.ts'
import { edit } from '../../editing/edit.ts'
import { inInput, readInput } from '#cli/terminal/opening/input'
import { looking } from '#cli/terminal/opening/known-at'
import { usage } from '#cli/terminal/failure'
import { toned, type Line } from '#cli/terminal/line'
import { print, printJson } from '#cli/terminal/terminal'
import { toolChangeLines, comparedTools, type ComparedTools } from './changed.ts'
import { toolsIn } from './propose.ts'
import { proposedLike, type ProposedTool } from './proposed.ts'

interface CheckOptions extends EditOptions {
  readonly suspend?: boolean
  /** Ids of capabilities whose tools a person has looked at. */
  readonly accept?: readonly string[]
}

export async function checkTools(file: string, options: CheckOptions): Promise<number> {
  const { suspend = false, accept = [] } = options
  if (suspend && accept.length > 0) throw usage('suspend what changed, or accept it: not both')
  const tools = await readTools(file)
  if (accept.length > 0) {
    return edit(options, { kind: 'catalog', operations: accepting(tools, accept) })
  }
  if (suspend && (await isToSuspend(options, tools))) {
    return edit(options, { kind: 'catalog', operations: suspending(tools) })
  }
  return looking(options, 'catalog', async ({ knownAt }) => {
    const { capabilities } = (await knownAt(undefined)).catalog
    const compared = comparedTools(capabilities.values(), tools)
    if (options.json === true) await printJson(compared)
    else await print(comparedLines(compared, file))
    return compared.changed.length > 0 ? exitCodes.differs : exitCodes.yes
  })
}

/** No change set is empty: where nothing is to be suspended, nothing is signed. */
function isToSuspend(options: CheckOptions, tools: readonly ProposedTool[]): Promise<boolean> {
  return looking(options, 'catalog', async ({ knownAt }) => {
    return suspending(tools)((await knownAt(undefined)).catalog).length > 0
  })
}

async function readTools(file: string): Promise<readonly ProposedTool[]> {
  const input = await inInput(file, () => readInput(file, () => false))
  const tools = toolsIn(input.as === 'value' ? input.value : null, { acceptsHints: false })
  if (tools !== null) return tools
  throw usage(`\`${file}\` is neither a \`tools/list\` result nor an OpenAPI 3 document`)
}

function suspending(tools: readonly ProposedTool[]) {
  return ({ capabilities }: Pick<Catalog, 'capabilities'>): readonly CatalogOperation[] => {
    const { changed } = comparedTools(capabilities.values(), tools)
    const running = changed.filter(({ isSuspended }) => !isSuspended)
    return running.flatMap(({ capability }) => {
      const entry = capabilities.get(capability)
      return entry === undefined ? [] : [put({ ...entry, suspended: true })]
    })
  }
}

/** Its description and schema become those of now; what judges it otherwise stays. */
export function accepting(tools: readonly ProposedTool[], ids: readonly string[]) {
  return ({ capabilities }: Catalog): readonly CatalogOperation[] =>
    ids.map((id) => {
      const { suspended: _, ...entry } = capabilities.get(id) ?? missing(id, 'the catalog')
      const { from, tool } = entry.imported ?? missing(id, 'the catalog')
      const now = tools.find(({ capability: { imported } }) => {
        return imported.from === from && imported.tool === tool
      })
      const { description, argsSchema, imported } =
        (now && proposedLike(entry, now))?.capability ?? missing(id, 'the file')
      if (argsSchema === undefined) {
        throw new Fault('args_schema_invalid', `capabilities/${id}: ${now?.refused}`)
      }
      return put({ ...entry, description, argsSchema, imported })
    })
}

function missing(id: string, where: string): never {
  throw new Fault('unknown_entry', `${where} has no tool of \`${id}\` that was imported`)
}

function put(entry: Capability): CatalogOperation {
  return { op: 'put', collection: 'capabilities', entry }
}

function comparedLines({ changed, gone, fresh }: ComparedTools, file: string): readonly Line[] {
  const running = changed.filter(({ isSuspended }) => !isSuspended)
  return [
    ...changed.flatMap(toolChangeLines),
    ...gone.map((id) => toned('warn', `${id}: its tool is no longer in ${file}`)),
    ...(fresh.length > 0 ? [`${counted(fresh.length, 'tool')} that the catalog lacks`] : []),
    ...(changed.length === 0 ? ['every tool is as it was approved'] : []),
    ...(running.length === 0
      ? []
      : [
          `${running.length} of these may still be used: suspend them until someone has looked`,
          `  warrant catalog check ${file} --suspend`,
        ]),
    ...(changed.length === 0
      ? []
      : ['accept what is right', `  warrant catalog check ${file} --accept <id>`]),
  ]
}
