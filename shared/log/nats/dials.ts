// The sockets that the driver opens to servers. One that a server takes and never greets, or that
// none takes, the driver forgets when its time is up; a process that has one left does not end.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Socket } from 'node:net'
import { listenerIn } from './encryption.ts'

const channel = 'net.client.socket'

interface Dialed {
  links: number
  silent: Socket[]
}

/** Of all links of this process, by port: whose a socket is, its driver does not show. */
const dialed = new Map<number, Dialed>()

/**
 * To be called before a link is opened. What it returns is called once that has ended: the last
 * link to a port ends what was opened to it and received nothing, since who is connected has.
 */
export function watchDials(addresses: readonly string[]): () => void {
  if (dialed.size === 0) subscribe(channel, look)
  const ports = [...new Set(addresses.map(portIn))]
  for (const port of ports) {
    const at = dialed.get(port) ?? { links: 0, silent: [] }
    at.links += 1
    dialed.set(port, at)
  }
  let hasEnded = false
  return () => {
    if (hasEnded) return
    hasEnded = true
    for (const port of ports) {
      const at = dialed.get(port)
      if (at === undefined) continue
      at.links -= 1
      if (at.links > 0) continue
      dialed.delete(port)
      for (const socket of at.silent.filter(isSilent)) socket.destroy()
    }
    if (dialed.size === 0) unsubscribe(channel, look)
  }
}

function look(message: unknown): void {
  if (message === null || typeof message !== 'object' || !('socket' in message)) return
  const { socket } = message
  if (!(socket instanceof Socket)) return
  socket.once('connectionAttempt', (_address, port) => {
    const at = dialed.get(port)
    if (at !== undefined) at.silent = [...at.silent.filter(isSilent), socket]
  })
}

/** NaN for what is no address, which the driver refuses. */
function portIn(address: string): number {
  try {
    return listenerIn(address).port
  } catch {
    return Number.NaN
  }
}

function isSilent({ bytesRead, destroyed }: Socket): boolean {
  return bytesRead === 0 && !destroyed
}
