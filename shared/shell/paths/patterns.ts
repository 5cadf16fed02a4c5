// Patterns of paths as the tables have them, against paths that may hold marks themselves.
import { deepMark, globMark, unknownMark } from '../marks.ts'

export interface PathPatterns {
  /** Whether a path is one of those, or may be one. */
  readonly mayBe: (path: string) => boolean
}

export interface NamesMeant {
  /** Whether a name that only counts within its folder is one that a filter may mean. */
  readonly withinFolders: boolean
}

export function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/gu, String.raw`\$&`)
}

/** `**` is any folders, `*` a part of a name; what ends in `/**` is the folder itself, too. */
export function pathTest(patterns: readonly string[]): (path: string) => boolean {
  const sources = patterns.map((pattern) => {
    const whole = escaped(pattern)
      .replace(/^\\\*\\\*\//u, '(?:.*/)?')
      .replace(/\/\\\*\\\*$/u, '(?:/.*)?')
      .replaceAll(String.raw`\*\*`, '.*')
      .replaceAll(String.raw`\*`, '[^/]*')
    return whole
  })
  const test = new RegExp(`^(?:${sources.join('|')})$`, 'iu')
  return (path) => test.test(path)
}

export function pathPatterns(
  patterns: readonly string[],
  { withinFolders }: NamesMeant,
): PathPatterns {
  const test = pathTest(patterns)
  const rows = patterns
    .map(rowOf)
    .filter(({ names }) => names.some((one) => !one.startsWith(globMark)))
  const names = patterns.flatMap((one) => namesOf(one, withinFolders))
  const mayBe = (path: string): boolean => {
    const at = path.lastIndexOf(deepMark)
    if (at !== -1) {
      const head = path.slice(0, at).replace(/\/$/u, '')
      const rest = path.slice(at + 2)
      return (head !== '' && mayBe(head)) || isNamed(rest) || (rest !== globMark && mayBe(rest))
    }
    if (path.includes(unknownMark)) return test(path.replaceAll(unknownMark, 'x'))
    if (!path.includes(globMark)) return test(path)
    if (test(path.replaceAll(globMark, 'x'))) return true
    const segments = path.split('/')
    if (segments.some((one) => !one.includes(globMark) && test(one))) return true
    return rows.some((row) => standsIn(row, segments))
  }
  const isNamed = (filter: string) => names.some((name) => means(filter, name))
  return { mayBe }
}

interface Row {
  readonly names: readonly string[]
  readonly isAnywhere: boolean
}

/** The names of a pattern, one behind the other. */
function rowOf(pattern: string): Row {
  const isAnywhere = pattern.startsWith('**/')
  const whole = pattern.replace(/^\*\*\//u, '').replace(/\/\*\*$/u, '')
  return { names: whole.replaceAll('*', globMark).split('/'), isAnywhere }
}

function standsIn({ names, isAnywhere }: Row, segments: readonly string[]): boolean {
  const last = isAnywhere ? segments.length - names.length : 0
  return Array.from({ length: Math.max(0, last + 1) }, (_, from) => from).some((from) => {
    return names.every((name, at) => {
      const segment = segments[from + at]
      if (segment === undefined) return false
      return segment.includes(globMark)
        ? segment !== globMark && means(segment, name)
        : meets(segment.toLowerCase(), name.toLowerCase())
    })
  })
}

/** The names by which a filter may mean what a pattern stands for. */
function namesOf(pattern: string, withinFolders: boolean): readonly string[] {
  const parts = pattern.replace(/\/\*\*$/u, '').split('/')
  const name = (parts.at(-1) ?? '').replaceAll('*', globMark)
  const isAnywhere = parts.length === 2 && parts[0] === '**'
  if (name === '' || name.startsWith('~')) return []
  return isAnywhere || (withinFolders && !pattern.endsWith('/**')) ? [name] : []
}

/**
 * Whether who filters by names means that one: `.e*` and `*env` mean `.env`. A mere ending, such as
 * `*.json`, does not mean a name that has it.
 */
function means(filter: string, name: string): boolean {
  const known = filter.replaceAll(globMark, '')
  if (known === '') return false
  const isEnding = filter === globMark + known && /^(?:\.[a-z0-9]+)+$/iu.test(known)
  if (isEnding) return meets(known.toLowerCase(), name.toLowerCase())
  // One or two letters anywhere in it mean nothing.
  if (filter.startsWith(globMark) && known.length * 3 < name.replaceAll(globMark, '').length) {
    return false
  }
  return meets(filter.toLowerCase(), name.toLowerCase())
}

/** Whether some text fits both patterns. */
function meets(a: string, b: string): boolean {
  // Of each end of `a`, whether it meets the end of `b` that is looked at.
  let row: boolean[] = []
  for (let at = b.length; at >= 0; at -= 1) {
    const next: boolean[] = Array.from({ length: a.length + 1 }, () => false)
    for (let from = a.length; from >= 0; from -= 1) {
      const [x, y] = [a[from], b[at]]
      if (x === undefined && y === undefined) next[from] = true
      else if (x === globMark) next[from] = next[from + 1] === true || (row[from] ?? false)
      else if (y === globMark) next[from] = (row[from] ?? false) || next[from + 1] === true
      else next[from] = x !== undefined && x === y && (row[from + 1] ?? false)
    }
    row = next
  }
  return row[0] ?? false
}
