// A copy of work as it is made, from a folder or from a repository: what it may come to, and what
// becomes of its links. It must never read or write through a link.
import { constants } from 'node:fs'
import { chmod, copyFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { linkTarget, type CopyProblem, type snapshotLimits } from '#work/verification/snapshot'
import type { LeftOutEntry, LeftOutWhy, WorkFile } from '#work/verification/snapshot'

export type CopyLimits = Readonly<Record<keyof typeof snapshotLimits, number>>

/** Ends the copy: there is too much, or what it is made of cannot be read. */
export class NotCopied extends Error {
  public readonly why: CopyProblem

  public constructor(why: CopyProblem) {
    super(why)
    this.why = why
  }
}

export interface Copying {
  readonly to: string
  readonly limits: CopyLimits
  readonly files: Map<string, WorkFile>
  /** What each says, by where it is. */
  readonly links: Map<string, string>
  readonly leftOut: LeftOutEntry[]
  /** Files of several names: how many they are, and where those of this folder are. */
  readonly shared: Map<string, { readonly names: number; readonly paths: readonly string[] }>
  entries: number
  bytes: number
}

/** It is set, and not asked for: programs may run as another user, and umask may forbid that. */
export function modeOf(isExecutable: boolean): number {
  return isExecutable ? 0o755 : 0o644
}

export function startedCopying(to: string, limits: CopyLimits): Copying {
  const [files, links] = [new Map<string, WorkFile>(), new Map<string, string>()]
  return { to, limits, files, links, leftOut: [], shared: new Map(), entries: 0, bytes: 0 }
}

/** Folders and what is left out count too. */
export function countedEntry(copying: Copying): void {
  copying.entries += 1
  if (copying.entries > copying.limits.entriesMax) throw new NotCopied('too_many_files')
}

/** A link to a file of the same folder becomes a copy of it; what leads elsewhere is left out. */
export async function copyLinked({
  to,
  limits,
  files,
  links,
  leftOut,
  ...counted
}: Copying): Promise<void> {
  let { bytes } = counted
  const linked = new Map<string, WorkFile>()
  for (const path of links.keys()) {
    const target = linkTarget(path, links)
    const file = target === null ? undefined : files.get(target)
    if (target === null || file === undefined) {
      leftOut.push({ path, why: target === null ? 'link_outside' : whyNot(target, files) })
      continue
    }
    bytes += file.bytes
    if (bytes > limits.bytesMax) throw new NotCopied('too_many_bytes')
    await mkdir(dirname(join(to, path)), { recursive: true })
    await copyFile(join(to, target), join(to, path), constants.COPYFILE_EXCL)
    await chmod(join(to, path), modeOf(file.isExecutable))
    linked.set(path, file)
  }
  for (const [path, file] of linked) files.set(path, file)
}

function whyNot(target: string, files: ReadonlyMap<string, WorkFile>): LeftOutWhy {
  const isFolder = [...files.keys()].some((path) => path.startsWith(`${target}/`))
  return isFolder || target === '' ? 'link_to_folder' : 'link_dangling'
}
