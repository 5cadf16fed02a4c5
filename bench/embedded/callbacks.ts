// Real work, the airline's recorded conversations with their sessions, signed evidence and
// callbacks, against synthetic intents that need none of it: derived again by a replay, and
// while it happens.
import { join } from 'node:path'
import { sqliteLog } from '#log/sqlite/log'
import { assert } from '#record/fault'
import type { Callbacks } from '#ports/callbacks'
import { replay } from '#replay/replay'
import { stages } from '#workers/stages'
import { place } from '../../test/support/scene.ts'
import { answerAll, deploy, inFolder, messages } from '../deployment.ts'
import { ratioAtLeast, inRounds, sized, timed, type Bench } from '../harness.ts'
import { execFileSync } from 'node:child_process'
import { threadCallbacks } from '#runtime/callbacks/thread'
import { partsInRealm } from '#record/names'
import type { Kind } from '#schemas/kinds'
import type { Entry } from '#ports/log'
import { loadModule } from '#authoring/callback-store'
import { startRuntime } from '#wiring/open'
import type { Runtime } from '#runtime/engine/runtime'
import { packageRoot } from '#cli/terminal/opening/package-root'
import { testParts } from '../../test/support/runtime.ts'

const intents = sized(5_000)
const outstanding = 100
const rounds = 5

const [again, plainAgain] = ['the airline, by a replay', 'synthetic intents, by a replay']
const [live, plainLive] = ['the airline while it happens', 'synthetic intents as they come']
const aims = ratioAtLeast(0.4)

export const bench: Bench = {
  title: 'Real work: sessions, signed evidence, callbacks',
  run: () =>
    inFolder(async (folder) => {
      await answered(join(folder, 'log.db'))
      const airline = playedAirline(folder)
      const spoken = await spokenIn(airline)
      const callbacks = airlineCallbacks(airline)
      const ran = await inRounds(rounds, async (round) => {
        const paths = { real: join(folder, `real${round}.db`), other: join(folder, `${round}.db`) }
        const fresh = airlineCallbacks(airline)
        return {
          [again]: await derivedRate(airline, callbacks),
          [plainAgain]: await derivedRate(folder, callbacks),
          [live]: await saidAgain(spoken, { path: paths.real, callbacks: fresh }),
          [plainLive]: await answered(paths.other),
        }
      })
      await callbacks.close()
      return [
        ran.figure(again, 'derived facts/s', { against: plainAgain, aims }),
        ran.figure(live, 'derived facts/s', { against: plainLive, aims }),
      ]
    }),
}

/** Facts derived again a second. */
async function derivedRate(folder: string, callbacks: Callbacks): Promise<number> {
  const log = await sqliteLog(join(folder, 'log.db'))
  let count = 0
  const ms = await timed(async () => {
    const report = await replay({ log, place, rootKey: null, stages, callbacks })
    assert(report.differences === 0 && report.derived > 0, 'all is derived again, to the byte')
    count = report.derived
  })
  await log.close()
  return (count * 1_000) / ms
}

/** Facts derived a second, with as many outstanding as there are conversations at once. */
async function answered(path: string): Promise<number> {
  const runtime = await deploy(path)
  const entries = [...messages(runtime, intents)]
  const ms = await timed(() => answerAll(runtime, entries, outstanding))
  await runtime.stop()
  // A grounding and a verdict each.
  return (2 * intents * 1_000) / ms
}

// The airline's recorded conversations, played once as the demo plays them: a log of real work, and
// its messages and decisions again for a new log.

/** Plays all conversations into a new log and returns the log's folder. */
function playedAirline(folder: string): string {
  const root = packageRoot()
  const airline = join(folder, 'airline')
  const program = join(root, 'services', 'cli', 'main.ts')
  const args = [...process.execArgv, program, 'demo', '--log', airline, '--json']
  execFileSync(process.execPath, args, { cwd: root, stdio: 'ignore' })
  return airline
}

function airlineCallbacks(airline: string): Callbacks {
  return threadCallbacks((digest) => loadModule(airline, digest))
}

/** What agents, their tools and people said, by conversation; and what the log begins with. */
interface Spoken {
  readonly first: readonly Entry[]
  readonly conversations: readonly (readonly Entry[])[]
  /** How many facts stages derived from it. */
  readonly derived: number
}

async function spokenIn(airline: string): Promise<Spoken> {
  const log = await sqliteLog(join(airline, 'log.db'))
  const first: Entry[] = []
  const conversations = new Map<string, Entry[]>()
  let derived = 0
  for await (const { name, bytes } of log.read({})) {
    const parts = partsInRealm(name, 'main')
    const kind = parts?.kind
    if (kind === 'catalog' || kind === 'graph') {
      first.push({ name, bytes })
      continue
    }
    if (kind !== 'vlp' && kind !== 'decision') {
      derived += 1
      continue
    }
    const session = parts?.tokens[1] ?? ''
    const said = conversations.get(session) ?? []
    said.push({ name, bytes })
    conversations.set(session, said)
  }
  await log.close()
  return { first, conversations: [...conversations.values()], derived }
}

/** Says it all again in a new log, all conversations at once; facts derived a second. */
async function saidAgain(
  spoken: Spoken,
  { path, callbacks }: { readonly path: string; readonly callbacks: Callbacks },
): Promise<number> {
  const parts = { ...testParts(await sqliteLog(path), {}), callbacks }
  const runtime = await startRuntime(parts, stages)
  for (const entry of spoken.first) await runtime.log.append(entry)
  const bound = watched(runtime)
  const ms = await timed(() =>
    Promise.all(spoken.conversations.map((said) => converse(runtime, said, bound))),
  )
  await runtime.stop()
  return (spoken.derived * 1_000) / ms
}

/** Resolves when the fact of that kind about the intent is folded. */
type Bound = (kind: Kind, address: string) => Promise<void>

function watched({ follower }: Runtime): Bound {
  const folded = new Set<string>()
  const waiting = new Map<string, () => void>()
  follower.listen((_, { parts }) => {
    if (parts === null || parts.address === null) return
    const key = `${parts.kind} ${parts.address}`
    folded.add(key)
    waiting.get(key)?.()
  })
  return (kind, address) => {
    const key = `${kind} ${address}`
    return folded.has(key) ? Promise.resolve() : new Promise((resolve) => waiting.set(key, resolve))
  }
}

// As it was: a message is appended only once the call before it in the conversation was answered.
async function converse(runtime: Runtime, said: readonly Entry[], bound: Bound): Promise<void> {
  let asked: string | null = null
  for (const entry of said) {
    const parts = partsInRealm(entry.name, 'main')
    if (asked !== null) await bound(parts?.kind === 'decision' ? 'review' : 'verdict', asked)
    await runtime.log.append(entry)
    const isIntent = Buffer.from(entry.bytes).includes('"intent":{')
    if (parts?.kind === 'vlp') asked = isIntent ? parts.address : null
  }
  if (asked !== null) await bound('verdict', asked)
}
