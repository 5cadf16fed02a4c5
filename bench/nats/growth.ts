// Measures a NATS server and a worker that have grown: how long each takes to start on a log of so
// many names, what memory it holds, and how long it takes to read a little of that log.
import { z } from 'zod'
import { jetStreamLog } from '#adapters/jetstream/log'
import { streamInfo } from '#adapters/nats/api'
import { NatsLink } from '#adapters/nats/link'
import { Requests } from '#adapters/nats/requests'
import { streamNames } from '#adapters/nats/stream'
import { assert } from '#core/kernel/fault'
import { patternsOf } from '#core/kernel/names'
import type { Log } from '#ports/log'
import { freePort, until, type NatsServer } from '../../test/support/servers/nats-server.ts'
import { answerAll, messages } from './deployment.ts'
import { median, quantile, whole, type Report } from '../figures.ts'
import { startWorker } from './worker.ts'
import { deployThere, makeLogOn, onServer, place } from './server.ts'

const factsEach = 3
const sessionCount = 25
const session = 'read-again'
const outstanding = 1_000
const rounds = 20
const atEnd = 10

const loadSecondsMax = 360
const step = 5_000

/** So many names, or as many as the stages make in six minutes. */
export async function benchNatsGrowth(namesMax: number): Promise<Report> {
  const httpPort = await freePort()
  const config = `http: "127.0.0.1:${httpPort}"`
  return onServer({ config }, async (server) => {
    const { names, seconds: loading } = await load(server, namesMax)
    const memory = (): Promise<number> => memoryOf(httpPort)
    const rows: (readonly string[])[] = []
    const row = (what: string, figure: string): void => void rows.push([what, figure])
    row('server: memory after loading', megabytes(await memory()))
    // The kill comes right after all that was written, so the server has to look for itself.
    for (const how of ['kill', 'stop'] as const) {
      const stopping = await timed(() => server[how]())
      const starting = await timed(() => startAgain(server, names))
      const word = how === 'stop' ? 'an ordered stop' : 'a kill'
      if (how === 'stop') row('server: ordered stop', seconds(stopping))
      row(`server: start after ${word}`, seconds(starting))
      row(`server: memory after ${word} and start`, megabytes(await memory()))
    }
    const worker = await startWorker(server.url, 'grounding')
    row('worker: from start to work', seconds(worker.readySeconds))
    row('worker: memory', megabytes(worker.residentBytes))
    await worker.stop()
    for (const [what, times] of await readTimes(server.url)) {
      row(what, `${median(times).toFixed(1)} ms, longest ${quantile(times, 1).toFixed(1)} ms`)
    }
    row('server: memory after all reading', megabytes(await memory()))
    return {
      title: `a log of ${whole(names)} names on NATS`,
      head: ['what', 'measured'],
      rows,
      notes: [
        `messages, groundings and verdicts of ${whole(names / factsEach)} intents, all allowed,`,
        `made in ${loading.toFixed(0)} s by the stages themselves; a mirror holds them again`,
        'start is ready when the stream says that it has them all; memory is resident',
      ],
      targets: [],
    }
  })
}

async function load(
  server: NatsServer,
  namesMax: number,
): Promise<{ readonly names: number; readonly seconds: number }> {
  await makeLogOn(server)
  const deployment = await deployThere(server)
  const { state } = deployment.runtime.follower
  const start = performance.now()
  const took = (): number => (performance.now() - start) / 1_000
  // The session is at the beginning: what is read again is old.
  await answerAll(deployment, messages(deployment, sessionCount, session, ['bot']), outstanding)
  while (state.position < namesMax && took() < loadSecondsMax) {
    const count = Math.ceil(Math.min(step, (namesMax - state.position) / factsEach))
    await answerAll(deployment, messages(deployment, count), outstanding)
  }
  const loaded = { names: state.position, seconds: took() }
  await deployment.runtime.stop()
  return loaded
}

async function startAgain(server: NatsServer, names: number): Promise<void> {
  await server.start()
  const requests = new Requests(await NatsLink.open({ servers: server.url }))
  await until(async () => {
    const info = await streamInfo(requests, streamNames(place).log)
    return info !== null && info.state.messages >= names
  })
  requests.close()
  await requests.link.close()
}

async function readTimes(url: string): Promise<readonly (readonly [string, readonly number[]])[]> {
  const log = await jetStreamLog(await NatsLink.open({ servers: url }), { realm: place.realm })
  const { position } = await log.head()
  const sessions: number[] = []
  const followers: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    sessions.push((await timed(() => readSession(log))) * 1_000)
    followers.push((await timed(() => followFrom(log, position - atEnd))) * 1_000)
  }
  await log.close()
  return [
    [`reading a session of ${sessionCount}`, sessions],
    [`the first fact of a new follower, ${atEnd} from the end`, followers],
  ]
}

async function readSession(log: Log): Promise<void> {
  let count = 0
  for await (const _ of log.read({}, patternsOf(place, 'vlp', 'bot', session, '*'))) count += 1
  assert(count === sessionCount, 'the whole session is read')
}

async function followFrom(log: Log, from: number): Promise<void> {
  const stopping = new AbortController()
  for await (const { position } of log.follow(from, stopping.signal)) {
    assert(position === from, 'it begins where it was asked to')
    stopping.abort()
  }
}

const Served = z.object({ mem: z.number() })

/** What the server says of itself. */
async function memoryOf(httpPort: number): Promise<number> {
  // It looks at its own memory about once a second.
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  const answer = await fetch(`http://127.0.0.1:${httpPort}/varz`)
  return Served.parse(await answer.json()).mem
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1_000
}

function seconds(value: number): string {
  return `${value.toFixed(2)} s`
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`
}
