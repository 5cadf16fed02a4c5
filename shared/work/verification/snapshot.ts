// What a folder or a commit of work held when it was copied. Everything is judged on this, and
// never on a folder that its worker can still write to.
import { digestOfJson } from '#record/digest'
import { byCodeUnit } from '#record/canonical'

export interface WorkFile {
  readonly bytes: number
  readonly digest: string
  readonly isExecutable: boolean
}

/** Why something that has a name is not among the files. */
export type LeftOutWhy =
  | 'link_outside'
  | 'link_to_folder'
  | 'link_dangling'
  | 'special_file'
  | 'submodule'
  | 'unreadable'
  | 'unsafe_path'

export interface LeftOutEntry {
  readonly path: string
  readonly why: LeftOutWhy
}

export interface WorkSnapshot {
  /** By their paths, with `/` between the parts. */
  readonly files: ReadonlyMap<string, WorkFile>
  readonly leftOut: readonly LeftOutEntry[]
}

/** What a folder has too much of. */
export type CopyExcess = 'too_many_files' | 'too_many_bytes' | 'file_too_large' | 'too_deep'

/** Why there is no copy: too much of something, or what keeps a commit from being read. */
export type CopyProblem =
  | CopyExcess
  | 'commit_unknown'
  | 'git_missing'
  | 'repository_unreadable'
  | 'timed_out'

export const snapshotLimits = {
  entriesMax: 20_000,
  bytesMax: 512 * 1024 * 1024,
  fileBytesMax: 128 * 1024 * 1024,
  depthMax: 64,
} as const

/** Of the paths and contents, in one order on every machine. */
export function snapshotDigest({ files }: WorkSnapshot): string {
  const listed = [...files].toSorted(([a], [b]) => byCodeUnit(a, b))
  return digestOfJson(
    listed.map(([path, { digest, isExecutable }]) => [path, digest, isExecutable]),
  )
}

export function snapshotBytes({ files }: WorkSnapshot): number {
  let sum = 0
  for (const { bytes } of files.values()) sum += bytes
  return sum
}

const linksMax = 16

/**
 * Where a link leads inside of the folder, over other links if need be; null where it leads out, or
 * in a circle. Nothing is looked up: only what was read of the folder counts.
 */
export function linkTarget(path: string, links: ReadonlyMap<string, string>): string | null {
  let at = path
  for (let hop = 0; hop < linksMax; hop += 1) {
    const target = links.get(at)
    if (target === undefined) return at
    const joined = joinedPath(at, target)
    if (joined === null) return null
    at = joined
  }
  return null
}

function joinedPath(link: string, target: string): string | null {
  if (target.startsWith('/')) return null
  const parts = link.split('/').slice(0, -1)
  for (const part of target.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return null
  }
  return parts.join('/')
}
