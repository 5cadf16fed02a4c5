// The intent that a call of a coding agent's tool is: a capability, its arguments, and the concepts
// that it stands for. Paths are judged as a shell would judge them, by the same tables. What no
// table has is a call of an unknown tool, which is asked about.
import type { JsonObject, JsonValue } from '#schemas/catalog'
import { conceptsOfCommand } from '../concepts.ts'
import { conceptsIn } from '../surroundings.ts'
import type { JudgingShell } from '../effort.ts'
import type { HookCall } from './hook-event.ts'
import type { HookTool, HookToolsFile } from './tool-table.ts'
import {
  patchedPaths,
  pathWord,
  patternsBelow,
  patternWord,
  quotedWord,
  textsAt,
  givenPath,
  withoutOpenName,
} from './tool-words.ts'

/** By what calls are mapped. */
export interface HookTables extends JudgingShell {
  readonly tools: HookToolsFile
}

export interface MappedCall {
  readonly tool: string
  readonly args: JsonObject
  /** Sorted, each once. */
  readonly concepts: readonly string[]
  /** By which it was mapped; null for a tool that no table has. */
  readonly entry: HookTool | null
  /** As the tool was given them. */
  readonly paths: readonly string[]
}

/** Total: a call without the arguments that its entry needs is one of an unknown tool. */
export function mappedCall(host: string, call: HookCall, by: HookTables): MappedCall {
  const entry = entryOf(by.tools.hosts[host] ?? {}, call.tool)
  return (entry && mapped(entry, call, by)) ?? unknownCall(call, by)
}

function entryOf(tools: Readonly<Record<string, HookTool>>, name: string): HookTool | null {
  if (Object.hasOwn(tools, name)) return tools[name] ?? null
  const found = Object.entries(tools).find(([pattern]) => {
    return pattern.endsWith('*') && name.startsWith(pattern.slice(0, -1))
  })
  return found?.[1] ?? null
}

export function unknownCall(call: HookCall, by: HookTables): MappedCall {
  const { capability, is } = by.tools.unknown
  return {
    tool: capability,
    args: { tool: call.tool, arguments: call.args },
    concepts: [...conceptsIn(is ?? 'unknown.command')].sort(),
    entry: null,
    paths: [],
  }
}

function mapped(entry: HookTool, call: HookCall, by: HookTables): MappedCall | null {
  const concepts = new Set(conceptsIn(entry.is))
  const args: Record<string, JsonValue> = {}
  const paths: string[] = []
  for (const part of [commandPart, pathsPart, wholePart]) {
    const found = part(entry, call)
    if (found === null) return null
    Object.assign(args, found.args)
    paths.push(...(found.paths ?? []))
    for (const command of found.commands) {
      for (const one of conceptsAt(command, call, by)) concepts.add(one)
    }
    for (const one of found.is ?? []) concepts.add(one)
  }
  for (const [name, fields] of Object.entries(entry.args ?? {})) {
    const [value] = textsAt(call.args, fields) ?? []
    if (value === undefined) return null
    args[name] = value
  }
  if (concepts.size > 1) concepts.delete('harmless')
  return { tool: entry.capability, args, concepts: [...concepts].sort(), entry, paths }
}

/** What a command of a shell would stand for that runs where the tool does. */
export function conceptsAt(
  command: string,
  { cwd, root }: Pick<HookCall, 'cwd' | 'root'>,
  by: HookTables,
): readonly string[] {
  // Without a project nothing is inside one.
  const places = { ...(cwd !== null && { cwd }), root: root ?? '/' }
  return conceptsOfCommand({ command, ...places }, by)
}

interface Part {
  readonly args: JsonObject
  /** Commands of a shell that come to the same. */
  readonly commands: readonly string[]
  readonly is?: readonly string[]
  readonly paths?: readonly string[]
}

const nothing: Part = { args: {}, commands: [] }

function commandPart(entry: HookTool, { args, cwd }: HookCall): Part | null {
  if (entry.command === undefined) return nothing
  const [command, ...more] = textsAt(args, entry.command) ?? []
  if (command === undefined || more.length > 0) return null
  const folders = textsAt(args, entry.folder)
  if (folders === null) return null
  const [folder] = folders.map(givenPath)
  const whole = folder === undefined ? command : `cd -- ${pathWord(folder.path)}\n${command}`
  const strange = folder?.isStrange === true ? ['unknown.value'] : []
  return { args: { command: whole, ...inFolder(cwd) }, commands: [whole], is: strange }
}

/** More than a tool is given; each is judged by itself. */
const pathsMax = 1_000

function pathsPart(entry: HookTool, { args, cwd }: HookCall): Part | null {
  const { reads, names, writes, deletes, patch } = entry
  if ([reads, names, writes, deletes, patch].every((one) => one === undefined)) return nothing
  const patched = patch === undefined ? [] : patchedPaths(textsAt(args, patch))
  const given = [reads, writes, deletes, names].map((fields) => textsAt(args, fields))
  const [read = null, written = null, deleted = null, patterns = null] = given
  if (patched === null || read === null || written === null) return null
  if (deleted === null || patterns === null) return null
  const roots = read.length === 0 ? ['.'] : read
  const below = roots.flatMap((folder) => patterns.flatMap((one) => patternsBelow(folder, one)))
  const isBare = entry.bare === true && read.length + below.length === 0
  const bare = isBare ? ['.'] : []
  const changed = [...written, ...patched.filter((one) => !one.isDeleted).map(pathOf)]
  const gone = [...deleted, ...patched.filter((one) => one.isDeleted).map(pathOf)]
  const plain = [...new Set([...read, ...bare, ...changed, ...gone])]
  const paths = [...new Set([...plain, ...below.map(pathOf)])]
  if (paths.length === 0 || paths.length > pathsMax) return null
  const isStrange = [...plain.map(givenPath), ...below].some((one) => one.isStrange)
  return {
    args: { paths, ...inFolder(cwd) },
    commands: [
      ...[...read, ...bare].map((path) => seen(entry, '<', namedPath(path))),
      ...below.map((one) => seen(entry, 'cat --', patternWord(withoutOpenName(one)))),
      ...(below.length === 0 ? searches(entry, args, roots) : []),
      ...changed.map((path) => `> ${namedPath(path)}`),
      ...gone.map((path) => `rm -- ${namedPath(path)}`),
    ],
    is: isStrange ? ['unknown.value'] : [],
    paths: plain,
  }
}

/** What a tool reads, or whose name alone it shows, as a command that comes to the same. */
function seen({ lists }: HookTool, reading: string, word: string): string {
  return `${lists === true ? 'ls -d --' : reading} ${word}`
}

/** A search whose lines are shown, as the command that comes to the same. */
function searches({ search }: HookTool, args: JsonObject, folders: readonly string[]) {
  const [pattern] = (search !== undefined && textsAt(args, search.for)) || []
  if (search === undefined || pattern === undefined) return []
  const isShown = Object.entries(search.where ?? {}).every(([name, value]) => args[name] === value)
  if (!isShown) return []
  const hidden = search.hidden === true ? ' --hidden' : ''
  return [`rg${hidden} -e ${quotedWord(pattern)} -- ${folders.map(namedPath).join(' ')}`]
}

function namedPath(path: string): string {
  return pathWord(givenPath(path).path)
}

function pathOf({ path }: { readonly path: string }): string {
  return path
}

function wholePart({ whole }: HookTool, { tool, args }: HookCall): Part {
  return whole === undefined ? nothing : { args: { tool, arguments: args }, commands: [] }
}

function inFolder(cwd: string | null): JsonObject {
  return cwd === null ? {} : { cwd }
}
