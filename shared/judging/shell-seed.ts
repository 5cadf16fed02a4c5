// The tables of commands, read from a seed folder. A table that is not sound is refused with its
// file and place; no half of it is ever used.
import { readdir, readFile, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileProblem } from '#system/file-problem'
import { emptyGraph, type Graph } from '#knowledge/graph/revision'
import { Fault } from '#record/fault'
import { readJson } from '#record/json'
import { describeJsonFault, parserFault } from '#record/json-fault'
import { namingKeys } from '#record/naming-keys'
import { firstProblem } from '#record/problem'
import { addedProblem, tableProblem, type KnownWords } from '#shell/table-check'
import { shellTable, type ShellTable } from '#shell/surroundings'
import { ShellAdded, ShellCommands, ShellSurroundings } from '#schemas/shell/table'
import type { z } from 'zod'

const limits = { bytesMax: 4 * 1024 * 1024, depthMax: 64 }

export interface AddedTables {
  readonly folder: string
  /** Gets each command that the seed no longer judges, and the file that does. */
  readonly onReplaced: (names: string, path: string) => void
}

/**
 * The tables of a folder, with those of another folder laid over them. Throws a Fault
 * `table_invalid` with file and place.
 */
export async function readShellTable(
  folder: string,
  graph: Graph = emptyGraph,
  added?: AddedTables,
): Promise<ShellTable> {
  const tables = join(folder, 'commands')
  const names = (await listed(tables)).filter((name) => name.endsWith('.json')).toSorted()
  const surroundings = await fileOf(join(folder, 'surroundings.json'), ShellSurroundings)
  const files = []
  const defined = new Map<string, string>()
  for (const name of names) {
    const path = join(tables, name)
    const { commands } = await fileOf(path, ShellCommands)
    const known = { graph, dialects: Object.keys(surroundings.dialects), defined }
    const problem = tableProblem(commands, { ...known, file: name })
    if (problem !== null) throw invalid(path, `${problem.at}: ${problem.message}`)
    files.push(commands)
  }
  const known = { graph, dialects: Object.keys(surroundings.dialects), defined }
  const own = added === undefined ? [] : await readAdded(added, known)
  return shellTable(
    files,
    surroundings,
    own.flatMap(({ commands = {}, replace = {} }) => [commands, replace]),
    // An agent that could write its own tables would judge itself.
    added === undefined ? [] : [resolve(added.folder), await realpath(added.folder)],
  )
}

/** The files of a folder whose commands are laid over those of a seed; each name once. */
async function readAdded(
  { folder, onReplaced }: AddedTables,
  known: Omit<KnownWords, 'file'>,
): Promise<readonly ShellAdded[]> {
  const names = (await listed(folder)).filter((name) => name.endsWith('.json')).toSorted()
  if (names.length === 0) throw invalid(folder, 'no file in it ends with `.json`')
  const files: ShellAdded[] = []
  const own = new Map<string, string>()
  for (const name of names) {
    const path = join(folder, name)
    const file = await fileOf(path, ShellAdded)
    const all = [file.commands, file.replace].flatMap((one) => Object.keys(one ?? {}))
    for (const command of all.flatMap((one) => one.split(' '))) {
      const other = own.get(command)
      if (other !== undefined) throw invalid(path, `\`${command}\` is in ${other}, too`)
      own.set(command, name)
    }
    const problem = addedProblem(file, { ...known, file: name })
    if (problem !== null) throw invalid(path, `${problem.at}: ${problem.message}`)
    for (const command of Object.keys(file.replace ?? {})) onReplaced(command, path)
    files.push(file)
  }
  return files
}

async function listed(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder)
  } catch (cause) {
    throw new Fault('seed_missing', `\`${folder}\`: ${fileProblem(cause, 'it cannot be read')}`, {
      cause,
    })
  }
}

async function fileOf<T>(path: string, schema: z.ZodType<T>): Promise<T> {
  let bytes: Uint8Array
  try {
    bytes = await readFile(path)
  } catch (cause) {
    throw invalid(path, fileProblem(cause, 'it cannot be read'))
  }
  const reading = readJson(bytes, limits)
  if (!reading.ok) {
    const why = reading.code === 'not_json' ? `: ${parserFault(bytes)}` : ''
    throw invalid(path, `${describeJsonFault(reading)}${why}`)
  }
  const parsed = schema.safeParse(reading.value, namingKeys)
  if (parsed.success) return parsed.data
  const { at, message } = firstProblem(parsed.error.issues)
  throw invalid(path, at === '' ? message : `${at}: ${message}`)
}

function invalid(path: string, why: string): Fault {
  return new Fault('table_invalid', `\`${path}\`: ${why}`)
}
