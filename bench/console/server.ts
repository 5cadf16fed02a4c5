// A console in a process of its own, on a log in a file with all stages, that is directed by who
// started it and ends with it. Run as a file it is that process.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as after } from 'node:timers/promises'
import { z } from 'zod'
import { sqliteLog } from '#adapters/sqlite/log'
import type { Runtime } from '#runtime/engine/runtime'
import { pagesOf } from '#services/console/pages'
import { serveConsole } from '#services/console/serving'
import { changeCatalog, testRuntime } from '../../test/support/runtime.ts'
import { erase, graph, limits, look } from '../asked-about.ts'
import { answerAll, messagesIn } from '../nats/deployment.ts'

/** Each has so many open at most; olga answers for all of them. */
const agents = Array.from({ length: 64 }, (_, index) => `desk-bot${index}`)
/** They read all of the log. A person has a few streams, so there are several. */
export const watchers = Array.from({ length: 20 }, (_, index) => `watcher${index}`)

const catalog = {
  capabilities: [look, erase],
  principals: [
    ...agents.map((id) => ({ id, owner: 'olga' })),
    ...watchers.map((id) => ({ id, via: ['audit'] })),
  ],
  limits,
}

const Place = z.object({ url: z.string(), log: z.string().nullable() })
/** In how long, and up to where the log then went. */
const Answered = z.object({ seconds: z.number(), position: z.number() })
const Used = z.object({ residentBytes: z.number(), heapBytes: z.number() })
/** When which fact was folded, in milliseconds since 1970. */
const Folded = z.array(z.tuple([z.number(), z.number()]))
const Command = z.discriminatedUnion('to', [
  z.object({ to: z.literal('open'), count: z.number() }),
  z.object({ to: z.literal('answer'), count: z.number() }),
  z.object({ to: z.literal('drip'), count: z.number(), everyMs: z.number() }),
  z.object({ to: z.literal('measure') }),
])
type Command = z.infer<typeof Command>

export interface ConsoleProcess extends z.infer<typeof Place> {
  /** Opens so many reviews more. */
  open(count: number): Promise<void>
  /** Has as many plain requests answered, each of which is three facts. */
  answer(count: number): Promise<z.infer<typeof Answered>>
  /** The same one by one; when each of their facts was there. */
  drip(count: number, everyMs: number): Promise<z.infer<typeof Folded>>
  /** After its garbage was collected. */
  measure(): Promise<z.infer<typeof Used>>
  stop(): Promise<void>
}

export async function startConsole(path: string): Promise<ConsoleProcess> {
  const execArgv = [...process.execArgv, '--expose-gc']
  const child = fork(import.meta.filename, [path], { execArgv })
  const exit = once(child, 'exit')
  const early = exit.then(() => Promise.reject(new Error('the console ended')))
  early.catch(() => undefined)
  const said = async (): Promise<unknown> => {
    const message: Promise<readonly unknown[]> = once(child, 'message')
    return (await Promise.race([message, early]))[0]
  }
  const send = (what: Command): Promise<unknown> => {
    const answered = said()
    child.send(what)
    return answered
  }
  const place = Place.parse(await said())
  return {
    ...place,
    open: async (count) => void (await send({ to: 'open', count })),
    answer: async (count) => Answered.parse(await send({ to: 'answer', count })),
    drip: async (count, everyMs) => Folded.parse(await send({ to: 'drip', count, everyMs })),
    measure: async () => Used.parse(await send({ to: 'measure' })),
    async stop() {
      child.disconnect()
      await exit
    },
  }
}

async function serve(path: string): Promise<void> {
  const { runtime } = await testRuntime({ log: await sqliteLog(path), catalog, graph })
  const serving = await serveConsole({
    runtimes: [runtime],
    listen: { host: '127.0.0.1', port: 0 },
    files: await pagesOf(),
    rate: { perSecond: 10_000, burst: 100_000 },
  })
  const { url } = serving
  const consoles = [{ id: 'here', rpId: 'localhost', origins: [url] }]
  await changeCatalog(runtime, { op: 'set', key: 'consoles', value: consoles })
  // Who started it has ended, or has no more use for it.
  process.once('disconnect', () => process.exit())
  process.on('message', (message) => {
    void done(runtime, Command.parse(message)).then((answer) => process.send?.(answer))
  })
  process.send?.({ url, log: runtime.follower.state.log })
}

async function done(runtime: Runtime, command: Command): Promise<unknown> {
  switch (command.to) {
    case 'open':
      await opened(runtime, command.count)
      return null
    case 'answer': {
      const start = performance.now()
      await answerAll({ runtime }, asked(runtime, command.count, 'look'), 256)
      const seconds = (performance.now() - start) / 1_000
      return { seconds, position: runtime.follower.state.position }
    }
    case 'drip':
      return dripped(runtime, command)
    case 'measure': {
      globalThis.gc?.()
      const { rss: residentBytes, heapUsed: heapBytes } = process.memoryUsage()
      return { residentBytes, heapBytes }
    }
  }
}

const asked = ({ place }: Runtime, count: number, tool: string) =>
  messagesIn(place, count, { agents, tool })

function opened(runtime: Runtime, count: number): Promise<void> {
  const { follower, log } = runtime
  const left = asked(runtime, count, 'erase')
  return new Promise((resolve, reject) => {
    let reviews = 0
    const publish = (): void => {
      const next = left.next()
      if (next.done !== true) log.append(next.value).catch(reject)
    }
    const stop = follower.listen((_, { parts }) => {
      if (parts?.kind !== 'review') return
      reviews += 1
      publish()
      if (reviews < count) return
      stop()
      resolve()
    })
    for (let index = 0; index < 256; index += 1) publish()
  })
}

async function dripped(
  runtime: Runtime,
  { count, everyMs }: { readonly count: number; readonly everyMs: number },
): Promise<z.infer<typeof Folded>> {
  const folded: [number, number][] = []
  const stop = runtime.follower.listen(({ position }) => folded.push([position, Date.now()]))
  for (const entry of asked(runtime, count, 'look')) {
    await runtime.log.append(entry)
    await after(everyMs)
  }
  await after(500)
  stop()
  return folded
}

const [, program, path] = process.argv
if (program === import.meta.filename && path !== undefined) await serve(path)
