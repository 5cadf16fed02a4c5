// What a coding agent waits for before each tool where its hook asks over HTTP, beside the cheapest
// request of the same server. What a hook costs that is a process is of `start`.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseGraphFile } from '#authoring/changes/seed-file'
import { assert } from '#record/fault'
import { publicKeyOf } from '#record/crypto/private-key'
import { readHookTables, shippedHookSeeds } from '#judging/hook-seed'
import { judgingPool } from '#judging/judging-pool'
import { CatalogFile } from '#schemas/catalog'
import { packageRoot } from '#cli/terminal/opening/package-root'
import { testKey } from '#testing/setup'
import { inFolder } from '../deployment.ts'
import { atMost, cpuOf, inLanes, inRounds, percentiles, sized, type Bench } from '../harness.ts'
import { posted, served, type Served } from './served.ts'

const rounds = 5
const requests = sized(100)
const agent = 'coding-agent'

const [hook, cheapest] = ['a hook over HTTP', 'the cheapest request of the server']
const cpu = 'CPU of both'

export const bench: Bench = {
  title: 'A hook over HTTP, one after the other',
  run: () =>
    inFolder(async (folder) => {
      const server = await servedHooks(folder)
      const look = async (): Promise<string> => (await fetch(`${server.url}/healthz`)).text()
      const ran = await inRounds(rounds, async () => {
        let times: readonly number[] = []
        const all = Array.from({ length: requests }, () => toolEvent())
        const used = await cpuOf(async () => {
          times = await inLanes(all, 1, (event) => asked(server, event))
        })
        const looked = await inLanes(all, 1, look)
        return {
          ...percentiles(hook, times),
          ...percentiles(cheapest, looked),
          [cpu]: used / requests,
        }
      })
      await server.close()
      const aims = atMost(15)
      return [
        ran.figure(`${hook}, p50`, 'ms', { against: `${cheapest}, p50` }),
        ran.figure(`${hook}, p99`, 'ms', { against: `${cheapest}, p99`, aims }),
        ran.figure(cpu, 'µs a hook'),
      ]
    }),
}

/** A server with the seeds of hooks on a log in a file, in this process. */
export async function servedHooks(folder: string): Promise<Served> {
  const seeds = join(packageRoot(), 'seeds')
  const jsonOf = (file: string): unknown => JSON.parse(readFileSync(join(seeds, file), 'utf8'))
  const parts = ['shell', 'hooks'].map((name) => CatalogFile.parse(jsonOf(`${name}/catalog.json`)))
  const folders = shippedHookSeeds(packageRoot())
  const hooks = judgingPool({
    tables: await readHookTables(folders),
    folders,
    key: new Uint8Array(32),
    readable: [],
  })
  const setup = {
    agent,
    session: null,
    testKeys: false,
    graph: parseGraphFile(jsonOf('shell/graph.json')),
    catalog: {
      principals: [
        { id: 'root', roles: ['policy-admin'], keys: [publicKeyOf(testKey('root'))] },
        { id: agent, owner: 'root', roles: ['writer'], via: ['http'] },
      ],
      capabilities: parts.flatMap(({ capabilities }) => capabilities),
      limits: parts.flatMap(({ limits }) => limits),
      defaults: parts[0]?.defaults ?? {},
    },
  }
  return served(folder, setup, hooks)
}

/** As Claude Code sends it before a tool, which only reads if not said otherwise. */
export function toolEvent(
  tool = 'Bash',
  input: object = { command: `ls src/${randomUUID()}` },
): string {
  return JSON.stringify({
    session_id: 'bench',
    cwd: '/srv/shop',
    hook_event_name: 'PreToolUse',
    tool_name: tool,
    tool_input: input,
    tool_use_id: randomUUID(),
  })
}

async function asked({ url, token }: Served, event: string): Promise<void> {
  const text = await posted(`${url}/v1/hooks/claude-code`, token, event)
  assert(text.includes('"allow"'), `it is allowed: ${text}`)
}
