// Copies a folder that a stranger may still be writing to. Each folder is opened once and its
// entries are reached through what was opened, so that nothing swapped in between leads out; links
// are never followed, pipes and devices never read, and no more is read than the limits allow.
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, mkdir, open, readdir, readlink, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { platform } from 'node:os'
import { snapshotLimits } from '#work/verification/snapshot'
import type { CopyProblem, LeftOutWhy, WorkSnapshot } from '#work/verification/snapshot'
import {
  copyLinked,
  countedEntry,
  modeOf,
  NotCopied,
  startedCopying,
  type Copying,
  type CopyLimits,
} from './copying.ts'

/** Where there is too much, what it is; what was copied until then is to be thrown away. */
export async function copyFolder(
  from: string,
  to: string,
  limits: CopyLimits = snapshotLimits,
): Promise<WorkSnapshot | CopyProblem> {
  const copying = startedCopying(to, limits)
  try {
    // The folder itself was named by the caller, and may be a link.
    await copyEntries(from, '', copying, 0)
    await leaveOthers(copying)
    await copyLinked(copying)
  } catch (error) {
    if (error instanceof NotCopied) return error.why
    throw error
  }
  return { files: copying.files, leftOut: copying.leftOut }
}

const isLinux = platform() === 'linux'
const noLink = constants.O_NOFOLLOW | constants.O_NONBLOCK

async function copyEntries(
  folder: string,
  path: string,
  copying: Copying,
  flags: number,
): Promise<void> {
  const { limits, to } = copying
  if (path.split('/').length > limits.depthMax) throw new NotCopied('too_deep')
  const opened = await open(folder, constants.O_RDONLY | flags)
  try {
    // Elsewhere than on Linux there is no such way through what was opened.
    const here = isLinux ? `/proc/self/fd/${opened.fd}` : folder
    const names = await readdir(here)
    await mkdir(join(to, path), { recursive: true })
    for (const name of names.toSorted()) {
      countedEntry(copying)
      await copyEntry(`${here}/${name}`, path === '' ? name : `${path}/${name}`, copying)
    }
  } finally {
    await opened.close()
  }
}

async function copyEntry(source: string, path: string, copying: Copying): Promise<void> {
  const leave = (why: LeftOutWhy): void => void copying.leftOut.push({ path, why })
  try {
    const seen = await lstat(source)
    if (seen.isSymbolicLink()) copying.links.set(path, await readlink(source))
    else if ((seen.mode & constants.S_IFMT) === constants.S_IFDIR) {
      await copyEntries(source, path, copying, noLink)
    } else if (seen.isFile()) await copyOne(source, path, copying, leave)
    else leave('special_file')
  } catch (error) {
    if (error instanceof NotCopied) throw error
    leave('unreadable')
  }
}

const chunkBytes = 256 * 1024

async function copyOne(
  source: string,
  path: string,
  copying: Copying,
  leave: (why: LeftOutWhy) => void,
): Promise<void> {
  const { limits, to } = copying
  const input = await open(source, constants.O_RDONLY | noLink)
  try {
    const { size, mode, isFile, linked } = await statOf(input)
    if (!isFile) {
      leave('special_file')
      return
    }
    // A sparse file takes no disk, and would take all of it as a copy.
    if (size > limits.fileBytesMax) throw new NotCopied('file_too_large')
    const isExecutable = (mode & 0o111) !== 0
    const output = await open(join(to, path), 'wx')
    try {
      await output.chmod(modeOf(isExecutable))
      const { bytes, digest } = await pour(input, output, copying)
      copying.files.set(path, { bytes, digest, isExecutable })
      if (linked !== null) noteShared(copying, path, linked)
    } finally {
      await output.close()
    }
  } finally {
    await input.close()
  }
}

async function statOf(input: FileHandle) {
  const { size, mode, dev, ino, nlink } = await input.stat({ bigint: true })
  const linked = nlink > 1n ? { file: `${dev}:${ino}`, names: Number(nlink) } : null
  const isFile = (mode & BigInt(constants.S_IFMT)) === BigInt(constants.S_IFREG)
  return { size: Number(size), mode: Number(mode), isFile, linked }
}

interface Linked {
  readonly file: string
  readonly names: number
}

function noteShared({ shared }: Copying, path: string, { file, names }: Linked): void {
  const seen = shared.get(file)
  shared.set(file, { names, paths: [...(seen?.paths ?? []), path] })
}

// A file that has a name outside as well may be of others, whom the worker could only link to.
async function leaveOthers({ to, shared, files, leftOut }: Copying): Promise<void> {
  for (const { names, paths } of shared.values()) {
    if (names <= paths.length) continue
    for (const path of paths) {
      await rm(join(to, path))
      files.delete(path)
      leftOut.push({ path, why: 'link_outside' })
    }
  }
}

async function pour(input: FileHandle, output: FileHandle, copying: Copying) {
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafe(chunkBytes)
  let bytes = 0
  for (;;) {
    const { bytesRead } = await input.read(buffer, 0, chunkBytes)
    if (bytesRead === 0) return { bytes, digest: `sha256:${hash.digest('hex')}` }
    // It may grow while it is read.
    bytes += bytesRead
    copying.bytes += bytesRead
    if (bytes > copying.limits.fileBytesMax) throw new NotCopied('file_too_large')
    if (copying.bytes > copying.limits.bytesMax) throw new NotCopied('too_many_bytes')
    const part = buffer.subarray(0, bytesRead)
    hash.update(part)
    await output.write(part)
  }
}
