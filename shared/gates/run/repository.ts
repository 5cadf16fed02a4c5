// Copies the tree of one commit of a git repository, byte for byte as it was committed: nothing is
// checked out, so that no filter, hook, attribute or submodule of a worker has a part in it. The
// rules and the limits are those of a copied folder.
import { createHash } from 'node:crypto'
import { mkdir, open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { snapshotLimits } from '#work/verification/snapshot'
import type { CopyProblem, WorkSnapshot } from '#work/verification/snapshot'
import {
  copyLinked,
  countedEntry,
  modeOf,
  NotCopied,
  startedCopying,
  type Copying,
  type CopyLimits,
} from './copying.ts'
import { openObjects, type GitObject, type GitObjects } from './git-objects.ts'
import { isObjectName, treeEntries, treeOfCommit, type TreeEntry } from './git-tree.ts'

export interface CommitPlace {
  /** A bare repository, or one with a work tree. */
  readonly repository: string
  /** Its whole name: 40 digits, or 64. */
  readonly commit: string
}

export interface CommitLimits {
  readonly limits?: CopyLimits
  /** All of it. */
  readonly msMax?: number
}

const repositoryMsMax = 120_000

/** Where it cannot be copied, why; what was copied until then is to be thrown away. */
export async function copyCommit(
  { repository, commit }: CommitPlace,
  to: string,
  { limits = snapshotLimits, msMax = repositoryMsMax }: CommitLimits = {},
): Promise<WorkSnapshot | CopyProblem> {
  if (!isObjectName(commit)) return 'commit_unknown'
  const copying = startedCopying(to, limits)
  let objects: GitObjects | null = null
  try {
    objects = await openObjects(repository, msMax)
    await mkdir(to, { recursive: true })
    await copyBlobs(await blobsOf(objects, commit, copying), objects, copying)
    await copyLinked(copying)
  } catch (error) {
    if (error instanceof NotCopied) return error.why
    throw error
  } finally {
    await objects?.close()
  }
  return { files: copying.files, leftOut: copying.leftOut }
}

interface Blob extends TreeEntry {
  readonly path: string
}

/** Longer messages and signatures are not what people write. */
const commitBytesMax = 16 * 1024 * 1024
/** Of a tree with as many entries as may be copied, and names as long as they may be. */
const entryBytesMax = 300

async function blobsOf(
  objects: GitObjects,
  commit: string,
  copying: Copying,
): Promise<readonly Blob[]> {
  objects.ask([commit])
  const found = await objects.next()
  if (found?.type !== 'commit') throw new NotCopied('commit_unknown')
  if (found.size > commitBytesMax) throw new NotCopied('repository_unreadable')
  const tree = treeOfCommit(await wholeOf(found))
  if (tree?.length !== commit.length) throw new NotCopied('repository_unreadable')
  const blobs: Blob[] = []
  await walk(tree, '', { objects, copying, blobs })
  return blobs
}

async function wholeOf({ content }: GitObject): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const part of content) parts.push(part)
  return Buffer.concat(parts)
}

interface Walking {
  readonly objects: GitObjects
  readonly copying: Copying
  readonly blobs: Blob[]
}

async function walk(tree: string, path: string, walking: Walking): Promise<void> {
  const { objects, copying, blobs } = walking
  const { limits, leftOut } = copying
  if (path.split('/').length > limits.depthMax) throw new NotCopied('too_deep')
  objects.ask([tree])
  const found = await objects.next()
  if (found?.type !== 'tree') throw new NotCopied('repository_unreadable')
  if (found.size > limits.entriesMax * entryBytesMax) throw new NotCopied('too_many_files')
  const entries = treeEntries(await wholeOf(found), tree.length / 2)
  if (entries === null) throw new NotCopied('repository_unreadable')
  for (const entry of entries) {
    countedEntry(copying)
    const at = path === '' ? entry.name : `${path}/${entry.name}`
    if (!entry.isSafe) leftOut.push({ path: at, why: 'unsafe_path' })
    else if (entry.kind === 'submodule') leftOut.push({ path: at, why: 'submodule' })
    else if (entry.kind === 'folder') await walk(entry.object, at, walking)
    else blobs.push({ ...entry, path: at })
  }
}

async function copyBlobs(
  blobs: readonly Blob[],
  objects: GitObjects,
  copying: Copying,
): Promise<void> {
  const { limits, links } = copying
  const made = new Set<string>()
  objects.ask(blobs.map(({ object }) => object))
  for (const blob of blobs) {
    const found = await objects.next()
    if (found?.type !== 'blob') throw new NotCopied('repository_unreadable')
    if (found.size > limits.fileBytesMax) throw new NotCopied('file_too_large')
    copying.bytes += found.size
    if (copying.bytes > limits.bytesMax) throw new NotCopied('too_many_bytes')
    if (blob.kind === 'link') {
      links.set(blob.path, Buffer.from(await wholeOf(found)).toString('utf8'))
    } else await copyOne(blob, found, copying, made)
  }
}

async function copyOne(
  { path, kind }: Blob,
  { size, content }: GitObject,
  { to, files, leftOut }: Copying,
  made: Set<string>,
): Promise<void> {
  const isExecutable = kind === 'program'
  const target = join(to, path)
  const output = await created(target, made)
  const hash = createHash('sha256')
  try {
    await output?.chmod(modeOf(isExecutable))
    for await (const part of content) {
      hash.update(part)
      await output?.appendFile(part)
    }
  } finally {
    await output?.close()
  }
  if (output === null) leftOut.push({ path, why: 'unsafe_path' })
  else files.set(path, { bytes: size, digest: `sha256:${hash.digest('hex')}`, isExecutable })
}

/** What this file system says of a path that it cannot have, or has under another name. */
const notHere: ReadonlySet<unknown> = new Set(['EEXIST', 'EILSEQ', 'EINVAL', 'ENAMETOOLONG'])

async function created(target: string, made: Set<string>): Promise<FileHandle | null> {
  const folder = dirname(target)
  try {
    if (!made.has(folder)) await mkdir(folder, { recursive: true })
    made.add(folder)
    return await open(target, 'wx')
  } catch (error) {
    if (error instanceof Error && notHere.has(Reflect.get(error, 'code'))) return null
    throw error
  }
}
