// nats-server in a container, for machines that have Docker and no binary. It uses the network and
// the folder of the host under their own names, so that configuration, ports and clusters are what
// they are without a container.
import type { StartedTestContainer } from 'testcontainers'

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
const stopMsMax = 20_000

/** Whether a Docker answers whose network is that of this machine. */
export async function dockerAnswers(): Promise<boolean> {
  const { getContainerRuntimeClient } = await import('testcontainers')
  try {
    const { info } = await getContainerRuntimeClient()
    return ['localhost', '127.0.0.1'].includes(info.containerRuntime.host)
  } catch {
    return false
  }
}

export async function runContainer(
  parameters: readonly string[],
  folder: string,
): Promise<NatsProcess> {
  const { GenericContainer } = await import('testcontainers')
  const user = `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`
  const container = await new GenericContainer(image)
    .withNetworkMode('host')
    .withUser(user)
    .withBindMounts([{ source: folder, target: folder }])
    .withCommand(['nats-server', ...parameters])
    .start()
  return {
    hasEnded: async () => !(await isRunning(container)),
    end: async (signal) => {
      if (signal === 'SIGKILL') await signalled(container, signal)
      await container.stop({ timeout: stopMsMax })
    },
    signal: (signal) => signalled(container, signal),
  }
}

async function isRunning(container: StartedTestContainer): Promise<boolean> {
  const { getContainerRuntimeClient } = await import('testcontainers')
  const client = await getContainerRuntimeClient()
  const { State } = await client.container.inspect(client.container.getById(container.getId()))
  return State.Running
}

async function signalled(container: StartedTestContainer, signal: ServerSignal): Promise<void> {
  const { getContainerRuntimeClient } = await import('testcontainers')
  const client = await getContainerRuntimeClient()
  await client.container.getById(container.getId()).kill({ signal })
}
