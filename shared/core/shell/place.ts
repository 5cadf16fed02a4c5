// Where a path lies: inside the project, outside, or not known. By its text alone: no link is
// followed, and no folder is looked at.
import { globMark, homeMark, unknownMark } from './marks.ts'

export interface Located {
  readonly place: 'inside' | 'outside' | 'unknown'
  /** Inside: from the project's folder; outside: from `/` or `~`. Marks may stand in it. */
  readonly path: string
}

/** The folder in which a command begins. */
export const project: Located = { place: 'inside', path: '' }
const unknown: Located = { place: 'unknown', path: unknownMark }

/** The absolute path of the project's folder without a slash at its end; null where not known. */
export type Root = string | null

export function locatePath(text: string, base: Located, root: Root): Located {
  if (text.startsWith(homeMark)) return outside(`~${text.slice(1)}`)
  if (text.startsWith('/')) return absolute(text, root)
  if (text.startsWith(unknownMark) || base.place === 'unknown') return unknown
  if (base.place === 'outside') {
    const joined = `${base.path}/${text}`
    return base.path.startsWith('/') ? absolute(joined, root) : outside(joined)
  }
  return below(text, base, root)
}

function below(text: string, { path }: Located, root: Root): Located {
  const segments = text.split('/')
  if (root === null) {
    if (segments.some(mayLeave)) return outside(`../${text}`)
    if (text.includes(unknownMark)) return unknown
    return { place: 'inside', path: collapsed([...path.split('/'), ...segments]) }
  }
  return absolute(`${root}/${path}/${text}`, root)
}

function absolute(text: string, root: Root): Located {
  const known = text.split(unknownMark)[0] ?? ''
  const isWhole = known.length === text.length
  const path = `/${collapsed(text.split('/'))}`
  if (root === null) return outside(path)
  const isBelow = path === root || path.startsWith(`${root}/`)
  if (isBelow) {
    const rest = path.slice(root.length + 1)
    if (rest.split('/').some(mayLeave)) return outside(path)
    return isWhole ? { place: 'inside', path: rest } : unknown
  }
  return isWhole || !root.startsWith(known) ? outside(path) : unknown
}

function outside(path: string): Located {
  return { place: 'outside', path }
}

/** `..`, and a pattern that may match it. */
function mayLeave(segment: string): boolean {
  return (
    segment === '..' ||
    (segment.startsWith('.') && /^\.+$/u.test(bare(segment)) && hasGlob(segment))
  )
}

function bare(segment: string): string {
  return segment.replaceAll(globMark, '')
}

function hasGlob(segment: string): boolean {
  return segment.includes(globMark)
}

/** Without `.`, and each `..` with the folder before it. */
function collapsed(segments: readonly string[]): string {
  const kept: string[] = []
  for (const segment of segments) {
    if (segment === '..') kept.pop()
    else if (segment !== '' && segment !== '.') kept.push(segment)
  }
  return kept.join('/')
}
