// The settings of coding agents with our hooks or servers of MCP in them, and without. They are
// edited as text, so that what others wrote there keeps its place, its order and its bytes.
import {
  applyEdits,
  findNodeAtLocation,
  getNodeValue,
  modify,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from 'jsonc-parser'
import type { JsonObject } from '#schemas/catalog'
import type { Host, HostEntry, HookWay } from './hosts/host.ts'

export type SettingsEdit =
  | { readonly text: string }
  /** Why it is left as it is, and where: as `line:column`, or a path of keys. */
  | { readonly refused: string }

/** Ours are known by their command or address. */
const commandOfOurs = /[\\/]services[\\/](?:hooks[\\/]send|cli[\\/]main)\.[jt]s/u

/** More of ours than anyone has. */
const oursMax = 1_000

/** Of a hook, in seconds; ours give up sooner. */
const timeouts = { enforcing: 30, observing: 10 }

/** What our hooks are in its settings: one entry for each event. */
export function hookEntries(host: Host, way: HookWay): readonly HostEntry[] {
  const observes = way.observes === true
  const timeoutSeconds = observes ? timeouts.observing : timeouts.enforcing
  return host.entries(way, { timeoutSeconds, isBlocking: !observes })
}

/** The text with our hooks, once, whatever of them was in it. */
export function withHooks(text: string, host: Host, way: HookWay): SettingsEdit {
  return edited(text === '' ? '{}\n' : text, host, (before) => {
    const wanted = hookEntries(host, way)
    if (isSame(hooksIn(before, host), wanted)) return before
    const bare = removed(before, host)
    if (bare === null) return null
    let now = host.settings.isVersioned === true ? versioned(bare) : bare
    for (const { event, entry } of wanted) now = appended(now, event, entry)
    return now
  })
}

/** The text without them; lists and objects that only they were in go as well. */
export function withoutHooks(text: string, host: Host): SettingsEdit {
  return edited(text, host, (before) => removed(before, host))
}

/** The commands and addresses of ours in it, by their event. */
export function hooksIn(
  text: string,
  host: Host,
): readonly { readonly event: string; readonly entry: unknown }[] {
  const hooks = findNodeAtLocation(treeOf(text).root, ['hooks'])
  return (hooks?.children ?? []).flatMap((property) => {
    const [key, list] = property.children ?? []
    return (list?.children ?? []).flatMap((one) => {
      const event: unknown = key?.value
      const isFound = typeof event === 'string' && isOurs(valueOf(one), host)
      return isFound ? [{ event, entry: valueOf(one) }] : []
    })
  })
}

function isSame(there: ReturnType<typeof hooksIn>, wanted: readonly HostEntry[]): boolean {
  const texts = (all: readonly object[]) => all.map((one) => JSON.stringify(one)).toSorted()
  return texts(there).join('\n') === texts(wanted).join('\n')
}

function edited(text: string, host: Host, edit: (text: string) => string | null): SettingsEdit {
  const mark = text.startsWith('\u{FEFF}') ? '\u{FEFF}' : ''
  const plain = text.slice(mark.length)
  const refused = problemIn(plain, host)
  if (refused !== null) return { refused }
  const now = edit(plain)
  return now === null
    ? { refused: 'hooks: a list was expected under each event' }
    : { text: mark + now }
}

interface Tree {
  readonly root: Node
  readonly errors: readonly ParseError[]
}

const nothing: Node = { type: 'null', offset: 0, length: 0 }

function treeOf(text: string, disallowComments = false): Tree {
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { disallowComments, allowTrailingComma: false })
  return { root: root ?? nothing, errors }
}

/** The code of the library as words: `PropertyNameExpected` is a property name that is expected. */
function inWords({ error }: ParseError): string {
  const code = printParseErrorCode(error)
  if (code === 'InvalidCommentToken') return 'a comment, which JSON does not have'
  return code.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
}

/** Why no member of that object is touched, in a file whose members are known by one name each. */
function problemOfObject(text: string, key: string, hasComments: boolean): string | null {
  const { root, errors } = treeOf(text, !hasComments)
  const [error] = errors
  if (error !== undefined) return `${placeOf(text, error.offset)}: ${inWords(error)}`
  if (root.type !== 'object') return '1:1: an object was expected'
  const twice = keyTwice(root)
  if (twice !== null) return `${placeOf(text, twice.offset)}: the key stands there twice`
  const object = findNodeAtLocation(root, [key])
  if (object === undefined) return null
  if (object.type !== 'object') return `${placeOf(text, object.offset)}: \`${key}\` is no object`
  const again = keyTwice(object)
  return again && `${placeOf(text, again.offset)}: the key stands there twice`
}

/** Why it is not touched. */
function problemIn(text: string, host: Host): string | null {
  const problem = problemOfObject(text, 'hooks', host.settings.hasComments === true)
  if (problem !== null) return problem
  const hooks = findNodeAtLocation(treeOf(text).root, ['hooks'])
  if (hooks === undefined) return null
  const list = hooks.children?.find(({ children }) => children?.[1]?.type !== 'array')
  return list === undefined ? null : `${placeOf(text, list.offset)}: the event has no list`
}

function keyTwice(object: Node): Node | null {
  const seen = new Set<unknown>()
  for (const { children } of object.children ?? []) {
    const [key] = children ?? []
    if (key === undefined) continue
    if (seen.has(key.value)) return key
    seen.add(key.value)
  }
  return null
}

function placeOf(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n')
  return `${lines.length}:${(lines.at(-1) ?? '').length + 1}`
}

interface TextStyle {
  readonly unit: string
  readonly eol: string
}

function styleOf(text: string): TextStyle {
  const unit = /^(?<indent>[ \t]+)\S/mu.exec(text)?.groups?.['indent'] ?? '  '
  return { unit, eol: text.includes('\r\n') ? '\r\n' : '\n' }
}

/** The blanks with which the line of that place begins. */
function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1)
  return /^[ \t]*/u.exec(line)?.[0] ?? ''
}

/** One more at the end of an object or a list: not a byte of what stands there changes. */
function inserted(text: string, container: Node, piece: string): string {
  const { unit, eol } = styleOf(text)
  const last = container.children?.at(-1)
  const outer = indentAt(text, container.offset)
  const isOwnLine = last !== undefined && /^\s*$/u.test(lineBefore(text, last.offset))
  const base = isOwnLine ? indentAt(text, last.offset) : outer + unit
  const body = `${eol}${base}${piece.replaceAll('\n', `${eol}${base}`)}`
  if (last !== undefined) {
    const end = last.offset + last.length
    return `${text.slice(0, end)},${body}${text.slice(end)}`
  }
  const [start, end] = [container.offset + 1, container.offset + container.length - 1]
  const inner = text.slice(start, end)
  const close = inner.trim() === '' ? `${eol}${outer}` : inner
  return `${text.slice(0, start)}${body}${close}${text.slice(end)}`
}

function lineBefore(text: string, offset: number): string {
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
}

function withMember(text: string, object: Node, key: string, value: unknown): string {
  const { unit } = styleOf(text)
  return inserted(text, object, `${JSON.stringify(key)}: ${JSON.stringify(value, null, unit)}`)
}

function versioned(text: string): string {
  const { root } = treeOf(text)
  const has = findNodeAtLocation(root, ['version']) !== undefined
  return has ? text : withMember(text, root, 'version', 1)
}

function appended(text: string, event: string, entry: JsonObject): string {
  const { root } = treeOf(text)
  const hooks = findNodeAtLocation(root, ['hooks'])
  if (hooks === undefined) return withMember(text, root, 'hooks', { [event]: [entry] })
  const list = findNodeAtLocation(hooks, [event])
  if (list === undefined) return withMember(text, hooks, event, [entry])
  return inserted(text, list, JSON.stringify(entry, null, styleOf(text).unit))
}

function removed(text: string, host: Host): string | null {
  let now = text
  // Each turn takes one away.
  for (let turn = 0; turn < oursMax; turn += 1) {
    const found = oursIn(treeOf(now).root, host)
    if (found === null) return now
    now = withoutChild(now, found)
  }
  return null
}

interface Child {
  readonly container: Node
  readonly index: number
}

/** One of ours: its list where nothing else is in it, and so on upwards. */
function oursIn(root: Node, host: Host): Child | null {
  const hooks = findNodeAtLocation(root, ['hooks'])
  const properties = hooks?.children ?? []
  for (const [index, { children }] of properties.entries()) {
    const list = children?.[1]
    const entries = list?.children ?? []
    const at = entries.findIndex((one) => isOurs(valueOf(one), host))
    if (at === -1 || list === undefined || hooks === undefined) continue
    if (entries.length > 1) return { container: list, index: at }
    if (properties.length > 1) return { container: hooks, index }
    const own = root.children?.findIndex((one) => one.children?.[1] === hooks) ?? -1
    return { container: root, index: own }
  }
  return null
}

/** Without that child and the comma that parted it from the others. */
function withoutChild(text: string, { container, index }: Child): string {
  const children = container.children ?? []
  const [before, child, after] = [children[index - 1], children[index], children[index + 1]]
  if (child === undefined) return text
  const end = child.offset + child.length
  if (before !== undefined) return text.slice(0, before.offset + before.length) + text.slice(end)
  if (after !== undefined) return text.slice(0, child.offset) + text.slice(after.offset)
  return text.slice(0, child.offset).trimEnd() + text.slice(end).trimStart()
}

/** A group is ours where every hook of it is. */
function isOurs(entry: unknown, host: Host): boolean {
  if (typeof entry !== 'object' || entry === null) return false
  if ('hooks' in entry && Array.isArray(entry.hooks)) {
    return entry.hooks.length > 0 && entry.hooks.every((one) => isOurs(one, host))
  }
  const command = 'command' in entry ? entry.command : 'bash' in entry ? entry.bash : null
  if (typeof command === 'string') return commandOfOurs.test(command)
  const url = 'url' in entry ? entry.url : null
  return typeof url === 'string' && url.split('?')[0]?.endsWith(`/v1/hooks/${host.name}`) === true
}

function valueOf(node: Node): unknown {
  const value: unknown = getNodeValue(node)
  return value
}

// Servers of MCP, each under its name.

export interface McpSettings {
  /** The member that has the servers. */
  readonly key: string
  readonly hasComments: boolean
}

const emptyText = '{}\n'

/** By name, as they are written. */
export function serversIn(
  text: string,
  { key, hasComments }: McpSettings,
): ReadonlyMap<string, unknown> | { readonly refused: string } {
  const plain = text === '' ? emptyText : text
  const refused = problemOfObject(plain, key, hasComments)
  if (refused !== null) return { refused }
  const root = parseTree(plain)
  const servers = root && findNodeAtLocation(root, [key])
  return new Map(
    (servers?.children ?? []).flatMap(({ children }) => {
      const [name, entry] = children ?? []
      if (name === undefined || entry === undefined) return []
      const value: unknown = getNodeValue(entry)
      return [[String(name.value), value] as const]
    }),
  )
}

/** The text with that server under its name, or without it. */
export function withServer(
  text: string,
  { key, hasComments }: McpSettings,
  { name, entry }: { readonly name: string; readonly entry: object | undefined },
): SettingsEdit {
  const plain = text === '' ? emptyText : text
  const refused = problemOfObject(plain, key, hasComments)
  if (refused !== null) return { refused }
  const { unit, eol } = styleOf(plain)
  const insertSpaces = !unit.includes('\t')
  const formattingOptions = { insertSpaces, tabSize: insertSpaces ? unit.length : 1, eol }
  return { text: applyEdits(plain, modify(plain, [key, name], entry, { formattingOptions })) }
}

// On which line of a catalog file an entry stands, so that a person finds what is to be changed.

export interface EntrySought {
  readonly list: 'principals' | 'capabilities'
  readonly id: string
  /** The name of one of its conditions. */
  readonly condition?: string
}

/** Null where the text has none. */
export function entryLine(text: string, { list, id, condition }: EntrySought): number | null {
  const root = parseTree(text)
  const entry = root && entryOf(findNodeAtLocation(root, [list]), 'id', id)
  if (entry === undefined) return null
  const rules = findNodeAtLocation(entry, ['conditions'])
  const named = condition === undefined ? entry : entryOf(rules, 'name', condition)
  const at = named && findNodeAtLocation(named, [condition === undefined ? 'id' : 'name'])
  return at === undefined ? null : text.slice(0, at.offset).split('\n').length
}

function entryOf(list: Node | undefined, member: string, value: string): Node | undefined {
  return list?.children?.find((one) => findNodeAtLocation(one, [member])?.value === value)
}
