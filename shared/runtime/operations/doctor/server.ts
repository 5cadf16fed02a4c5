// What is found of the servers: how they are reached, which version they are, whether they sync
// what they acknowledge, and whether their clocks agree with ours.
import type { ClockSeen, NatsSeen } from '#adapters/nats-admin/inspect'
import type { MonitorSeen } from '#adapters/nats-admin/inspect-monitor'
import { failure, ok, warning, type DoctorFinding } from './finding.ts'
import { versionStandingOf } from './versions.ts'

/** All that the log is built on was tried on this version, and some of it is not in older ones. */
const tested = { major: 2, minor: 15 }
const clockMsMax = 1_000
const clockMsBroken = 60_000

const loopback = /^(?:127\.[0-9.]+|\[?::1\]?|localhost):[0-9]+$/

export function connectionFinding({ server }: Pick<NatsSeen, 'server'>): DoctorFinding {
  const { host, isEncrypted } = server
  if (isEncrypted) return ok('connection', `TLS to ${host}`)
  if (loopback.test(host)) return ok('connection', `plain to ${host}, which is this machine`)
  return warning(
    'connection',
    `plain to ${host}: anyone on the network path can read and change it`,
    {
      fix: 'give the server a certificate (`warrant nats-config --tls-cert --tls-key`)',
    },
  )
}

export function versionFinding({
  name: about,
  version,
}: {
  readonly name: string
  readonly version: string
}): DoctorFinding {
  const known = `${tested.major}.${tested.minor}`
  const said = `nats-server ${version}`
  switch (versionStandingOf(version, tested)) {
    case 'older': {
      const fix = `install nats-server ${known} or later`
      return failure('server', `${said} is older than ${known}`, { about, fix })
    }
    case 'same':
      return ok('server', said, about)
    case 'newer':
      // That is no lack: it is only not known.
      return ok('server', `${said}; ${known} is what was tried`, about)
  }
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
  return warning('sync', found, { about, fix })
}

/** `lastAt` is when the log took its last fact, and `now` our own time. */
export function clockFinding(
  clock: ClockSeen | null,
  { lastAt, now }: { readonly lastAt: number; readonly now: number },
): DoctorFinding {
  const fix = 'let a time service (NTP) keep the clocks of all machines'
  if (clock === null) return warning('clock', 'the server did not report its time', { fix })
  const { aheadMs, roundTripMs } = clock
  const offMs = Math.max(0, Math.abs(aheadMs) - roundTripMs / 2)
  const side = aheadMs < 0 ? 'behind' : 'ahead of'
  const found = `the server is ${Math.round(offMs)} ms ${side} this machine`
  const serverNow = now + aheadMs
  if (lastAt > serverNow + clockMsMax) {
    const early = Math.round(lastAt - serverNow)
    return failure('clock', `the log's last fact is ${early} ms in the future`, { fix })
  }
  if (offMs > clockMsBroken) return failure('clock', found, { fix })
  if (offMs > clockMsMax) return warning('clock', found, { fix })
  return ok('clock', `the server agrees within ${Math.ceil(roundTripMs / 2 + offMs)} ms`)
}
