// By what hooks are judged, read from seed folders: the tables of commands, and what the tools of
// coding agents are. A file that is not sound is refused with its place.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readShell } from './parser/parse.ts'
import { parseGraphFile } from '#authoring/changes/seed-file'
import { fileProblem } from '#system/file-problem'
import { graphFromFile } from '#knowledge/graph/graph'
import { Fault } from '#record/fault'
import { readJson } from '#record/json'
import { describeJsonFault } from '#record/json-fault'
import { namingKeys } from '#record/naming-keys'
import { firstProblem } from '#record/problem'
import type { HookTables } from '#shell/hooks/hook-call'
import { HookToolsFile } from '#shell/hooks/tool-table'
import { readShellTable, type AddedTables } from './shell-seed.ts'

const limits = { bytesMax: 1024 * 1024, depthMax: 16 }

export interface HookSeedFolders {
  /** With `commands/` and `surroundings.json`. */
  readonly shell: string
  /** With `tools.json`. */
  readonly hooks: string
}

/** The folders that are shipped below that one. */
export function shippedHookSeeds(root: string): HookSeedFolders {
  return { shell: join(root, 'seeds', 'shell'), hooks: join(root, 'seeds', 'hooks') }
}

/** Throws a Fault `table_invalid` or `seed_missing`. */
export async function readHookTables(
  { shell, hooks }: HookSeedFolders,
  added?: AddedTables,
): Promise<HookTables> {
  const graph = graphFromFile(parseGraphFile(await valueIn(join(shell, 'graph.json'))))
  const table = await readShellTable(shell, graph, added)
  return { read: readShell, table, tools: await readTools(join(hooks, 'tools.json')) }
}

async function readTools(path: string): Promise<HookToolsFile> {
  const parsed = HookToolsFile.safeParse(await valueIn(path), namingKeys)
  if (parsed.success) return parsed.data
  const { at, message } = firstProblem(parsed.error.issues)
  throw new Fault('table_invalid', `\`${path}\`: ${at === '' ? message : `${at}: ${message}`}`)
}

async function valueIn(path: string): Promise<unknown> {
  const invalid = (why: string) => new Fault('table_invalid', `\`${path}\`: ${why}`)
  let bytes: Uint8Array
  try {
    bytes = await readFile(path)
  } catch (cause) {
    throw invalid(fileProblem(cause, 'it cannot be read'))
  }
  const reading = readJson(bytes, limits)
  if (!reading.ok) throw invalid(describeJsonFault(reading))
  return reading.value
}
