// Every match of a global expression in a text. `matchAll` copies its expression on each call,
// which costs more than looking through a short text.

/** Calls `see` with each match, in order. `see` must not use the same expression. */
export function eachMatch(
  text: string,
  expression: RegExp,
  see: (match: RegExpExecArray) => void,
): void {
  expression.lastIndex = 0
  for (let match = expression.exec(text); match !== null; match = expression.exec(text)) {
    // What matches nothing would match there for ever.
    if (match[0] === '') expression.lastIndex += 1
    see(match)
  }
}

export function matchesIn(text: string, expression: RegExp): readonly RegExpExecArray[] {
  const found: RegExpExecArray[] = []
  eachMatch(text, expression, (match) => void found.push(match))
  return found
}
