// How reasons repeat what others wrote: short, on one line, and always text that a fact can say.

const charactersMax = 80

/** In backticks. Cutting may halve a surrogate pair, which canonical JSON cannot say. */
export function quoted(text: string): string {
  return `\`${short(text, charactersMax).replaceAll('`', '’')}\``
}

/** Cut to that many characters, with line breaks and other control characters as spaces. */
export function short(text: string, max: number): string {
  const cut = text.length > max ? `${text.slice(0, max - 1)}…` : text
  return cut.toWellFormed().replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
}

/** `a`, `b` or `c`. */
export function listed(words: readonly string[], last: 'and' | 'or'): string {
  const names = words.map(quoted)
  const end = names.pop() ?? ''
  return names.length === 0 ? end : `${names.join(', ')} ${last} ${end}`
}
