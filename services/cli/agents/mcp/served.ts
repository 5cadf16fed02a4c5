// How a server of MCP is served from a command: over the pipes of this process, to one client until
// it leaves, or over HTTP on this machine alone, since who may connect may call.
import type { PipeServing } from '#mcp/client-pipes'
import { listening, type Listen } from '#serving/listening'
import { isLoopback } from '#serving/loopback'
import { usage } from '#cli/terminal/failure'
import { note } from '#cli/terminal/terminal'

/** Begun once something is served: before, it would be rejected unseen. */
type Ending = () => Promise<unknown>

export async function servedOverPipes(serving: PipeServing, ending: Ending): Promise<void> {
  try {
    await Promise.race([serving.ended, ending()])
  } finally {
    await serving.close()
    // A host that still holds its end of the pipe must not keep this process.
    process.stdin.destroy()
  }
}

export interface ServedHere {
  readonly listen: Listen
  /** As it is reported where it listens. */
  readonly title: string
  readonly ending: Ending
}

export async function servedOverHttp(
  serving: {
    readonly fetch: (request: Request) => Promise<Response>
    readonly close: () => Promise<void>
  },
  { listen, title, ending }: ServedHere,
): Promise<void> {
  const server = await listening({ listen, tls: null, fetch: (request) => serving.fetch(request) })
  note(`warrant: ${title} at ${server.url}/mcp (Ctrl-C ends it)`)
  try {
    await ending()
  } finally {
    await serving.close()
    server.cut()
    await server.drained()
  }
}

/** Throws a usage fault for a place that others can reach. */
export function demandLocal(listen: Listen | undefined, port: number): void {
  if (listen === undefined || isLoopback(listen.host)) return
  throw usage(`--listen takes this machine alone, such as 127.0.0.1:${port}`)
}
