// Proposes capabilities from a list of tools, for a person to review: it prints what would be added
// and why, or writes it into the catalog.json of a seed folder. It opens no log and signs nothing.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseCatalogFile } from '#rules/catalog/catalog-file'
import { Fault } from '#record/fault'
import { mixesAlphabets } from '#record/quote'
import { counted } from '#present/wording'
import { seedFileNames } from '#authoring/seed-files'
import { exitCodes } from '#schemas/faults/exit'
import { writeTexts } from '#cli/terminal/opening/file'
import { inInput, readInput } from '#cli/terminal/opening/input'
import { jsonLines } from '#cli/terminal/json-lines'
import { toned, type Line } from '#cli/terminal/line'
import { print, printJson, write } from '#cli/terminal/terminal'
import { SafetyClass } from '#schemas/rules/terms'
import { usage } from '#cli/terminal/failure'
import { toolChangeLines, comparedTools } from './changed.ts'
import { toolsOfMcp, type HintReading } from './from-mcp.ts'
import { toolsOfOpenApi } from './from-openapi.ts'
import type { ProposedTool } from './proposed.ts'

export interface ProposeOptions {
  /** The seed folder whose catalog.json gets what it lacks. */
  readonly into?: string
  readonly json?: boolean
  /** It changes nothing: what `into` lacks is shown. */
  readonly dryRun?: boolean
  /** Of tools, by their ids: the class that a person gives them. */
  readonly class?: Readonly<Record<string, unknown>>
}

/** Null where the file is not a list of tools. */
export function toolsIn(value: unknown, reading: HintReading): readonly ProposedTool[] | null {
  return toolsOfMcp(value, reading) ?? toolsOfOpenApi(value)
}

export async function proposeTools(
  file: string,
  found: readonly ProposedTool[],
  { into, json = false, dryRun = false, class: classes = {} }: ProposeOptions,
): Promise<number> {
  const tools = withClasses(
    found.filter(({ refused }) => refused === undefined),
    classes,
  )
  const refused = found.filter((one) => one.refused !== undefined)
  const there = into === undefined ? null : await catalogIn(into)
  const known = new Set(there?.ids)
  const added = tools.filter(({ capability }) => !known.has(capability.id))
  const left = tools.length - added.length
  const { changed } = comparedTools(there?.known ?? [], tools)
  const capabilities = added.map(({ capability }) => capability)
  const target = dryRun ? null : there
  if (target !== null && added.length + changed.length > 0) {
    const suspended = new Set(changed.map(({ capability }) => capability))
    const kept = target.capabilities.map((one) => suspendedIn(one, suspended))
    const merged = { ...target.written, capabilities: [...kept, ...capabilities] }
    await writeTexts(target.path, [`${jsonLines(merged)}\n`])
  }
  if (json)
    await printJson({
      added: added.map(shownTool),
      left,
      changed,
      refused: refused.map(({ capability: { id }, refused: why }) => ({ id, why })),
      into: target?.path ?? null,
    })
  else {
    await print(proposalLines(added, { file, left, path: target?.path ?? null }))
    await print(refusedLines(refused))
    await print(changed.flatMap(toolChangeLines))
    if (changed.length > 0 && target !== null)
      await print(['These are suspended there: look, then take that away.'])
    if (target === null) await write(`${jsonLines({ capabilities })}\n`)
  }
  return exitCodes.yes
}

/** A name that a person may take for another one, with its letters as numbers. */
function oddName(id: string): readonly string[] {
  if (!mixesAlphabets(id)) return []
  const letters = id.replaceAll(/[^ -~]/gu, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`)
  return [`its name mixes letters of several alphabets: ${letters}`]
}

function refusedLines(refused: readonly ProposedTool[]): readonly Line[] {
  return refused.map(({ capability: { id }, refused: why = '' }) => {
    return toned('warn', `  ${id}  refused: ${why}`)
  })
}

const shownTool = ({ capability, notes }: ProposedTool) => ({ capability, notes })

/** What a person says goes before every guess. */
function withClasses(
  tools: readonly ProposedTool[],
  classes: Readonly<Record<string, unknown>>,
): readonly ProposedTool[] {
  const given = new Map(Object.entries(classes).map(([id, text]) => [id, classIn(id, text)]))
  const ids = new Set(tools.map(({ capability }) => capability.id))
  for (const id of given.keys()) if (!ids.has(id)) throw usage(`no tool is called \`${id}\``)
  return tools.map((tool) => {
    const safetyClass = given.get(tool.capability.id)
    if (safetyClass === undefined) return tool
    const notes = [`${safetyClass}: as you say`, ...tool.notes.slice(1)]
    return { ...tool, capability: { ...tool.capability, safetyClass }, notes }
  })
}

function classIn(id: string, text: unknown): SafetyClass {
  const parsed = SafetyClass.safeParse(text)
  if (parsed.success) return parsed.data
  throw usage(`the class of \`${id}\` is one of ${SafetyClass.options.join(', ')}`)
}

function suspendedIn(written: unknown, ids: ReadonlySet<string>): unknown {
  if (typeof written !== 'object' || written === null) return written
  const id: unknown = Object.getOwnPropertyDescriptor(written, 'id')?.value
  return typeof id === 'string' && ids.has(id) ? { ...written, suspended: true } : written
}

function proposalLines(
  added: readonly ProposedTool[],
  {
    file,
    left,
    path,
  }: { readonly file: string; readonly left: number; readonly path: string | null },
): readonly Line[] {
  const where = path === null ? 'a proposal; nothing was written' : `written into ${path}`
  return [
    `${counted(added.length, 'tool')} of ${file}: ${where}`,
    ...added.map(({ capability: { id, safetyClass }, notes }) => {
      const odd = oddName(id)
      const line = `  ${id}  ${[...notes, ...odd].join('; ')}`
      return safetyClass === 'READ' && odd.length === 0 ? line : toned('warn', line)
    }),
    ...(left > 0 ? [toned('dim', `  left alone, since the catalog has them: ${left}`)] : []),
    'Review each class, and say which are about personal data (`sensitivity`) and what they act on',
    '(`concepts`). A tool without concepts needs no graph.',
  ]
}

async function catalogIn(folder: string) {
  const path = join(folder, seedFileNames.catalog)
  if (!existsSync(path)) {
    throw new Fault(
      'seed_missing',
      `\`${folder}\` has no \`${seedFileNames.catalog}\`: make one first`,
    )
  }
  return inInput(path, async () => {
    const input = await readInput(path, () => false)
    const value = input.as === 'value' ? input.value : null
    const { file, refused } = parseCatalogFile(value)
    if (refused !== undefined) throw new Fault(refused.code, `${refused.at}: ${refused.message}`)
    const written: object = typeof value === 'object' && value !== null ? value : {}
    const list: unknown = Object.getOwnPropertyDescriptor(written, 'capabilities')?.value
    const capabilities: readonly unknown[] = Array.isArray(list) ? list : []
    const known = file.capabilities
    return { path, written, capabilities, known, ids: known.map(({ id }) => id) }
  })
}
