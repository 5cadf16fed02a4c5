// Copies a folder that a stranger may still be writing to. Each folder is opened once and its
// entries are reached through what was opened, so that nothing swapped in between leads out; links
// are never followed, pipes and devices never read, and no more is read than the limits allow.
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, mkdir, open, readdir, readlink } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { platform } from 'node:os'
import { snapshotLimits } from '#core/work/verification/snapshot'
import type { CopyProblem, LeftOutWhy, WorkSnapshot } from '#core/work/verification/snapshot'
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
    const { size, mode, ...rest } = await statOf(input)
    if (!rest.isFile) {
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
    } finally {
      await output.close()
    }
  } finally {
    await input.close()
  }
}

async function statOf(input: FileHandle) {
  const seen = await input.stat()
  return { size: seen.size, mode: seen.mode, isFile: seen.isFile() }
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
