// nats-server in a container, for machines that have Docker and no binary. It uses the folder of
// the host under its own name, so that configuration is what it is without a container.
import { startContainer } from './docker.ts'

/** A nats-server that runs, however it was started. */
export interface NatsProcess {
  hasEnded(): Promise<boolean>
  /** Comes back when it has ended. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
  signal(signal: ServerSignal): Promise<void>
}

/** What stops it where it stands, and lets it go on. */
export type ServerSignal = 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'

const image = 'nats:2.15.2-alpine'
const stopSeconds = 20

export async function runContainer(
  parameters: readonly string[],
  folder: string,
): Promise<NatsProcess> {
  const command = ['nats-server', ...parameters]
  const container = await startContainer({ image, command, folder: [folder, folder] })
  return {
    hasEnded: async () => !(await container.isRunning()),
    end: (signal) => container.stop(signal === 'SIGKILL' ? 0 : stopSeconds),
    signal: (signal) => container.signal(signal),
  }
}
