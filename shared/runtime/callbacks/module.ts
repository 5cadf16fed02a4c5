// A callback module as people write it, TypeScript or JavaScript in one file, turned into something
// a thread can import. One that imports others is refused: its digest would not cover what runs.
import { LRUCache } from 'lru-cache'
import { Fault } from '#record/fault'
import { scriptTree, strippedTypes } from '#system/script-text'
import type { Node, Pattern, Program } from '#system/script-text'

// Stripping and parsing take longer than most that a module is asked.
const urls = new LRUCache<string, string>({ max: 8 })

/** A `data:` URL of the module with its types stripped. Throws a Fault. */
export function moduleUrl(source: string): string {
  const url = urls.get(source) ?? urlOf(source)
  urls.set(source, url)
  return url
}

function urlOf(source: string): string {
  const code = strip(source)
  const outside = firstOutside(parsed(code))
  if (outside !== null) {
    const message = 'a callback module must be one file: it may only `import type`'
    throw new Fault('callbacks_invalid', `${message} (${placeOf(code, outside)})`)
  }
  return `data:text/javascript;base64,${Buffer.from(code, 'utf8').toString('base64')}`
}

/** The names that the module exports as functions, as far as its text shows. Throws a Fault. */
export function exportedNames(source: string): string[] {
  return parsed(strip(source)).body.flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration') return []
    const { declaration, specifiers } = statement
    const listed = specifiers.map(({ exported }) =>
      exported.type === 'Identifier' ? exported.name : String(exported.value),
    )
    if (declaration?.type === 'FunctionDeclaration') return [...listed, declaration.id.name]
    if (declaration?.type !== 'VariableDeclaration') return listed
    return [...listed, ...declaration.declarations.flatMap(({ id }) => nameOf(id))]
  })
}

function nameOf(id: Pattern): string[] {
  return id.type === 'Identifier' ? [id.name] : []
}

/** Wherever it stands: where code is, and not where comments or quoted text only look like it. */
function firstOutside(program: Program): Node | null {
  const nodes: unknown[] = [program]
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (typeof node !== 'object' || node === null) continue
    if (isNode(node) && reachesOutside(node)) return node
    const children: unknown[] = Object.values(node)
    for (const child of children) nodes.push(child)
  }
  return null
}

function reachesOutside(node: Node): boolean {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ImportExpression':
    case 'ExportAllDeclaration':
      return true
    case 'ExportNamedDeclaration':
      return 'source' in node && node.source !== null
    case 'MetaProperty':
      // `new.target` is one too, and reaches nothing.
      return (
        'meta' in node && isNode(node.meta) && 'name' in node.meta && node.meta.name === 'import'
      )
    default:
      return false
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

function placeOf(code: string, { start }: Node): string {
  const before = code.slice(0, start).split('\n')
  return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`
}

// What only V8 can read is refused too: nothing may run that was not looked at.
function parsed(code: string): Program {
  try {
    return scriptTree(code, 'module')
  } catch (error) {
    throw unreadable(error instanceof Error ? error.message : String(error), error)
  }
}

function strip(source: string): string {
  try {
    return strippedTypes(source)
  } catch (error) {
    throw unreadable(whyNotStripped(error), error)
  }
}

function unreadable(why: string, cause: unknown): Fault {
  const message = `the callback module cannot be read: ${why}`
  return new Fault('callbacks_invalid', message, { cause })
}

// What is thrown is no error, but an object that says where.
function whyNotStripped(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('message' in error)) return String(error)
  const message = String(error.message).split('\n')[0] ?? ''
  const hasPlace = 'startLine' in error && 'startColumn' in error
  if (!hasPlace || typeof error.startColumn !== 'number') return message
  return `${message} (line ${String(error.startLine)}, column ${error.startColumn + 1})`
}
