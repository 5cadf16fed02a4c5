// Where a path lies: inside the project, outside, or not known. By its text alone: no link is
// followed, and no folder is looked at.
import { globMark, homeMark, numbersAsGlobs, unknownMark } from './marks.ts'

export interface Located {
  readonly place: 'inside' | 'outside' | 'unknown'
  /** Inside: from the project's folder; outside: from `/` or `~`. Marks may stand in it. */
  readonly path: string
  /** Only where a `cd` has failed does a command stand here. */
  readonly isDoubted?: true
}

/** The folder in which a command begins. */
export const project: Located = { place: 'inside', path: '' }
export const unknownFolder: Located = { place: 'unknown', path: unknownMark }

/** The absolute path of the project's folder without a slash at its end; null where not known. */
export type Root = string | null

export function locatePath(text: string, base: Located, root: Root): Located {
  const located = locatedFrom(numbersAsGlobs(text), base, root)
  const isWhole = text.startsWith('/') || text.startsWith(homeMark)
  if (base.isDoubted !== true || isWhole) return located
  // It leads out only where the project was never entered, so that is not known.
  const leaves = base.place === 'inside' && located.place === 'outside'
  return { ...located, place: leaves ? 'unknown' : located.place, isDoubted: true }
}

/** The folders in which it stands where the step before them has failed. */
export function doubted(folders: readonly Located[]): readonly Located[] {
  return folders.map((one) => ({ ...one, isDoubted: true }))
}

/** Where a command begins, and what its project is. */
export interface Whereabouts {
  readonly root: Root
  readonly folder: Located
}

/**
 * `root` is the project, else `cwd` is. A folder that holds more than a project is not one: then
 * all that is relative lies outside.
 */
export function whereabouts(
  { cwd, root: given }: { readonly cwd?: string | undefined; readonly root?: string | undefined },
  isSystem: (path: string) => boolean,
): Whereabouts {
  const named = given ?? cwd
  if (named === undefined || named === '') return { root: null, folder: project }
  const whole = absoluteFolder(named)
  const root = whole === null || isShared(whole) || isSystem(whole) ? null : whole
  const at = absoluteFolder(cwd ?? named)
  return { root, folder: at === null ? unknownFolder : absolute(at, root) }
}

/** With slashes and without one at its end; null of what is not absolute. */
function absoluteFolder(text: string): string | null {
  const drive = /^(?<letter>[A-Za-z]):[/\\]/u.exec(text)?.groups?.['letter']
  const path = drive === undefined ? text : text.replaceAll('\\', '/').replace(/^../u, `/${drive}`)
  return path.startsWith('/') ? `/${collapsed(path.split('/'))}` : null
}

const isHome = /^\/(?:root|(?:home|Users)(?:\/[^/]*)?)$/iu
const isOfMany = /^\/(?:tmp|var|opt|mnt|srv|media|run|snap|Volumes|private)$/iu

/** Folders of many projects, home folders, and the same below a drive. */
function isShared(path: string): boolean {
  const rest = path.replace(/^(?:\/mnt)?\/[A-Za-z](?=\/|$)/u, '')
  return rest === '' || rest === '/' || isHome.test(rest) || isOfMany.test(rest)
}

/** The same path from `/`, as far as it is known. */
export function wholePath({ place, path }: Located, root: Root): string {
  return place === 'inside' && root !== null ? `${root}/${path}` : path
}

function locatedFrom(text: string, base: Located, root: Root): Located {
  if (text.startsWith(homeMark)) return outside(`~${text.slice(1)}`)
  if (text.startsWith('/')) return absolute(text, root)
  if (text.startsWith(unknownMark)) return { place: 'unknown', path: text }
  if (base.place === 'unknown') return { place: 'unknown', path: `${base.path}/${text}` }
  if (base.place === 'outside') {
    const joined = `${base.path}/${text}`
    return base.path.startsWith('/') ? absolute(joined, root) : outside(joined)
  }
  return below(text, base, root)
}

function below(text: string, { path }: Located, root: Root): Located {
  const segments = text.split('/')
  if (root === null) {
    if (segments.some(mayLeave)) return outside(`../core/${text}`)
    if (text.includes(unknownMark)) return { place: 'unknown', path: text }
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
    return { place: isWhole ? 'inside' : 'unknown', path: isWhole ? rest : path }
  }
  return isWhole || !root.startsWith(known) ? outside(path) : { place: 'unknown', path }
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
