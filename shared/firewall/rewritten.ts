// A text that is JSON with some of its values replaced, and all else as it was written: spaces,
// numbers and the order of members. A reader may go on with the text, so its form is kept.
import type { Json } from '#record/canonical'
import { parseJson } from '#record/json'

/**
 * `value` is what the text stands for, `shown` the same with values and keys replaced. Null where
 * they have not the same members, or the text has a member twice: then only `shown` is safe.
 */
export function rewritten(text: string, value: unknown, shown: Json): string | null {
  const writer = new Writer(text)
  return writer.take(value, shown) ? writer.written() : null
}

class Writer {
  readonly #text: string
  readonly #pieces: string[] = []
  #at = 0
  #taken = 0

  constructor(text: string) {
    this.#text = text
  }

  written(): string {
    return [...this.#pieces, this.#text.slice(this.#taken)].join('')
  }

  /** False where the two differ in more than what is replaced. */
  take(value: unknown, shown: Json): boolean {
    this.#skipSpaces()
    if (Array.isArray(value) && Array.isArray(shown)) return this.#items(value, shown)
    if (isObject(value) && isObject(shown)) return this.#members(value, shown)
    const start = this.#at
    this.#at = endOfValue(this.#text, start)
    if (value !== shown) this.#replace(start, shown)
    return true
  }

  #replace(start: number, shown: unknown): void {
    this.#pieces.push(this.#text.slice(this.#taken, start), JSON.stringify(shown))
    this.#taken = this.#at
  }

  #items(value: readonly unknown[], shown: readonly Json[]): boolean {
    if (value.length !== shown.length) return false
    this.#at += 1
    for (const [index, item] of value.entries()) {
      if (!this.take(item, shown[index] ?? null)) return false
      this.#pass(',')
    }
    return this.#pass(']')
  }

  #members(value: object, shown: object): boolean {
    const before: readonly [string, unknown][] = Object.entries(value)
    const after: readonly [string, Json][] = Object.entries(shown)
    if (before.length !== after.length) return false
    const pairs = new Map(before.map(([key, member], index) => [key, { member, to: after[index] }]))
    this.#at += 1
    for (let left = before.length; left > 0; left -= 1) {
      this.#skipSpaces()
      const start = this.#at
      this.#at = endOfValue(this.#text, start)
      const key = parseJson(this.#text.slice(start, this.#at))
      const pair = typeof key === 'string' ? pairs.get(key) : undefined
      if (typeof key !== 'string' || pair?.to === undefined) return false
      pairs.delete(key)
      const [name, member] = pair.to
      if (name !== key) this.#replace(start, name)
      this.#pass(':')
      if (!this.take(pair.member, member)) return false
      this.#pass(',')
    }
    // A further member is one that has the name of another.
    return this.#pass('}')
  }

  #pass(sign: string): boolean {
    this.#skipSpaces()
    if (this.#text.charAt(this.#at) !== sign) return false
    this.#at += 1
    return true
  }

  #skipSpaces(): void {
    while (' \t\r\n'.includes(this.#text.charAt(this.#at)) && this.#at < this.#text.length) {
      this.#at += 1
    }
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Of JSON that was read already; no stack, however deep the value. */
function endOfValue(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    const sign = text.charAt(at)
    if (sign === '"') {
      at = endOfString(text, at)
      if (depth === 0) return at + 1
    } else if (sign === '{' || sign === '[') depth += 1
    else if (sign === '}' || sign === ']') {
      depth -= 1
      if (depth <= 0) return depth === 0 ? at + 1 : at
    } else if (depth === 0 && ', \t\r\n:'.includes(sign)) return at
  }
  return text.length
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === '\\' ? 2 : 1
  return at
}
