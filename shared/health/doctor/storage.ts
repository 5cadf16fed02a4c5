// What is found of how servers keep facts, by their monitoring: whether they sync what they
// acknowledge, and whether they have room for more.
import type { MonitorSeen, Monitored } from '#log/nats-admin/inspect-monitor'
import { failure, ok, warning, type DoctorFinding } from './finding.ts'

const mebibyte = 1_048_576
/** Less is full: one fact with what goes around it may need a third of it. */
const freeBytesMin = mebibyte
const usedShareMax = 0.8

/** Of each server that answered: at a limit the log takes nothing, or mirrors copy nothing. */
export function storageFindings(monitors: readonly MonitorSeen[]): readonly DoctorFinding[] {
  return monitors.flatMap(({ said }) => (said === null ? [] : roomFindings(said)))
}

const roomTexts = {
  storage: { of: 'on disk', setting: 'max_file_store', how: ' (`nats-config --max-file-store`)' },
  memory: { of: 'in memory', setting: 'max_memory_store', how: '' },
} as const

function roomFindings({ name, rooms }: Monitored): readonly DoctorFinding[] {
  return (['storage', 'memory'] as const).map((kind) => {
    const { used, limit } = rooms[kind]
    const { of, setting, how } = roomTexts[kind]
    const found = `${sizeOf(used)} of ${sizeOf(limit)} are used ${of}`
    const about = `${name} ${kind}`
    const fix = `give it more room, and raise \`${setting}\` in its \`jetstream\` block${how}`
    if (limit - used < freeBytesMin) {
      const full = kind === 'storage' ? 'the log takes nothing' : 'mirrors copy nothing'
      return failure('storage', `${found}: ${full}`, { about, fix })
    }
    if (used > limit * usedShareMax) return warning('storage', found, { about, fix })
    return ok('storage', found, about)
  })
}

function sizeOf(bytes: number): string {
  return `${Math.ceil(bytes / mebibyte)} MiB`
}

/** One finding for each server that holds the log, and one for each monitoring that is silent. */
export function syncFindings(
  holders: readonly string[],
  monitors: readonly MonitorSeen[],
): readonly DoctorFinding[] {
  const silent = monitors.flatMap(({ url, said, why }) => {
    if (said !== null) return []
    const fix = 'is the address that of `http` in the configuration of the server'
    return [warning('sync', why, { about: url, fix })]
  })
  return [...holders.map((holder) => syncOf(holder, monitors)), ...silent]
}

function syncOf(about: string, monitors: readonly MonitorSeen[]): DoctorFinding {
  const said = monitors.flatMap((monitor) => (monitor.said?.name === about ? monitor.said : []))
  if (said.length === 0) {
    const fix = 'give --monitor http://HOST:8222 of this server (`http` in its configuration)'
    return warning('sync', 'not proven that it syncs before it acknowledges', { about, fix })
  }
  if (said.every(({ syncsAlways }) => syncsAlways)) {
    return ok('sync', 'what it acknowledges is on its disk', about)
  }
  const fix = '`sync_interval: always` in its `jetstream` block, and start it again'
  const found = 'it syncs at intervals: in a power failure, acknowledged facts can be lost'
  return failure('sync', found, { about, fix })
}
