// What an error of the driver means, and what to do about it: whose file it is, whether it is
// whole, whether it may be written to, whether there is room. It must never hide that error.
import type { FaultCode } from '#schemas/faults/registry'
import { accessSync, constants, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { Fault } from '#record/fault'
import { isOfClock } from '../stamp.ts'

/** With less than this the disk is taken for full: SQLite asks for 32 KiB at once. */
const roomBytesMin = 131_072

/** SQLite's own numbers; the upper bits say which of several. */
const primary = { busy: 5, locked: 6, readOnly: 8, io: 10, corrupt: 11, full: 13, cannotOpen: 14 }
const noDatabase = 26
const primaryBits = 0xff

/** `number` is SQLite's own of the error; 0 where it has none. */
export function faultOf(path: string, number: number, cause: unknown): Fault {
  const where = `the log \`${path}\``
  switch (number & primaryBits) {
    case primary.busy:
    case primary.locked: {
      const message = `${where} is being written to by another process`
      return new Fault('log_busy', message, { cause })
    }
    case noDatabase: {
      const message = `${where} is not a log: it is not an SQLite file; ${elsewhere}`
      return new Fault('log_foreign', message, { cause })
    }
    case primary.corrupt:
      return torn(path, 'a page of it is damaged', cause)
    case primary.full:
      return diskFull(path, cause)
    case primary.readOnly:
    case primary.cannotOpen:
    case primary.io:
      return faultOfFile(path, cause)
    default:
      return unavailable(path, cause)
  }
}

export const elsewhere = 'give another path, or move the file away'

export function torn(path: string, what: string, cause?: unknown): Fault {
  const found = `the log \`${path}\` is torn, or was altered: ${what}`
  const message = `${found}; restore the file from a copy`
  return new Fault('log_torn', message, { cause })
}

/** Whether the file itself keeps it from being opened for writing; reading may still do. */
export function isOfFile(error: unknown): boolean {
  return error instanceof Fault && ofFile.has(error.code)
}

const ofFile: ReadonlySet<FaultCode> = new Set(['log_read_only', 'disk_full', 'log_unavailable'])

/** Whether it passes without anything being opened again, so that workers wait for it. */
export function isPassing(error: unknown): boolean {
  return isOfClock(error) || (error instanceof Fault && error.code === 'disk_full')
}

/** Whether this user could append: the file and its folder, where SQLite writes beside it. */
export function mayWrite(path: string): boolean {
  return whyNot(path, constants.W_OK) === null && whyNot(dirname(path), constants.W_OK) === null
}

/** Refuses a file that is there and may only be read, or the write-ahead log beside it. */
export function refuseReadOnly(path: string): void {
  for (const file of [path, `${path}-wal`]) {
    const why = whyNot(file, constants.W_OK)
    if (why !== null && why !== 'ENOENT') throw readOnly(path)
  }
}

/** That the log cannot be appended to, and why. */
export function readOnly(path: string, cause?: unknown): Fault {
  const why = whyNot(path, constants.W_OK) ?? whyNot(dirname(path), constants.W_OK)
  const message =
    why === 'EROFS'
      ? `the log \`${path}\` is on a read-only file system: it can be read; to append, mount it ` +
        'for writing'
      : `this user may read the log \`${path}\` and not write it: to append, use the account ` +
        'that owns it, or have that give the right to write the file and its folder'
  return new Fault('log_read_only', message, { cause })
}

function faultOfFile(path: string, cause: unknown): Fault {
  const unreadable = whyNot(path, constants.R_OK)
  if (unreadable === 'EACCES' || unreadable === 'EPERM') {
    const message = `this user may not read the log \`${path}\`: have its owner give the right to`
    return new Fault('log_unreadable', message, { cause })
  }
  // A file system that is only read has no room either.
  if (unreadable === null && !mayWrite(path)) return readOnly(path, cause)
  if (roomFor(path) < roomBytesMin) return diskFull(path, cause)
  const folder = whyNot(dirname(path), constants.W_OK)
  if (folder !== null) {
    const what = folder === 'ENOENT' ? 'there is no such folder' : `its folder says ${folder}`
    const message = `the log \`${path}\` cannot be opened: ${what}`
    return new Fault('log_unavailable', message, { cause })
  }
  return unavailable(path, cause)
}

function diskFull(path: string, cause: unknown): Fault {
  const message =
    `the disk that holds the log \`${path}\` is full: make room, and do the same again; ` +
    'what was acknowledged is not lost'
  return new Fault('disk_full', message, { cause })
}

function unavailable(path: string, cause: unknown): Fault {
  const why = cause instanceof Error ? cause.message : 'unknown'
  return new Fault('log_unavailable', `the log \`${path}\` cannot be used: ${why}`, {
    cause,
  })
}

/** The system's name for why not, such as `EROFS`; null where nothing stands against it. */
function whyNot(path: string, mode: number): string | null {
  try {
    accessSync(path, mode)
    return null
  } catch (error) {
    const code: unknown = error instanceof Error && 'code' in error ? error.code : null
    return typeof code === 'string' ? code : 'unknown'
  }
}

function roomFor(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(dirname(path))
    return bavail * bsize
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
