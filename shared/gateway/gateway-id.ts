// How a gateway is named in the log: `<name>@<host>:<process>:<nonce>`. So another process can see
// that it has ended, where both run on one machine; on any other, time alone shows it.
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { isAlive } from '#system/alive'

const pattern = /^(?<name>[^@]+)@(?<host>[^:]+):(?<pid>\d{1,10}):(?<nonce>[0-9a-f]{12})$/

/** Whether both are called the same on one machine: one is the other, begun again. */
export function areNamesakes(one: string, other: string): boolean {
  const [a, b] = [pattern.exec(one)?.groups, pattern.exec(other)?.groups]
  return a !== undefined && a['name'] === b?.['name'] && a['host'] === b?.['host']
}

/** A name of its own for this gateway of this process. */
export function gatewayId(name: string): string {
  return `${plain(name)}@${plain(hostname())}:${process.pid}:${randomBytes(6).toString('hex')}`
}

function plain(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9._-]/g, '-').slice(0, 64)
}

/** Whether the gateway that is called so has surely ended; `own` are those of this process. */
export function hasEnded(id: string, own: ReadonlySet<string>): boolean {
  if (own.has(id)) return false
  const { host, pid } = pattern.exec(id)?.groups ?? {}
  if (host === undefined || host !== plain(hostname())) return false
  // Its number was given to this process since.
  return Number(pid) === process.pid || !isAlive(Number(pid))
}
