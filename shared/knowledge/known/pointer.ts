// JSON pointers whose tokens may be `*`, for every item or member: what they lead to in a value
// that came as JSON.
import { pointerToken, tokenName } from '#record/pointer-token'

/** The tokens of a pointer; none for the whole value. */
export function tokensOf(pointer: string): readonly string[] {
  if (pointer === '') return []
  return pointer.slice(1).split('/').map(tokenName)
}

export function isPointer(text: unknown): text is string {
  return typeof text === 'string' && /^(?:\/(?:[^~/]|~[01])*)*$/.test(text)
}

function below(pointer: string, token: string | number): string {
  return `${pointer}/${pointerToken(String(token))}`
}

export interface Node {
  readonly pointer: string
  readonly value: unknown
  /** The object or list that holds it; null for the whole value. */
  readonly parent: unknown
}

/** What the tokens lead to. */
export function nodesAt(value: unknown, tokens: readonly string[]): readonly Node[] {
  let nodes: readonly Node[] = [{ pointer: '', value, parent: null }]
  for (const token of tokens) {
    nodes = nodes.flatMap((node) => {
      const members = membersOf(node.value)
      const wanted = token === '*' ? members : members.filter(([name]) => name === token)
      return wanted.map(([name, member]) => {
        return { pointer: below(node.pointer, name), value: member, parent: node.value }
      })
    })
  }
  return nodes
}

/** The texts and numbers at a node and below it, those under the pointers of `except` left out. */
export function* leavesBelow(
  { pointer, value }: Pick<Node, 'pointer' | 'value'>,
  except: ReadonlySet<string> = new Set(),
): Generator<{ readonly pointer: string; readonly text: string }> {
  if (except.has(pointer)) return
  if (typeof value === 'string') yield { pointer, text: value }
  else if (typeof value === 'number') yield { pointer, text: String(value) }
  else {
    for (const [name, member] of membersOf(value)) {
      yield* leavesBelow({ pointer: below(pointer, name), value: member }, except)
    }
  }
}

/** All at a node and below it that could be a value: also truth values and names of members. */
export function* wordsBelow({ pointer, value }: Pick<Node, 'pointer' | 'value'>): Generator<{
  readonly pointer: string
  readonly text: string
}> {
  if (typeof value === 'string') yield { pointer, text: value }
  else if (typeof value === 'number' || typeof value === 'boolean') {
    yield { pointer, text: String(value) }
  }
  for (const [name, member] of membersOf(value)) {
    const at = below(pointer, name)
    if (!Array.isArray(value)) yield { pointer: at, text: name }
    yield* wordsBelow({ pointer: at, value: member })
  }
}

export function membersOf(value: unknown): readonly (readonly [name: string, member: unknown])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

export function isAtOrBelow(above: string, pointer: string): boolean {
  return pointer === above || pointer.startsWith(`${above}/`)
}

/** Whether what the pointer leads to is, or is below, what the other leads to; both with `*`. */
export function isCoveredBy(above: string, pointer: string): boolean {
  const tokens = tokensOf(pointer)
  return tokensOf(above).every(
    (token, at) => token === tokens[at] || (token === '*' && at < tokens.length),
  )
}

/** The text at a pointer, where there is one. */
export function pointedText(value: unknown, pointer: string): string | undefined {
  const [node] = nodesAt(value, tokensOf(pointer))
  return typeof node?.value === 'string' ? node.value : undefined
}
