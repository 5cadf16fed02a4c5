// The resident process: it keeps the log of a project open, and answers the hooks of coding agents
// there, so that none of them has to open it. It holds no key of a person, decides nothing that
// another process would not, and ends by itself: when no one calls, and when the log, the program
// or its settings are no longer those that it was started with.
import { lstatSync, renameSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { once } from 'node:events'
import { hostNamed } from '#shell/hooks/hosts/hosts'
import { readHookTables, shippedHookSeeds } from '#judging/hook-seed'
import { parseJson } from '#record/json'
import { environment } from '#wiring/environment'
import type { Runtime } from '#runtime/engine/runtime'
import { usage } from '#cli/terminal/failure'
import { clientStages, withRuntime } from '#cli/terminal/opening/opened'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { packageRoot } from '#cli/terminal/opening/package-root'
import { hookDoorOver } from '../on-log.ts'
import { ownTables } from '../own-tables.ts'
import { isInput } from './evidence.ts'
import {
  askResident,
  memberAt,
  textAt,
  textFrom,
  type ResidentAnswer,
  type ResidentSelf,
} from './exchange.ts'
import {
  idleMs,
  madeFolder,
  residentPlace,
  startMark,
  type ResidentOf,
  type ResidentPlace,
} from './place.ts'

const lookMs = 2_000
const selfMs = 2_000
const quietMs = 20_000

/** Serves until it is to end. */
export async function serveResident(options: GlobalOptions & ResidentOf): Promise<void> {
  const place = residentPlace(options)
  if (place === null || !madeFolder(place.folder)) {
    throw usage(
      'there is no place for it: see `docs/agents/coding-agents.md`, The resident process',
    )
  }
  if (await isAnswered(place)) return
  const tables = await readHookTables(shippedHookSeeds(packageRoot()), ownTables(options.add))
  const stages = await clientStages(options)
  await withRuntime(options, { stages }, async (runtime) => {
    const asked = hookDoorOver(runtime, tables)
    try {
      const isSame = (): boolean => isStill(options, place)
      await served(runtime, { ...asked, place, free: tables.tools.free, isSame })
    } finally {
      asked.close()
    }
  })
}

async function isAnswered({ socket }: ResidentPlace): Promise<boolean> {
  return askResident(socket, { is: 'who' }, { waitMs: selfMs }).then(
    () => true,
    () => false,
  )
}

function isStill(options: ResidentOf, { socket }: ResidentPlace): boolean {
  return residentPlace(options)?.socket === socket
}

interface Serving extends ReturnType<typeof hookDoorOver> {
  readonly place: ResidentPlace
  /** The names that are free in the table of tools. */
  readonly free: string
  /** Whether what it was started with is still so. */
  readonly isSame: () => boolean
}

async function served(runtime: Runtime, serving: Serving): Promise<void> {
  const { place, isSame } = serving
  const ending = new AbortController()
  const end = (): void => ending.abort()
  const self = { is: 'self', version: place.version, pid: process.pid, file: place.file } as const
  const since = Date.now()
  let calls = 0
  let last = Date.now()
  const answer = async (question: unknown): Promise<ResidentAnswer | ResidentSelf> => {
    if (textAt(question, 'is') === 'who') return { ...self, since, calls }
    if (textAt(question, 'is') === 'end') end()
    else if (!isSame()) end()
    else if (textAt(question, 'version') === place.version) {
      last = Date.now()
      calls += 1
      return answered(serving, question)
    }
    return { is: 'elsewhere' }
  }
  const under = new Set<Promise<void>>()
  const server = createServer({ allowHalfOpen: true }, (connection) => {
    const one = exchanged(connection, answer).finally(() => under.delete(one))
    under.add(one)
  })
  // In its place at once, over what a killed one has left: of two the later stays.
  const half = `${place.socket}.${process.pid}`
  server.listen(half)
  await once(server, 'listening')
  renameSync(half, place.socket)
  // It has started: where it is killed the next call may start another at once.
  rmSync(startMark(place), { force: true })
  const own = inodeOf(place.socket)
  const looking = setInterval(() => {
    const isIdle = Date.now() - last >= idleMs(environment())
    if (isIdle || inodeOf(place.socket) !== own || !isSame()) end()
  }, lookMs)
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.once(signal, end)
  try {
    const ended = ending.signal.aborted ? null : once(ending.signal, 'abort')
    await Promise.race([ended, runtime.workers.then(() => ended)])
  } finally {
    clearInterval(looking)
    for (const signal of signals) process.off(signal, end)
    if (inodeOf(place.socket) === own) rmSync(place.socket, { force: true })
    server.close()
    await Promise.allSettled(under)
  }
}

function inodeOf(path: string): number | null {
  return lstatSync(path, { throwIfNoEntry: false })?.ino ?? null
}

async function exchanged(
  connection: Socket,
  answer: (question: unknown) => Promise<object>,
): Promise<void> {
  connection.on('error', () => undefined)
  // Who writes nothing does not hold up its end for ever.
  connection.setTimeout(quietMs, () => connection.destroy())
  try {
    connection.end(JSON.stringify(await answer(parseJson(await textFrom(connection)))))
  } catch {
    connection.destroy()
  }
}

/** What it cannot answer as the hook itself would is the hook's own. */
async function answered(
  { door, speaker, free }: Serving,
  question: unknown,
): Promise<ResidentAnswer> {
  const host = hostNamed(textAt(question, 'host') ?? '')
  const [text, root, nonce] = ['event', 'root', 'nonce'].map((name) => textAt(question, name))
  if (host === null || typeof text !== 'string' || typeof nonce !== 'string') {
    return { is: 'elsewhere' }
  }
  const observes = memberAt(question, 'observes') === true
  const by = { ...speaker(textAt(question, 'as')), observes, root: root ?? null, nonce }
  const found = await door.readable(host, parseJson(text), {
    ...by,
    isReadable: (event, args) => {
      const known = event.root ?? by.root
      return known !== null && isInput(args, { event, root: known, free })
    },
  })
  return found ?? { is: 'elsewhere' }
}
