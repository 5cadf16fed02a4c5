// Puts servers behind the proxy: their tools into the catalog, by a table that a person agrees to,
// and then the servers into the settings of a host. Nothing is written where nothing is agreed to.
import { mkdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { change } from '#authoring/change'
import { seedFolderName } from '#authoring/seed-files'
import { Fault } from '#record/fault'
import { listed, quoted } from '#record/quote'
import { withServer } from '#shell/hooks/hook-settings'
import { rulesBuiltIn, type Catalog } from '#rules/catalog/catalog'
import type { Runtime } from '#runtime/engine/runtime'
import { findPolicyAdmin } from '#runtime/keys/keys'
import { Capability, type CatalogOperation } from '#schemas/catalog'
import { SafetyClass } from '#schemas/rules/terms'
import { logFor } from '#cli/agents/hook/settings-place'
import { serverBehind, toolsListed } from '#cli/agents/mcp/server-behind'
import { catalogIn, writeCatalogFile, writtenIn } from '#cli/rules/catalog/catalog-in'
import { comparedTools, toolChangeLines } from '#cli/rules/catalog/tools/changed'
import { accepting } from '#cli/rules/catalog/tools/check'
import { toolsOfMcp } from '#cli/rules/catalog/tools/from-mcp'
import { oddName, withClasses } from '#cli/rules/catalog/tools/propose'
import type { ProposedTool } from '#cli/rules/catalog/tools/proposed'
import { toned, type Line } from '#cli/terminal/line'
import type { GlobalOptions, SignerOptions } from '#cli/terminal/opening/options'
import { editedOrRefused, replaceSettings } from '#cli/terminal/opening/settings-text'
import { demandAgreement, refuseUnasked, signerChoice } from '#cli/terminal/signing'
import { shownPath } from '#cli/terminal/shown-path'
import type { McpHost } from './mcp-hosts.ts'
import { proxiedEntry, type ServerStarted } from './proxied-entry.ts'

export interface NamedServer extends ServerStarted {
  readonly name: string
}

export interface PuttingBehind {
  readonly host: McpHost
  /** The settings as they are, and where. */
  readonly file: string
  readonly text: string
  readonly servers: readonly NamedServer[]
  readonly agent: string
  /** As a person gives them. */
  readonly classes: Readonly<Record<string, unknown>>
  readonly options: GlobalOptions & SignerOptions
}

/** What was done, in lines. */
export async function putBehind(runtime: Runtime, of: PuttingBehind): Promise<readonly Line[]> {
  const { host, file, servers, agent, options } = of
  if (!runtime.follower.state.catalog.principals.has(agent)) {
    throw new Fault('unknown_entry', `the catalog has no agent \`${agent}\`: give --agent`)
  }
  const log = logFor(options) ?? ''
  let { text } = of
  for (const server of servers) {
    const entry = proxiedEntry(server, { host, agent, log })
    const { name } = server
    text = editedOrRefused(file, withServer(text, host, { name, entry }))
  }
  const behind = []
  for (const server of servers) behind.push(...(await toolsBehind(server)))
  const signed = await agreedTools(runtime, behind, of)
  await mkdir(dirname(file), { recursive: true })
  if (text !== of.text) await replaceSettings(file, text)
  const names = servers.map(({ name }) => quoted(name)).join(', ')
  return [...signed, `  ${shownPath(file)}: ${host.title} starts ${names} behind the proxy`]
}

async function toolsBehind({ name, words, env }: NamedServer): Promise<readonly ProposedTool[]> {
  const tools = await toolsListed(serverBehind([], { words, env }), quoted(name))
  return toolsOfMcp({ tools: [...tools] }, { acceptsHints: true }) ?? []
}

/** Shows the tools that the log lacks or has otherwise, asks, and signs. */
async function agreedTools(
  runtime: Runtime,
  behind: readonly ProposedTool[],
  { agent, classes, options }: PuttingBehind,
): Promise<readonly Line[]> {
  const { catalog } = runtime.follower.state
  const usable = withClasses(
    behind.filter(({ refused }) => refused === undefined),
    classes,
  )
  const added = usable.filter(({ capability: { id } }) => !catalog.capabilities.has(id))
  const { changed } = comparedTools(catalog.capabilities.values(), usable)
  const changedIds = changed.map(({ capability }) => capability)
  const operations: readonly CatalogOperation[] = [
    ...added.map(({ capability }) => put(capability)),
    ...accepting(usable, changedIds)(catalog),
  ]
  const refused = behind.flatMap(({ capability: { id }, refused: why }) => {
    return why === undefined ? [] : [toned('warn', `  left out  ${id}: ${why}`)]
  })
  if (operations.length === 0) return refused
  refuseUnasked(options)
  const author = await findPolicyAdmin(signerChoice(runtime, options))
  const lines = [
    ...tableLines(added, { catalog, agent }),
    ...changed.flatMap(toolChangeLines),
    ...refused,
  ]
  await demandAgreement(options, { lines, as: author.id })
  await change(runtime, { kind: 'catalog', operations }, author)
  await writtenToo(runtime, usable, changedIds)
  // Who is asked has seen it.
  const shown = options.yes === true ? lines : []
  return [...shown, `  ${operations.length} tools are in the catalog, signed by ${author.id}`]
}

function put(capability: ProposedTool['capability']): CatalogOperation {
  return { op: 'put', collection: 'capabilities', entry: Capability.parse(capability) }
}

const meanings: Readonly<Record<SafetyClass, string>> = {
  READ: 'only reads',
  WRITE: 'changes or sends: role `writer`, and a reason, which its owner is asked for',
  DESTRUCTIVE: 'destroys, pays, or no one says: role `admin`',
}

/** What its roles do not let the agent do, of which the table would else promise too much. */
function deniedLines(
  safetyClass: SafetyClass,
  { catalog, agent }: { readonly catalog: Catalog; readonly agent: string },
): readonly Line[] {
  const needed = rulesBuiltIn(catalog).rolesFor[safetyClass]
  const roles = catalog.principals.get(agent)?.roles ?? []
  if (needed.length === 0 || needed.some((role) => roles.includes(role))) return []
  const how = `give it ${listed(needed, 'or')} in catalog.json, or them another class`
  return [toned('warn', `    ${quoted(agent)} has no such role: each call is DENIED; ${how}`)]
}

/** A row for each class, and below it why its tools are of a worse one than their server says. */
function tableLines(
  added: readonly ProposedTool[],
  of: { readonly catalog: Catalog; readonly agent: string },
): readonly Line[] {
  if (added.length === 0) return []
  const rows = SafetyClass.options.flatMap((safetyClass): readonly Line[] => {
    const own = added.filter(({ capability }) => capability.safetyClass === safetyClass)
    if (own.length === 0) return []
    const names = own.map(({ capability: { id } }) => id).join(', ')
    const notes = own.flatMap(({ capability: { id }, notes: [why = ''] }) => {
      const odd = oddName(id)
      const remarks = why.includes('although') ? [why, ...odd] : odd
      return remarks.length === 0 ? [] : [toned('warn', `      ${id}  ${remarks.join('; ')}`)]
    })
    const head = toned('strong', `  ${safetyClass}: ${meanings[safetyClass]}`)
    return [head, `    ${names}`, ...deniedLines(safetyClass, of), ...notes]
  })
  const head = `tools that ${quoted(of.agent)} could ask for, by what their names and server say:`
  return [head, ...rows, toned('dim', '  another class: the same command with --class TOOL=CLASS')]
}

/** The folder that people edit has them as well, or the next plan would miss them. */
async function writtenToo(
  { folder }: Pick<Runtime, 'folder'>,
  tools: readonly ProposedTool[],
  changed: readonly string[],
): Promise<void> {
  const seed = folder === null ? seedFolderName : join(resolve(folder, '..'), seedFolderName)
  const { path, written, file } = await catalogIn(seed)
  const now = new Map(tools.map(({ capability }) => [capability.id, capability]))
  const there = new Set(file.capabilities.map(({ id }) => id))
  const kept = writtenIn(written, 'capabilities').map((one) => {
    if (typeof one !== 'object' || one === null) return one
    const id: unknown = Object.getOwnPropertyDescriptor(one, 'id')?.value
    const tool = typeof id === 'string' && changed.includes(id) ? now.get(id) : undefined
    if (tool === undefined) return one
    const { description, argsSchema, imported } = tool
    const { suspended: _, ...rest }: { readonly suspended?: unknown } = one
    return { ...rest, description, argsSchema, imported }
  })
  const added = [...now.values()].filter(({ id }) => !there.has(id))
  await writeCatalogFile(path, { ...written, capabilities: [...kept, ...added] })
}
