// The intent that a call of a coding agent's tool is: a capability, its arguments, and the concepts
// that it stands for. Paths are judged as a shell would judge them, by the same tables. What no
// table has is a call of an unknown tool, which is asked about.
import type { JsonObject, JsonValue } from '#schemas/catalog'
import type { HookHost, HookTool, HookToolsFile } from '#schemas/hooks/tools'
import { conceptsOfCommand } from '../shell/concepts.ts'
import type { ReadShell } from '../shell/syntax.ts'
import { conceptsIn, type ShellTable } from '../shell/surroundings.ts'
import type { HookCall } from './hook-event.ts'

/** By what calls are mapped. */
export interface HookTables {
  readonly read: ReadShell
  readonly table: ShellTable
  readonly tools: HookToolsFile
}

export interface MappedCall {
  readonly tool: string
  readonly args: JsonObject
  /** Sorted, each once. */
  readonly concepts: readonly string[]
}

/** Total: a call without the arguments that its entry needs is one of an unknown tool. */
export function mappedCall(host: HookHost, call: HookCall, by: HookTables): MappedCall {
  const entry = entryOf(by.tools.hosts[host], call.tool)
  return (entry && mapped(entry, call, by)) ?? unknownCall(call, by)
}

function entryOf(tools: Readonly<Record<string, HookTool>>, name: string): HookTool | null {
  if (Object.hasOwn(tools, name)) return tools[name] ?? null
  const found = Object.entries(tools).find(([pattern]) => {
    return pattern.endsWith('*') && name.startsWith(pattern.slice(0, -1))
  })
  return found?.[1] ?? null
}

function unknownCall(call: HookCall, by: HookTables): MappedCall {
  const { capability, is } = by.tools.unknown
  return {
    tool: capability,
    args: { tool: call.tool, arguments: call.args },
    concepts: [...conceptsIn(is ?? 'unknown.command')].sort(),
  }
}

function mapped(entry: HookTool, call: HookCall, by: HookTables): MappedCall | null {
  const concepts = new Set(conceptsIn(entry.is))
  const args: Record<string, JsonValue> = {}
  for (const part of [commandPart, pathsPart, wholePart]) {
    const found = part(entry, call)
    if (found === null) return null
    Object.assign(args, found.args)
    for (const command of found.commands) {
      const asked = { command, ...(call.cwd !== null && { cwd: call.cwd }) }
      for (const one of conceptsOfCommand(asked, by)) concepts.add(one)
    }
    for (const one of found.is ?? []) concepts.add(one)
  }
  for (const [name, fields] of Object.entries(entry.args ?? {})) {
    const [value] = textsAt(call.args, fields) ?? []
    if (value === undefined) return null
    args[name] = value
  }
  if (concepts.size > 1) concepts.delete('harmless')
  return { tool: entry.capability, args, concepts: [...concepts].sort() }
}

interface Part {
  readonly args: JsonObject
  /** Commands of a shell that come to the same. */
  readonly commands: readonly string[]
  readonly is?: readonly string[]
}

const nothing: Part = { args: {}, commands: [] }

function commandPart(entry: HookTool, { args, cwd }: HookCall): Part | null {
  if (entry.command === undefined) return nothing
  const [command, ...more] = textsAt(args, entry.command) ?? []
  if (command === undefined || more.length > 0) return null
  const [folder] = (entry.folder !== undefined && textsAt(args, entry.folder)) || []
  const whole = folder === undefined ? command : `cd -- ${pathWord(folder)}\n${command}`
  const strange = folder !== undefined && isStrange(folder) ? ['unknown.value'] : []
  return { args: { command: whole, ...inFolder(cwd) }, commands: [whole], is: strange }
}

function pathsPart(entry: HookTool, { args, cwd }: HookCall): Part | null {
  const { reads, writes, deletes, patch } = entry
  if ([reads, writes, deletes, patch].every((one) => one === undefined)) return nothing
  const patched = patch === undefined ? [] : patchedPaths(textsAt(args, patch))
  if (patched === null) return null
  const at = (fields: string | undefined) => (fields === undefined ? [] : textsAt(args, fields))
  const [read, written, deleted] = [at(reads), at(writes), at(deletes)]
  if (read === null || written === null || deleted === null) return null
  const bare = entry.bare === true && read.length === 0 ? ['.'] : []
  const paths = [...new Set([...read, ...bare, ...written, ...deleted, ...patched])]
  if (paths.length === 0) return null
  return {
    args: { paths, ...inFolder(cwd) },
    commands: [
      ...[...read, ...bare].map((path) => `< ${pathWord(path)}`),
      ...[...written, ...patched].map((path) => `> ${pathWord(path)}`),
      ...deleted.map((path) => `rm -- ${pathWord(path)}`),
    ],
    is: paths.some(isStrange) ? ['unknown.value'] : [],
  }
}

function wholePart({ whole }: HookTool, { tool, args }: HookCall): Part {
  return whole === undefined ? nothing : { args: { tool, arguments: args }, commands: [] }
}

function inFolder(cwd: string | null): JsonObject {
  return cwd === null ? {} : { cwd }
}

/** Of all fields that are there; null where one of them is no text. */
function textsAt(args: JsonObject, fields: string): readonly string[] | null {
  const found: string[] = []
  for (const field of fields.split(' ')) {
    if (!Object.hasOwn(args, field)) continue
    const value = args[field]
    for (const one of Array.isArray(value) ? value : [value]) {
      if (typeof one !== 'string' || one === '') return null
      found.push(one)
    }
  }
  return found
}

const patchHeader = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (?<path>.+)$/u

/** The files that a patch names; null where it names none, so that it is not understood. */
function patchedPaths(patches: readonly string[] | null): readonly string[] | null {
  const paths = (patches ?? []).flatMap((patch) =>
    patch.split(/\r?\n/u).flatMap((line) => {
      const path = patchHeader.exec(line.trim())?.groups?.['path']?.trim()
      return path === undefined ? [] : [path]
    }),
  )
  return paths.length === 0 ? null : paths
}

/** Where it lies is not known: a path of Windows, or one with what no shell shows. */
function isStrange(path: string): boolean {
  return /[\\\p{Cc}]|^[A-Za-z]:/u.test(path)
}

/** As one word of a shell: nothing in it but the home folder is expanded. */
function pathWord(path: string): string {
  const home = /^~[^/]*/u.exec(path)?.[0] ?? ''
  const isHome = /^~[\w.-]*$/u.test(home)
  const rest = isHome ? path.slice(home.length) : path
  const quoted = `'${rest.replaceAll("'", String.raw`'\''`)}'`
  if (!isHome) return quoted
  return rest === '' ? home : `${home}/'${rest.slice(1).replaceAll("'", String.raw`'\''`)}'`
}
