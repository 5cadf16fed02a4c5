// The lines in which two texts differ, for people to read.

export interface ChangedLines {
  /** Lines that both begin with. */
  readonly head: number
  readonly gone: readonly string[]
  readonly come: readonly string[]
}

/** From the first line that differs to the last. */
export function changedLines(old: readonly string[], now: readonly string[]): ChangedLines {
  let head = 0
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1
  let tail = 0
  const most = Math.min(old.length, now.length) - head
  while (tail < most && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1
  return {
    head,
    gone: old.slice(head, old.length - tail),
    come: now.slice(head, now.length - tail),
  }
}

/** Without a line that is empty after the last end of one. */
export function linesIn(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\r?\n$/u, '').split(/\r?\n/u)
}
