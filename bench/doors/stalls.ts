// Measures how long the dearest known request of each kind holds up everyone else: while a server
// answers it, `/healthz` is asked again and again. A row more is one entry of the table.
import { randomUUID } from 'node:crypto'
import { quantile, whole, type Report } from '../figures.ts'
import { inFolder } from '../nats/deployment.ts'
import { servedHooks, type Served } from '../offline/hooks.ts'
import { answers, servedAnswers } from './large-answers.ts'

/** No request of anyone may hold up others for longer. */
const stallMsMax = 200
const everyMs = 5

interface DearRequest {
  readonly path: string
  readonly body: () => string
}

const shell = (command: string): DearRequest => hook('Bash', { command })

function hook(tool: string, input: object): DearRequest {
  const body = () =>
    JSON.stringify({
      session_id: 'bench',
      cwd: '/srv/shop',
      hook_event_name: 'PreToolUse',
      tool_name: tool,
      tool_input: input,
      tool_use_id: randomUUID(),
    })
  return { path: '/v1/hooks/claude-code', body }
}

const ask = (args: object): DearRequest => ({
  path: '/v1/intents',
  body: () => JSON.stringify({ tool: 'shell.run', args }),
})

const requests: ReadonlyMap<string, DearRequest> = new Map([
  ['hook: `eval ` 13 000 times', shell('eval '.repeat(13_000))],
  ['hook: `ls` with 32 000 words', shell(`ls ${'a '.repeat(32_000)}`)],
  ['hook: `((` 20 000 times', shell('(('.repeat(20_000))],
  ['hook: `$(` 20 000 times', shell('$('.repeat(20_000))],
  ['hook: braces of 65 kB', shell(`ls ${'{a,b}'.repeat(13_000)}`)],
  [
    'hook: 250 kB to be written',
    hook('Write', { file_path: 'a', content: 'ab 12 '.repeat(42_000) }),
  ],
  [
    'hook: 900 paths',
    hook('Read', { file_path: Array.from({ length: 900 }, (_, at) => `a${at}`) }),
  ],
  ['hook: 4 MB of small values', hook('Task', { all: Array.from({ length: 1_900_000 }, () => 1) })],
  [
    'intent: wide arguments',
    ask({ command: 'ls', all: Array.from({ length: 200_000 }, () => ({})) }),
  ],
])

export function benchStalls(): Promise<Report> {
  return inFolder(async (folder) => {
    const server = await servedHooks(folder)
    const rows: string[][] = []
    let worst = 0
    const note = (name: string, { tookMs, waits }: Awaited<ReturnType<typeof held>>): void => {
      const most = Math.max(...waits)
      worst = Math.max(worst, most)
      rows.push([name, whole(tookMs), whole(quantile(waits, 0.5)), whole(most)])
    }
    for (const [name, request] of requests) {
      note(name, await held(server.url, () => sent(server, request)))
    }
    await server.close()
    const gateway = await servedAnswers(folder)
    for (const name of answers.keys()) {
      const call = await gateway.allowed(name)
      note(`gateway: ${name}`, await held(gateway.url, call))
    }
    await gateway.close()
    return {
      title: 'How long the dearest requests hold up others',
      head: ['request', 'answered, ms', '`/healthz` p50', 'worst'],
      rows,
      notes: ['asked from the process of the server: its own work is in each figure'],
      targets: [
        {
          claim: `no request holds up others for more than ${stallMsMax} ms`,
          met: worst <= stallMsMax,
          figures: `${whole(worst)} ms at most`,
        },
      ],
    }
  })
}

async function sent({ url, token }: Served, { path, body }: DearRequest): Promise<unknown> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: body(),
  })
  return response.text()
}

async function held(url: string, act: () => Promise<unknown>) {
  const waits: number[] = []
  const begun = performance.now()
  const open = new Set([act])
  const answered = act().finally(() => {
    open.clear()
  })
  do {
    const asked = performance.now()
    await (await fetch(`${url}/healthz`)).text()
    waits.push(performance.now() - asked)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  } while (open.size > 0)
  await answered
  return { tookMs: performance.now() - begun, waits }
}
