// Patterns over paths in a folder: `*`, `?` and `[…]` inside one part, `**` for any number of
// parts. Its time is bounded by the product of both lengths; no regular expression is made of it.

/** Whether the pattern covers the path. */
export function coversPath(pattern: string, path: string): boolean {
  const parts = path.split('/')
  // Which beginnings of the path are covered, by how many parts they have.
  let reached = [true, ...parts.map(() => false)]
  for (const part of pattern.split('/')) {
    reached = part === '**' ? anyBeyond(reached) : oneBeyond(reached, part, parts)
  }
  return reached.at(-1) === true
}

export function isPathPattern(path: string): boolean {
  return /[*?[]/.test(path)
}

function anyBeyond(reached: readonly boolean[]): boolean[] {
  const first = reached.indexOf(true)
  return reached.map((_, index) => first !== -1 && index >= first)
}

function oneBeyond(
  reached: readonly boolean[],
  pattern: string,
  parts: readonly string[],
): boolean[] {
  return reached.map((_, index) => {
    const part = parts[index - 1]
    return part !== undefined && reached[index - 1] === true && coversPart(pattern, part)
  })
}

/** The last `*` is tried again from the next character: no other one has to be. */
function coversPart(pattern: string, text: string): boolean {
  const tokens = tokensOf(pattern)
  const characters = Array.from(text)
  let token = 0
  let at = 0
  let star = -1
  let starAt = 0
  while (at < characters.length) {
    const wanted = tokens[token]
    if (wanted === 'any') {
      star = token
      starAt = at
      token += 1
    } else if (wanted?.(characters[at] ?? '') === true) {
      token += 1
      at += 1
    } else if (star === -1) return false
    else {
      starAt += 1
      at = starAt
      token = star + 1
    }
  }
  return tokens.slice(token).every((rest) => rest === 'any')
}

type Token = 'any' | ((character: string) => boolean)

function tokensOf(pattern: string): readonly Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < pattern.length;) {
    const set = pattern[at] === '[' ? setAt(pattern, at) : null
    const character = String.fromCodePoint(pattern.codePointAt(at) ?? 0)
    if (set !== null) {
      tokens.push(set.fits)
      at = set.end
      continue
    }
    if (character === '*') tokens.push('any')
    else if (character === '?') tokens.push(() => true)
    else tokens.push((one) => one === character)
    at += character.length
  }
  return tokens
}

/** A `[` that nothing closes is a character. */
function setAt(
  pattern: string,
  at: number,
): { fits: (one: string) => boolean; end: number } | null {
  const end = pattern.indexOf(']', at + 2)
  if (end === -1) return null
  const inside = pattern.slice(at + 1, end)
  const isNot = inside.startsWith('!')
  const members = Array.from(isNot ? inside.slice(1) : inside)
  const isIn = (one: string): boolean => {
    return members.some((member, index) => {
      const isRange = members[index + 1] === '-' && members[index + 2] !== undefined
      return isRange ? member <= one && one <= (members[index + 2] ?? '') : member === one
    })
  }
  return { fits: (one) => isIn(one) !== isNot, end: end + 1 }
}
