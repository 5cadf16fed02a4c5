// What is found of a log on this machine alone: a file, and the disk below it, or memory.
import { isAhead, isBehind } from '#log/stamp'
import type { LogFileSeen } from '#log/sqlite/inspect'
import { failure, ok, warning, type DoctorFinding } from './finding.ts'

const kibibyte = 1_024
const mebibyte = 1_024 * kibibyte
const freeBytes = { needed: 64 * mebibyte, enough: 1_024 * mebibyte }
const syncFull = 2
const writableByOthers = 0o022

/** By the numbers that Linux has for them. Locks on them are not to be relied on. */
const networkFileSystems: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB 2'],
  [0x01021997, '9p'],
  [0x65735546, 'FUSE'],
])
const memoryFileSystems: ReadonlyMap<number, string> = new Map([
  [0x01021994, 'tmpfs'],
  [0x858458f6, 'ramfs'],
])

export function memoryFinding(): DoctorFinding {
  return warning('durability', 'the log is in memory: it is gone with the process', {
    fix: 'give --log a file, or a log on servers: `--log nats://host:port`',
  })
}

export function logFileFindings(seen: LogFileSeen): readonly DoctorFinding[] {
  return [
    durabilityFinding(seen),
    fileFinding(seen),
    placeFinding(seen),
    spaceFinding(seen),
    clockFinding(seen),
  ]
}

function durabilityFinding({ writesAhead, synchronous }: LogFileSeen): DoctorFinding {
  if (writesAhead && synchronous === null) {
    return ok('durability', 'nothing can be appended to it from here')
  }
  if (writesAhead && synchronous !== null && synchronous >= syncFull) {
    return ok('durability', 'what is appended is on the disk; one machine, one disk')
  }
  const what = writesAhead ? `it syncs at level ${synchronous}` : 'it has no write-ahead log'
  const found = `${what}: appends may not be on the disk`
  const fix = 'restore the file from a copy: a log is made with a write-ahead log, and fully synced'
  return failure('durability', found, { fix })
}

function fileFinding(seen: LogFileSeen): DoctorFinding {
  const { file, bytes, mode, links, pages, isWritable } = seen
  if (pages !== null && pages !== 'ok') {
    const fix = 'stop, and restore the file from a copy'
    return failure('file', `it is damaged: ${pages}`, { about: file, fix })
  }
  if (links > 1) {
    const found = `it has ${links} names (hard links): nothing is written, or facts would be lost`
    const own = `make it a file of its own: cp ${file} COPY && mv COPY ${file}`
    const fix = `${own}; copy logs by warrant backup`
    return warning('file', found, { about: file, fix })
  }
  if ((mode & writableByOthers) !== 0) {
    const found = `others may write it (mode ${mode.toString(8)}), and so bind any name`
    return failure('file', found, { about: file, fix: `chmod go-w ${file}` })
  }
  const size = `${Math.ceil(bytes / kibibyte)} KiB`
  const looked = pages === null ? 'too large for an integrity check here' : 'integrity check passed'
  if (isWritable) return ok('file', `${size}, ${looked}`, file)
  const found = `${size}, ${looked}; this user may not write it, or its folder`
  const fix = 'nothing, to read; to append, use the account that owns it'
  return warning('file', found, { about: file, fix })
}

/** Whether an append by this clock would be refused, and the way out. */
function clockFinding({ head, now }: LogFileSeen): DoctorFinding {
  if (head.position === 0) return ok('clock', 'the log has no fact yet')
  const last = `the last fact is of ${timeOf(head.appendedAt)}, and this clock says ${timeOf(now)}`
  if (isBehind(head, now)) {
    const fix =
      'correct the clock; if it is right, `warrant log rotate --reset-clock` sets the log back'
    return failure('clock', `${last}: nothing can be appended`, { fix })
  }
  if (isAhead(head, now)) {
    const fix = 'correct the clock; if it is right, append with --accept-clock'
    return warning('clock', last, { fix })
  }
  return ok('clock', last)
}

function timeOf(instant: number): string {
  return new Date(instant).toISOString()
}

function placeFinding({ fileSystem }: LogFileSeen): DoctorFinding {
  const network = networkFileSystems.get(fileSystem)
  if (network !== undefined) {
    const fix = 'move the file to a local disk, or use a log on servers'
    return failure('disk', `${network}: locks on a network are not to be relied on`, { fix })
  }
  const memory = memoryFileSystems.get(fileSystem)
  if (memory === undefined) return ok('disk', 'local file system')
  const fix = 'move the file to a disk'
  return warning('disk', `${memory}: it is gone when the machine starts again`, { fix })
}

function spaceFinding({ freeBytes: free }: LogFileSeen): DoctorFinding {
  const found = `${Math.floor(free / mebibyte)} MiB free`
  const fix = 'make room: without it nothing can be appended, and so nothing is allowed'
  if (free < freeBytes.needed) return failure('disk', found, { fix })
  if (free < freeBytes.enough) return warning('disk', found, { fix })
  return ok('disk', found)
}
