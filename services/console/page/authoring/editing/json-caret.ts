// What stands at the caret of a JSON text that is still being written: the string that it is in,
// and the members and items around that.

export interface StringAt {
  /** Of the characters of the string, without its quotes. */
  readonly from: number
  readonly to: number
  /** What stands before the caret. */
  readonly begun: string
  readonly isClosed: boolean
  /** The members and items that it is in, and of a value its own. */
  readonly path: readonly (string | number)[]
  /** Whether it is the name of a member. */
  readonly isKey: boolean
}

interface Open {
  at: string | number
  isValue: boolean
}

/** Null where the caret is in no string. */
export function stringAt(text: string, caret: number): StringAt | null {
  const open: Open[] = []
  let at = 0
  while (at < caret) {
    const character = text[at] ?? ''
    const top = open.at(-1)
    if (character === '"') {
      const end = endOfString(text, at)
      const isClosed = text[end] === '"'
      const isKey = typeof top?.at === 'string' && !top.isValue
      if (caret <= end) {
        const path = (isKey ? open.slice(0, -1) : open).map((one) => one.at)
        return { from: at + 1, to: end, begun: text.slice(at + 1, caret), isClosed, path, isKey }
      }
      if (isKey) top.at = text.slice(at + 1, end)
      at = end
    } else if (character === '{') open.push({ at: '', isValue: false })
    else if (character === '[') open.push({ at: 0, isValue: true })
    else if (character === '}' || character === ']') open.pop()
    else if (top !== undefined) pass(top, character)
    at += 1
  }
  return null
}

function pass(top: Open, character: string): void {
  if (character === ':') top.isValue = true
  if (character !== ',') return
  if (typeof top.at === 'number') top.at += 1
  else top.isValue = false
}

/** Where its second quote is, or where its line ends. */
function endOfString(text: string, from: number): number {
  let at = from + 1
  while (at < text.length && text[at] !== '"' && text[at] !== '\n') {
    at += text[at] === '\\' ? 2 : 1
  }
  return Math.min(at, text.length)
}
