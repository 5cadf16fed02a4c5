// Calls through the proxy before a server of tools against the same calls of that server, in turn,
// over pipes, each program a process of its own; and what its start takes.
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { assert } from '#record/fault'
import { builtFile } from '../../test/support/vitest/built.ts'
import { setup as compile } from '../../test/support/vitest/compile.ts'
import { inFolder } from '../deployment.ts'
import { inRounds, percentiles, sized, timed, type Bench } from '../harness.ts'
import { begun, lookingBy } from './served.ts'

const rounds = 5
const inRound = sized(60)
const tool = 'test_simple_text'
const fixture = join(import.meta.dirname, '../../test/mcp/fixture-server.mjs')
/** A client waits as long as the slowest machine needs to start a process. */
const probe = { timeoutMs: 60_000 }

const [pipes, governedPipes] = ['the server itself', 'through `warrant mcp`']
const [bareStart, start] = ['the server alone', 'a start of both, to the first list of tools']

export const bench: Bench = {
  title: 'Calls through the proxy before a server of MCP, on a durable log',
  run: () => {
    compile()
    return inFolder(async (folder) => {
      const log = join(folder, 'log.db')
      const runtime = await begun(log, lookingBy('bot', { id: tool }))
      await runtime.stop()
      const server = [fixture, join(folder, 'runs')]
      const inFront = [builtFile('services/cli/main.ts'), 'mcp', '--as', 'bot', '--log', log]
      const governed = [...inFront, '--', process.execPath, ...server]
      const [bareClient, client] = [await overPipes(server), await overPipes(governed)]
      try {
        const ran = await inRounds(rounds, async () => ({
          ...percentiles(pipes, await called(bareClient)),
          ...percentiles(governedPipes, await called(client)),
          [bareStart]: await timed(() => listed(server)),
          [start]: await timed(() => listed(governed)),
        }))
        return [...ran.times(governedPipes, pipes), ran.figure(start, 'ms', { against: bareStart })]
      } finally {
        await bareClient.close()
        await client.close()
      }
    })
  },
}

async function overPipes(args: readonly string[]): Promise<Client> {
  const versionNegotiation = { mode: 'auto', probe } as const
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation })
  const command = process.execPath
  await client.connect(new StdioClientTransport({ command, args: [...args], stderr: 'ignore' }))
  return client
}

async function called(client: Client): Promise<readonly number[]> {
  const times: number[] = []
  for (let n = 0; n < inRound; n += 1) {
    const call = async (): Promise<void> => {
      const { isError } = await client.callTool({ name: tool, arguments: {} })
      assert(isError !== true, 'each call is carried out')
    }
    times.push(await timed(call))
  }
  return times
}

async function listed(args: readonly string[]): Promise<void> {
  const client = await overPipes(args)
  assert((await client.listTools()).tools.length > 0, 'it lists its tools')
  await client.close()
}
