// The sockets that the driver opens to servers. One that a server takes and never greets, or that
// none takes, the driver forgets when its time is up; a process that has one left does not end.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Socket } from 'node:net'
import { listenerIn } from './encryption.ts'

const channel = 'net.client.socket'

export class Dials {
  readonly #ports: ReadonlySet<number>
  #silent: Socket[] = []

  constructor(addresses: readonly string[]) {
    this.#ports = new Set(addresses.map(portIn))
    subscribe(channel, this.#look)
  }

  /** Ends those that received nothing: who is connected has. */
  end(): void {
    unsubscribe(channel, this.#look)
    for (const socket of this.#silent.filter(isSilent)) socket.destroy()
  }

  readonly #look = (message: unknown): void => {
    if (message === null || typeof message !== 'object' || !('socket' in message)) return
    const { socket } = message
    if (!(socket instanceof Socket)) return
    socket.once('connectionAttempt', (_address, port) => {
      if (this.#ports.has(port)) this.#silent = [...this.#silent.filter(isSilent), socket]
    })
  }
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
