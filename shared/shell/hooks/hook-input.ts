// All that the host will run, bound by the arguments that people agree to: the digest of everything
// that the tool was given, what of it can be shown, and the file that it changes. What a log does
// not declare is left out, and the call is judged as that log has always judged it.
import type { JsonObject, JsonValue } from '#schemas/catalog'
import { utf8Length } from '#platform/bytes'
import { canonical, jsonOf } from '#record/canonical'
import { digestOf } from '#record/digest'
import { givenText, without } from './given-text.ts'
import { conceptsIn } from '../surroundings.ts'
import { lacksMembers } from './declared.ts'
import { conceptsAt, mappedCall, unknownCall, type HookTables } from './hook-call.ts'
import { contentFields, shownContents } from './hook-contents.ts'
import type { HookCall } from './hook-event.ts'
import type { HookTool } from './tool-table.ts'
import { pathWord, givenPath, textsAt } from './tool-words.ts'
import type {
  ReadShell,
  ShellNode,
  ShellRedirect,
  ShellScript,
  ShellSpan,
  ShellPart,
  ShellWord,
} from '../syntax.ts'

export interface AskedCall {
  readonly tool: string
  readonly args: JsonObject
  /** Sorted, each once. */
  readonly concepts: readonly string[]
  /**
   * What makes it the same call after it has run: without what people were shown, and the file as
   * it was.
   */
  readonly same: JsonObject
  /**
   * All of what it would write, where people are shown the beginning alone: for the card, and never
   * for the log.
   */
  readonly whole: string | null
  /** Whether the log declares nothing of what its seeds declare now: they are to be applied. */
  readonly isOld: boolean
}

export interface BoundBy extends HookTables {
  /** The arguments that a capability has in the log. */
  readonly declared: (capability: string) => ReadonlySet<string>
  /** The files that it changes, as they are; empty where they are not read. */
  readonly before: readonly FileBefore[]
  /** A digest that only who has the key can guess the text of. */
  readonly keyedDigest: (text: string) => string
}

export interface FileBefore {
  /** As the tool was given it. */
  readonly path: string
  readonly text: string
}

/** Which files would have to be read for the difference: of a tool that changes one by its path. */
export function changedPath(host: string, call: HookCall, by: HookTables): string | null {
  const { entry, paths } = mappedCall(host, call, by)
  const [path, ...more] = paths
  if (entry?.writes === undefined || path === undefined || more.length > 0) return null
  const named = givenPath(path)
  return named.isStrange || isSecretPath(path, call, by) ? null : named.path
}

export function boundCall(host: string, call: HookCall, by: BoundBy): AskedCall {
  const mapped = mappedCall(host, call, by)
  const { entry } = mapped
  const declared = by.declared(mapped.tool)
  if (!declared.has('input')) {
    const { tool, args, concepts } = mapped
    return { tool, args, concepts, same: args, whole: null, isOld: true }
  }
  const flags = Object.entries(entry?.flags ?? {}).filter(([name]) => isOn(call.args[name]))
  const [command] = (declared.has('excerpt') && textsAt(call.args, entry?.command)) || []
  const heredocs = heredocsIn(command ?? '', by.read)
  const isSecret =
    mapped.concepts.includes('secret.read') ||
    heredocs.words.length > wordsMax ||
    [...mapped.paths, ...heredocs.words].some((path) => isSecretPath(path, call, by))
  const before = by.before.find(({ path }) => mapped.paths.includes(path))?.text ?? null
  const of = { before, isSecret, heredocs: heredocs.texts }
  const contents = entry === null ? null : shownContents(entry, call.args, of)
  const shown = contents?.shown
  const isKeyed = isSecret || shown?.unseen === 'secret'
  const digest = isKeyed ? by.keyedDigest : digestOf
  const text = givenText(call.args, by.tools)
  const known = entry === null || isKnown(entry, call, by)
  const asked = known ? mapped : { ...unknownCall(stripped(call, entry, heredocs), by), entry }
  const concepts = new Set([...mapped.concepts, ...asked.concepts])
  for (const [, is] of flags) for (const one of conceptsIn(is)) concepts.add(one)
  if (shown?.unseen === 'too_large' || shown?.unseen === 'binary') concepts.add('content.unseen')
  if (concepts.size > 1) concepts.delete('harmless')
  const options = optionsOf(entry, call, by)
  const same = {
    ...asked.args,
    ...shortened(asked.args, heredocs),
    input: { digest: digest(text), bytes: utf8Length(text) },
    ...(call.root !== null && { root: call.root }),
    ...(Object.keys(options).length > 0 && { options }),
  }
  const all = {
    ...same,
    ...(before !== null && { before: digest(before) }),
    ...shown,
  }
  const takes = known ? declared : by.declared(asked.tool)
  const kept = (args: JsonObject) =>
    Object.fromEntries(
      Object.entries(args).filter(([name]) => takes.has(name) || Object.hasOwn(asked.args, name)),
    )
  const args = kept(all)
  return {
    tool: asked.tool,
    args,
    concepts: [...concepts].sort(),
    same: kept(same),
    whole: Object.hasOwn(args, 'whole') ? (contents?.whole ?? null) : null,
    isOld: !takes.has('input') || (entry !== null && mayWrite(entry) && lacksMembers(declared)),
  }
}

function mayWrite(entry: HookTool): boolean {
  return entry.command !== undefined || contentFields(entry).size > 0
}

/** A command that names more files beside a heredoc is shown none of it. */
const wordsMax = 64

/** The command as it is recorded: what stands in its heredocs is contents. */
function shortened({ command }: JsonObject, { whole, short }: Heredocs): JsonObject {
  if (typeof command !== 'string' || whole === short || !command.endsWith(whole)) return {}
  return { command: command.slice(0, command.length - whole.length) + short }
}

export function isSecretPath(path: string, call: HookCall, by: HookTables): boolean {
  return conceptsAt(`< ${pathWord(givenPath(path).path)}`, call, by).includes('secret.read')
}

const off: readonly unknown[] = [undefined, null, false, '', 0, 'false', 'use_default']

function isOn(value: JsonValue | undefined): boolean {
  return !off.includes(value) && !(Array.isArray(value) && value.length === 0)
}

/** Arguments that have a meaning of their own in the table, apart from those that are free. */
function meant(entry: HookTool): readonly string[] {
  const { command, folder, reads, writes, deletes, args = {} } = entry
  const fields = [command, folder, reads, writes, deletes, ...Object.values(args)]
  return [...fields.flatMap((one) => one?.split(' ') ?? []), ...contentFields(entry)]
}

/** What may stand beside those, and is shown as it is. */
function beside({ names, search, flags = {}, also }: HookTool): readonly string[] {
  const fields = [names, search?.for, also].flatMap((one) => one?.split(' ') ?? [])
  return [...fields, ...Object.keys(flags)]
}

function isKnown(entry: HookTool, { args }: HookCall, { tools }: HookTables): boolean {
  if (entry.whole === true) return true
  const known = new Set([...meant(entry), ...beside(entry), ...tools.free.split(' ')])
  return Object.keys(args).every((name) => known.has(name))
}

const optionCharactersMax = 1_000

function optionsOf(entry: HookTool | null, { args }: HookCall, { tools }: HookTables): JsonObject {
  if (entry === null || entry.whole === true) return {}
  const shown = without(args, new Set([...meant(entry), ...tools.free.split(' ')]))
  return Object.fromEntries(
    Object.entries(shown).map(([name, value]) => {
      const text = typeof value === 'string' ? value : canonical(jsonOf(value))
      if (text.length <= optionCharactersMax) return [name, value]
      const rest = text.length - optionCharactersMax
      const head = text.slice(0, optionCharactersMax).replace(/[\uD800-\uDBFF]$/, '')
      return [name, `${head} [${rest} more characters]`]
    }),
  )
}

/** Contents are shown as an excerpt, or not at all. */
function stripped(call: HookCall, entry: HookTool | null, heredocs: Heredocs): HookCall {
  if (entry === null) return call
  const args = without(call.args, contentFields(entry))
  const fields = entry.command?.split(' ') ?? []
  const isCommand = ([name, value]: readonly [string, JsonValue]): boolean =>
    fields.includes(name) && value === heredocs.whole
  const all = Object.entries(args).map((one): [string, JsonValue] => {
    return isCommand(one) ? [one[0], heredocs.short] : one
  })
  return { ...call, args: Object.fromEntries(all) }
}

// The heredocs of a command: what stands in them goes to a program, mostly into a file, so it is
// shown and kept as contents of files are. Nothing of how the command is judged depends on it.

interface Heredocs {
  /** The command as it is, and with the size of each heredoc in its place. */
  readonly whole: string
  readonly short: string
  /** What stands in each. */
  readonly texts: readonly string[]
  /** All words of the command that are known: among them are the files that it writes. */
  readonly words: readonly string[]
}

/** Of a command that cannot be read all after its first line: no one knows where they end. */
export function heredocsIn(command: string, read: ReadShell): Heredocs {
  const none = { whole: command, short: command, texts: [], words: [] }
  if (!command.includes('<<')) return none
  const script = read(command)
  if (script === null) {
    const start = command.indexOf('\n') + 1
    return start === 0 ? none : { ...none, ...taken(command, [{ start, end: command.length }]) }
  }
  const all = redirectsIn(script)
  const spans = all.flatMap((one) => (one.kind === 'text' && one.body ? [one.body] : []))
  if (spans.length === 0) return none
  const targets = all.flatMap((one) => (one.kind === 'file' ? [one.target] : []))
  const words = new Set([...targets, ...wordsIn(script)].flatMap(textIn))
  const inOrder = spans.toSorted((one, other) => one.start - other.start)
  return { ...none, ...taken(command, inOrder), words: [...words] }
}

function taken(command: string, spans: readonly ShellSpan[]): Pick<Heredocs, 'short' | 'texts'> {
  const texts: string[] = []
  let short = ''
  let at = 0
  for (const { start, end } of spans) {
    const text = command.slice(start, end)
    const note = text === '' ? '' : `[${utf8Length(text)} bytes]${text.endsWith('\n') ? '\n' : ''}`
    short += command.slice(at, start) + note
    if (text !== '') texts.push(text)
    at = end
  }
  return { short: short + command.slice(at), texts }
}

function redirectsIn(script: ShellScript): readonly ShellRedirect[] {
  return script.flatMap((node) => [
    ...('redirects' in node ? node.redirects : []),
    ...redirectsIn(within(node)),
  ])
}

function wordsIn(script: ShellScript): readonly ShellWord[] {
  return script.flatMap((node) => [
    ...(node.kind === 'command'
      ? node.words.flatMap((one) => (one.kind === 'word' ? [one.word] : []))
      : []),
    ...wordsIn(within(node)),
  ])
}

/** The nodes in it, apart from those in its words: these have places of their own. */
function within(node: ShellNode): ShellScript {
  switch (node.kind) {
    case 'command':
    case 'looked':
      return []
    case 'pipeline':
      return node.stages
    case 'chain':
      return node.items
    case 'redirected':
      return [node.node]
    case 'branches':
      return node.branches.flat()
    case 'apart':
    case 'together':
    case 'loop':
    case 'function':
      return node.body
  }
}

function textIn(word: ShellWord): readonly string[] {
  const texts = word.map(plainText)
  return texts.includes(null) ? [] : [texts.join('')]
}

function plainText(part: ShellPart): string | null {
  return part.kind === 'text' || part.kind === 'home' ? part.text : null
}
