// The heredocs of a command: what stands in them goes to a program, mostly into a file, so it is
// shown and kept as contents of files are. Nothing of how the command is judged depends on it.
import { utf8Length } from '#platform/bytes'
import type { ReadShell, ShellNode, ShellRedirect, ShellScript, ShellSpan } from '../syntax.ts'
import type { ShellPart, ShellWord } from '../syntax.ts'

export interface Heredocs {
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
