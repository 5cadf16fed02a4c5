// What is found of the servers: how they are reached, which version they are, and whether their
// clocks agree with ours.
import type { ClockSeen, NatsSeen } from '#log/nats-admin/inspect'
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
