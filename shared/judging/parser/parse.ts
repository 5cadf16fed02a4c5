// Reads commands of a shell with `unbash`. That parser forgives: it makes a tree of what it can and
// passes over the rest. Here nothing may be passed over, so every character must stand in the tree
// or be one that only separates; a text that is not read in full is not read at all.
import { forEachChild, parse, type ParsedScript, type SyntaxNode } from 'unbash'
import type { ShellScript } from '#shell/syntax'
import { scriptOf } from './nodes.ts'
import { Unread } from './words.ts'

/** No person writes more in one command, and a parser may take long for it. */
const charactersMax = 65_536
const depthMax = 100

/** The tree; null where the text is no command, or too long or too deep for one. */
export function readShell(source: string): ShellScript | null {
  if (source.length > charactersMax || hidden.test(source)) return null
  try {
    const tree = parse(source)
    checkScript(tree, source, 0)
    return scriptOf(tree)
  } catch (error) {
    if (error instanceof Unread || error instanceof RangeError) return null
    throw error
  }
}

// Control characters, and those by which a text looks other than it is.
const hidden = /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069]/u

function checkScript(script: ParsedScript, source: string, depth: number): void {
  if (script.errors !== undefined && script.errors.length > 0) throw new Unread()
  const own = script.source ?? source
  checkNode(script, masked(script, own), depth)
}

/** The source with the bodies of heredocs, which stand behind their command, as spaces. */
function masked(script: ParsedScript, source: string): string {
  let text = source
  const visit = (node: SyntaxNode, depth: number): void => {
    if (depth > depthMax) throw new Unread()
    if (node.type === 'HereDoc') {
      const end = node.closing?.end ?? node.body.end
      text = text.slice(0, node.body.pos) + ' '.repeat(end - node.body.pos) + text.slice(end)
    }
    if (!hasOwnSource(node)) forEachChild(node, (child) => visit(child, depth + 1))
  }
  visit(script, 0)
  return text
}

function hasOwnSource(node: SyntaxNode): boolean {
  return node.type === 'CommandExpansion' && node.script?.source !== undefined
}

const blank = String.raw`[ \t]|\\\n`
const comment = String.raw`(?<![^\s;&|()])#[^\n]*`
const between = String.raw`\s|;|&|\\\n|${comment}`
const keywords =
  'if|then|elif|else|fi|for|in|do|done|while|until|select|case|esac|function|coproc|time'

/** What may stand between the parts of a node, by its type. */
const gaps: Readonly<Record<string, RegExp>> = {
  Script: gap(`${between}|#![^\\n]*`),
  CompoundList: gap(between),
  Statement: gap(between),
  Command: gap(blank),
  AndOr: gap(`${between}|\\|\\|`),
  Pipeline: gap(`${between}|\\|&?|!`),
  Redirected: gap(blank),
  Subshell: gap(`${between}|\\(|\\)`),
  BraceGroup: gap(`${between}|\\{|\\}`),
  Function: gap(`${between}|function|\\(|\\)`),
  Coproc: gap(`${between}|coproc`),
  CaseItem: gap(`${between}|\\(|\\)|\\|`),
}
const structure = gap(`${between}|${keywords}|\\(|\\)|\\{|\\}`)
const structured: ReadonlySet<string> = new Set(['If', 'Elif', 'For', 'While', 'Select', 'Case'])

function gap(tokens: string): RegExp {
  return new RegExp(`^(?:${tokens})*$`, 'u')
}

function checkNode(node: SyntaxNode, source: string, depth: number): void {
  if (depth > depthMax) throw new Unread()
  const allowed = gaps[node.type] ?? (structured.has(node.type) ? structure : null)
  let at = node.type === 'Script' && node.source === undefined ? beginOf(node, source) : node.pos
  forEachChild(node, (child) => {
    if (allowed !== null && child.pos > at && !allowed.test(source.slice(at, child.pos))) {
      throw new Unread()
    }
    at = Math.max(at, child.end)
    if (child.type === 'Script') checkScript(child, source, depth + 1)
    else checkNode(child, source, depth + 1)
  })
  const end = node.type === 'Script' && depth === 0 ? source.length : node.end
  if (allowed !== null && end > at && !allowed.test(source.slice(at, end))) throw new Unread()
}

function beginOf(node: SyntaxNode, source: string): number {
  return node.pos <= source.length ? node.pos : 0
}
