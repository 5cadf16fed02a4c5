// Patterns over the names of facts. A pattern is a name whose tokens may be `*` (exactly one token)
// and whose last token may be `>` (one or more); it must never be matched by a regular expression
// made from someone's text.

const patternShape = /^(?:(?:[A-Za-z0-9_-]{1,64}|\*)\.){0,7}(?:[A-Za-z0-9_-]{1,64}|\*|>)$/
const star = 42
const greater = 62

export function isPattern(text: string): boolean {
  return patternShape.test(text)
}

/**
 * Whether the pattern covers the name. Both must be well-formed: then every `*` is a whole token.
 */
export function covers(pattern: string, name: string): boolean {
  let at = 0
  for (let index = 0; index < pattern.length; index += 1) {
    const code = pattern.charCodeAt(index)
    if (code === greater) return at < name.length
    if (code === star) {
      if (at >= name.length) return false
      const dot = name.indexOf('.', at)
      at = dot === -1 ? name.length : dot
    } else {
      if (name.charCodeAt(at) !== code) return false
      at += 1
    }
  }
  return at === name.length
}

/** The question `covers` for a list: whether at least one of the patterns covers the name. */
export function covering(patterns: readonly string[]): (name: string) => boolean {
  return (name) => {
    for (const pattern of patterns) if (covers(pattern, name)) return true
    return false
  }
}

/** What every covered name begins with: whole tokens and their dots, or the whole pattern. */
export function literalPrefix(pattern: string): string {
  const wild = pattern.search(/[*>]/)
  return wild === -1 ? pattern : pattern.slice(0, wild)
}
