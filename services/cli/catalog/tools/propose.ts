// Proposes capabilities from a list of tools, for a person to review: it prints what would be added
// and why, or writes it into the catalog.json of a seed folder. It opens no log and signs nothing.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseCatalogFile } from '#core/catalog/catalog-file'
import { Fault } from '#core/kernel/fault'
import { counted } from '#present/wording'
import { seedFileNames } from '#runtime/authoring/seed-files'
import { exitCodes } from '#schemas/faults/exit'
import { writeTexts } from '../../opening/file.ts'
import { inInput, readInput } from '../../opening/input.ts'
import { jsonLines } from '../../terminal/json-lines.ts'
import { toned, type Line } from '../../terminal/line.ts'
import { print, printJson, write } from '../../terminal/terminal.ts'
import { toolsOfMcp } from './from-mcp.ts'
import { toolsOfOpenApi } from './from-openapi.ts'
import type { ProposedTool } from './proposed.ts'

export interface ProposeOptions {
  /** The seed folder whose catalog.json gets what it lacks. */
  readonly into?: string
  readonly json?: boolean
}

/** Null where the file is not a list of tools. */
export function toolsIn(value: unknown): readonly ProposedTool[] | null {
  return toolsOfMcp(value) ?? toolsOfOpenApi(value)
}

export async function proposeTools(
  file: string,
  tools: readonly ProposedTool[],
  { into, json = false }: ProposeOptions,
): Promise<number> {
  const there = into === undefined ? null : await catalogIn(into)
  const known = new Set(there?.ids)
  const added = tools.filter(({ capability }) => !known.has(capability.id))
  const left = tools.length - added.length
  const capabilities = added.map(({ capability }) => capability)
  if (there !== null && added.length > 0) {
    const merged = { ...there.written, capabilities: [...there.capabilities, ...capabilities] }
    await writeTexts(there.path, [`${jsonLines(merged)}\n`])
  }
  if (json) await printJson({ added, left, into: there?.path ?? null })
  else {
    await print(proposalLines(added, { file, left, path: there?.path ?? null }))
    if (there === null) await write(`${jsonLines({ capabilities })}\n`)
  }
  return exitCodes.yes
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
    ...added.map(({ capability, notes }) => {
      const line = `  ${capability.id}  ${notes.join('; ')}`
      return capability.safetyClass === 'READ' ? line : toned('warn', line)
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
    return { path, written, capabilities, ids: file.capabilities.map(({ id }) => id) }
  })
}
