// Where a process listens, as people write it. A port alone listens to this machine and no other.
import { InvalidArgumentError } from 'commander'
import type { Listen } from '#serving/listening'

const written = /^(?:(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9.-]{1,253})?:)?([0-9]{1,5})$/
const portMax = 65_535

/** `host:port`, `[address]:port` or a port; null where it is neither. */
export function listenOf(text: string): Listen | null {
  const [, host = '127.0.0.1', digits = ''] = written.exec(text) ?? []
  const port = Number(digits)
  if (digits === '' || port > portMax) return null
  return { host: host.replaceAll(/[[\]]/g, ''), port }
}

/** The value of an option `--listen`. */
export function listenArgument(text: string): Listen {
  const listen = listenOf(text)
  if (listen === null) throw new InvalidArgumentError('Expected a port, or host:port.')
  return listen
}
