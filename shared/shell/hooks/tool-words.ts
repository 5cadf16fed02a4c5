// What tools are given as paths and patterns, as words of a shell: so that the one judge of
// commands says where they lie.
import { withoutEnd } from '#record/reading/text-end'
import type { JsonObject } from '#schemas/catalog'

/** Of all fields that are there; null where one of them is no text. */
export function textsAt(args: JsonObject, fields: string | undefined): readonly string[] | null {
  const found: string[] = []
  for (const field of fields?.split(' ') ?? []) {
    if (!Object.hasOwn(args, field)) continue
    const value = args[field]
    for (const one of Array.isArray(value) ? value : [value]) {
      if (typeof one !== 'string' || one === '') return null
      found.push(one)
    }
  }
  return found
}

/** A path as its host takes it, which may be written as an address. */
export interface GivenPath {
  readonly path: string
  /** Where it lies is not known: a path of Windows, an address, or one with what no shell shows. */
  readonly isStrange: boolean
}

export function givenPath(text: string): GivenPath {
  const path = /^file:/iu.test(text) ? pathOfAddress(text) : text
  const isAddress = path === null || /^[A-Za-z][\w+.-]*:\/\//u.test(path)
  const isStrange = isAddress || /[\\\p{Cc}]|^[A-Za-z]:/u.test(path)
  return { path: path ?? text, isStrange }
}

/** What `file:///etc/a%20b` names; null where it names nothing on this machine. */
function pathOfAddress(text: string): string | null {
  const { host, path } =
    /^file:(?:\/\/(?<host>[^/]*))?(?<path>\/[^?#]*)$/iu.exec(text)?.groups ?? {}
  if (path === undefined || !['', 'localhost'].includes(host?.toLowerCase() ?? '')) return null
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}

/** As one word of a shell: nothing in it but the home folder is expanded. */
export function pathWord(path: string): string {
  const home = homeIn(path)
  if (home === null) return quotedWord(path)
  return path === home ? home : `${home}/${quotedWord(path.slice(home.length + 1))}`
}

/** The same with what a pattern matches left open. */
export function patternWord({ path: pattern }: GivenPath): string {
  const home = homeIn(pattern)
  const rest = home === null ? pattern : pattern.slice(home.length)
  return `${home ?? ''}${rest.replaceAll(/[^\w.*?[\]{},!/-]+/gu, quotedWord)}`
}

function homeIn(path: string): string | null {
  const home = /^~[^/]*/u.exec(path)?.[0] ?? ''
  return /^~[\w.-]*$/u.test(home) ? home : null
}

export function quotedWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/**
 * Those in a text that takes several, without such as leave something out. Each is one below that
 * folder, unless it begins elsewhere.
 */
export function patternsBelow(folder: string, text: string): readonly GivenPath[] {
  return partsOf(text)
    .filter((one) => !one.startsWith('!'))
    .map((one) => {
      const { path, isStrange } = givenPath(one)
      const isWhole = folder === '.' || /^[/~]/u.test(path)
      // Alternatives in brackets are read by some hosts alone.
      const isOpen = isStrange || /[()|$`]/u.test(path)
      return { path: isWhole ? path : `${withoutEnd(folder, /\//)}/${path}`, isStrange: isOpen }
    })
}

/** At blanks and commas, but for those in braces. */
function partsOf(text: string): readonly string[] {
  const parts: string[] = []
  let part = ''
  let depth = 0
  for (const one of text) {
    if (one === '{') depth += 1
    if (one === '}') depth -= 1
    const isEnd = /\s/u.test(one) || (one === ',' && depth <= 0)
    if (!isEnd) part += one
    else if (part !== '') parts.push(part)
    if (isEnd) part = ''
  }
  return part === '' ? parts : [...parts, part]
}

/**
 * A pattern of nothing but an ending chooses no secret more than a search without one would: only
 * the ending itself counts.
 */
export function withoutOpenName({ path, isStrange }: GivenPath): GivenPath {
  return { path: path.replace(/(?:^|(?<=\/))\*(?=\.(?:\w+|\{[\w,]+\})$)/u, 'x'), isStrange }
}

export interface PatchedPath {
  readonly path: string
  readonly isDeleted: boolean
}

const patchHeader = /^\*\*\* (?<what>Add File|Update File|Delete File|Move to): (?<path>.+)$/u

/** The files that a patch names; null where it names none, so that it is not understood. */
export function patchedPaths(patches: readonly string[] | null): readonly PatchedPath[] | null {
  const paths = (patches ?? []).flatMap((patch) =>
    patch.split(/\r?\n/u).flatMap((line) => {
      const { what, path } = patchHeader.exec(line.trim())?.groups ?? {}
      return path === undefined ? [] : [{ path: path.trim(), isDeleted: what === 'Delete File' }]
    }),
  )
  return paths.length === 0 ? null : paths
}
