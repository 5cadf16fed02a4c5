// How long the dearest known request of each kind holds up everyone else: while a server answers
// it, `/healthz` is asked again and again, from the process of the server, whose work is in each
// figure.
import { setTimeout as sleep } from 'node:timers/promises'
import { inFolder } from '../deployment.ts'
import { atMost, single, timed, type Bench, type Figure } from '../harness.ts'
import { servedHooks, toolEvent } from './hooks.ts'
import { answers, servedAnswers } from './large-answers.ts'
import { posted } from './served.ts'

const everyMs = 5
/** No request of anyone may hold up others for longer. */
const aims = atMost(200)

const many = <T>(length: number, one: T): readonly T[] => Array.from({ length }, () => one)
const shell = (command: string) => () => toolEvent('Bash', { command })
const wide = { command: 'ls', all: many(200_000, {}) }
const loop = 'for a in a b c d e f g h; do '

/** The bodies, made when they are sent. */
const hooks: Readonly<Record<string, () => string>> = {
  'hook: `eval ` 13 000 times': shell('eval '.repeat(13_000)),
  'hook: `ls` with 32 000 words': shell(`ls ${'a '.repeat(32_000)}`),
  'hook: `((` 20 000 times': shell('(('.repeat(20_000)),
  'hook: `$(` 20 000 times': shell('$('.repeat(20_000)),
  'hook: braces of 65 kB': shell(`ls ${'{a,b}'.repeat(13_000)}`),
  'hook: twenty loops in each other': shell(
    `${loop.repeat(20)} x=$a$a; rm $x${'; done'.repeat(20)}`,
  ),
  'hook: 110 groups in braces of a filter': shell(`rg x -g '${'{e,n,v}*'.repeat(110)}'`),
  'hook: 250 kB to be written': () =>
    toolEvent('Write', { file_path: 'a', content: 'ab 12 '.repeat(42_000) }),
  'hook: 900 paths': () => toolEvent('Read', { file_path: many(900, 0).map((_, at) => `${at}`) }),
  'hook: 4 MB of small values': () => toolEvent('Task', { all: many(1_900_000, 1) }),
}

export const bench: Bench = {
  title: 'How long the dearest requests hold up others',
  // Cold, as the first who asks finds it: nothing is warmed up.
  run: () =>
    inFolder(async (folder) => {
      const figures: Figure[] = []
      const note = (name: string, ms: number) => {
        figures.push(single(name, 'ms at most', ms, aims))
      }
      const server = await servedHooks(folder)
      const sent = (path: string, body: string) => () =>
        posted(`${server.url}${path}`, server.token, body).catch(() => 'refused')
      for (const [name, body] of Object.entries(hooks)) {
        note(name, await longestWait(server.url, sent('/v1/hooks/claude-code', body())))
      }
      const asked = JSON.stringify({ tool: 'shell.run', args: wide })
      note('intent: wide arguments', await longestWait(server.url, sent('/v1/intents', asked)))
      const digits = `{"tool":"shell.run","args":{"n":1.${'0'.repeat(60_000)}1}}`
      note('intent: long digits', await longestWait(server.url, sent('/v1/intents', digits)))
      await server.close()
      const gateway = await servedAnswers(folder)
      for (const name of answers.keys()) {
        const call = await gateway.allowed(name)
        note(`gateway: ${name}`, await longestWait(gateway.url, call))
      }
      await gateway.close()
      return figures
    }),
}

async function longestWait(url: string, act: () => Promise<unknown>): Promise<number> {
  let longest = 0
  const open = new Set([act])
  const answered = act().finally(() => open.clear())
  do {
    const ms = await timed(async () => (await fetch(`${url}/healthz`)).text())
    longest = Math.max(longest, ms)
    await sleep(everyMs)
  } while (open.size > 0)
  await answered
  return longest
}
