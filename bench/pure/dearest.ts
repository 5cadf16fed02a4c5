// Searches for the dearest message that an agent may send: the CPU time of this process from
// publishing to the verdict, all stages together, for messages as large as allowed and made to be
// slow. Callbacks are their authors' and are left aside.
import { join } from 'node:path'
import { ulidIds } from '#adapters/system/ids'
import { operationsFromFile } from '#core/graph/graph-change'
import { GraphFile } from '#schemas/graph'
import { VlpMessage } from '#schemas/vlp'
import { messageLimits } from '#core/messages/check'
import { addressOf, nameOf } from '#core/kernel/names'
import { entryBytesMax, type Entry } from '#ports/log'
import { sqliteLog } from '#adapters/sqlite/log'
import { changeGraph, testRuntime, type TestRuntime } from '../../test/support/runtime.ts'
import { inFolder } from '../nats/deployment.ts'
import { median, type Report } from '../figures.ts'

const rounds = 5
const msMax = 20
const shownMax = 12
/** Primitives whose names share a word: what a concept may have to be searched among. */
const primitivesMax = 20_000
const primitivesOfChange = 500
const sessionMessages = 1_000
/** So much of an entry is left for its envelope. */
const bytesMax = entryBytesMax - 4_096
/** And so many values. */
const valuesMax = messageLimits.valuesMax - 32

type Fields = Readonly<Record<string, unknown>>

/** As many of them as fit into a message, each about so long in JSON and of so many values. */
function filled<T>(bytesEach: number, item: (index: number) => T, valuesEach = 1): T[] {
  const length = Math.floor(Math.min(bytesMax / bytesEach, valuesMax / valuesEach))
  return Array.from({ length }, (_, index) => item(index))
}

const words = (count: number): string => Array.from({ length: count }, () => 'orders').join(' ')
const longKey = (n: number): string => `${n}`.padStart(24, 'k')
const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) })

/** What an intent says, by what is dear about it. */
const intents: ReadonlyMap<string, Fields> = new Map<string, Fields>([
  ['nothing unusual', {}],
  ['more arguments than allowed', { args: { list: filled(3, () => ({})) } }],
  ['many small objects as arguments', { args: { list: filled(3, () => ({})) } }],
  ['many keys as arguments', { args: Object.fromEntries(filled(14, (n) => [`k${n}`, 1])) }],
  ['long keys as arguments', { args: Object.fromEntries(filled(32, (n) => [longKey(n), 1])) }],
  ['many numbers as arguments', { args: { list: filled(28, (n) => n / 7e5) } }],
  ['deep arguments', { args: { list: filled(400, () => nested(50), 51) } }],
  ['many texts as arguments', { args: { list: filled(31, (n) => `é\u0001${n}`.padEnd(18, 'x')) } }],
  ['long text of escapes as arguments', { args: { text: '\u0001'.repeat(bytesMax / 6) } }],
  ['keys out of order', { args: Object.fromEntries(filled(16, (n) => [`k${1e6 - n}`, 1])) }],
  ['numbers as keys', { args: Object.fromEntries(filled(16, (n) => [`${1e6 - n * 9}`, 1])) }],
  ['unknown concepts of common words', { concepts: filled(4_000, (n) => `orders q${n}`) }],
  ['concepts of many words', { concepts: filled(4_000, () => words(36)) }],
  ['known concepts', { concepts: filled(4_000, (n) => `order ${n}`) }],
  ['long prose', { goal: 'a\u0301 '.repeat(2_600), justification: 'é\u200b'.repeat(4_000) }],
  ['many constraints', { constraints: { list: filled(20, () => ({})).slice(0, 10_000) } }],
  ['a large scope', { scope: { list: filled(3, () => ({})) } }],
  ['keys of a scope', { scope: Object.fromEntries(filled(16, (n) => [`k${1e6 - n}`, 1])) }],
  ['keys in objects of a scope', { scope: { list: filled(30, (n) => ({ b: n, a: 1 }), 3) } }],
])

const name = (n: number): string => `main.1.vlp.bot.-.${String(n).padStart(26, '0')}`

/** What a message says around an intent. */
const envelopes: ReadonlyMap<string, Fields> = new Map<string, Fields>([
  ['many ids cited', { refers_to: filled(8, (n) => `m${n}`) }],
  ['many names cited', { refers_to: filled(46, name) }],
  ['much provenance', { provenance: filled(6, (n) => `p${n % 10}`) }],
  ['much provenance of objects', { provenance: filled(12, () => ({ ref: 'x' })) }],
  ['many constraints of the message', { constraints: filled(10, (n) => `c${n}`) }],
  ['many keywords', { keywords: filled(6, () => 'k') }],
  ['many issues', { safety: { level: 'safe', issues: filled(3, () => ({})) } }],
  ['large content', { content: { list: filled(3, () => ({})) } }],
  ['keys of content', { content: Object.fromEntries(filled(16, (n) => [`k${1e6 - n}`, 1])) }],
  ['large extras', { _extras: { list: filled(3, () => ({})) } }],
  ['unknown properties', Object.fromEntries(filled(14, (n) => [`x${n}`, 1]))],
])

/** Bytes that are no message, each as large as it may be. */
const bytes: ReadonlyMap<string, Uint8Array> = new Map<string, Uint8Array>([
  ['JSON that ends too early', Buffer.from(`{"a":[${filled(3, () => '{}').join(',')}`)],
  ['one key again and again', Buffer.from(`{${filled(6, () => '"a":1').join(',')}}`)],
  ['very long numbers', Buffer.from(`{"a":${'1'.repeat(bytesMax)}}`)],
  ['brackets alone', Buffer.from('['.repeat(bytesMax))],
  ['a long text', Buffer.from(`"${'x'.repeat(bytesMax)}"`)],
  ['bytes that are no UTF-8', Buffer.alloc(bytesMax, 0xc3)],
])

export function benchDearest(): Promise<Report> {
  return inFolder(async (folder) => {
    const on = await deployed(join(folder, 'log.db'))
    const found: { what: string; ms: number; longest: number; bytes: number }[] = []
    for (const [what, make] of await messagesOn(on)) {
      const times: number[] = []
      let size = 0
      for (let round = 0; round <= rounds; round += 1) {
        const entry = make()
        size = entry.bytes.length
        const ms = await cpuMsOf(on, entry)
        // The first one finds what no agent has asked before.
        if (round > 0) times.push(ms)
      }
      found.push({ what, ms: median(times), longest: Math.max(...times), bytes: size })
    }
    await on.runtime.stop()
    const dearest = found.toSorted((a, b) => b.ms - a.ms)
    const [worst] = dearest
    return {
      title: 'the dearest messages, milliseconds of CPU in all stages',
      head: ['message', 'bytes', 'ms', 'longest'],
      rows: dearest.slice(0, shownMax).map(({ what, ms, longest, bytes: size }) => {
        return [what, size, ms.toFixed(1), longest.toFixed(1)]
      }),
      notes: [`${found.length} kinds of messages, the median of ${rounds} rounds of each`],
      targets: [
        {
          claim: `no message costs more than ${msMax} ms`,
          met: worst !== undefined && worst.ms <= msMax,
          figures: `${worst?.what ?? ''}: ${worst?.ms.toFixed(1) ?? ''} ms`,
        },
      ],
    }
  })
}

async function deployed(path: string): Promise<TestRuntime> {
  const known = { level: 1 as const, properties: { what: 'known' } }
  const depths = [{ level: 0 as const }, known]
  const primitives = Array.from({ length: primitivesMax }, (_, n) => {
    return { name: `order ${n}`, depths: n < 100 ? depths : [{ level: 0 as const }] }
  })
  const catalog = {
    capabilities: [
      { id: 'look', safetyClass: 'READ' as const, argsSchema: { type: 'object' } },
      {
        id: 'know',
        safetyClass: 'READ' as const,
        concepts: ['order 1'],
        argsSchema: { type: 'object' },
      },
    ],
    limits: [{ safetyClass: 'READ' as const, uses: 'unlimited' as const, windowMs: 60_000 }],
  }
  const on = await testRuntime({ log: await sqliteLog(path), catalog })
  for (let from = 0; from < primitives.length; from += primitivesOfChange) {
    const some = primitives.slice(from, from + primitivesOfChange)
    const file = GraphFile.parse({ primitives: some })
    await changeGraph(on.runtime, ...operationsFromFile(file))
  }
  return on
}

type Make = () => Entry

async function messagesOn(on: TestRuntime): Promise<readonly (readonly [string, Make])[]> {
  const all: (readonly [string, Make])[] = []
  for (const [what, intent] of intents) {
    all.push([what, () => entryOf({ payload: { intent: { tool: 'look', ...intent } } })])
    all.push([
      `${what}, grounded`,
      () => entryOf({ payload: { intent: { tool: 'know', ...intent } } }),
    ])
  }
  const intent = { tool: 'look' }
  for (const [what, fields] of envelopes) {
    all.push([what, () => entryOf({ ...fields, payload: { intent } })])
  }
  for (const [what, text] of bytes) all.push([what, () => ({ ...entryOf({}), bytes: text })])
  const cited = await citable(on)
  all.push(['eight large messages cited', () => entryOf({ refers_to: cited, payload: { intent } })])
  const session = await longSession(on)
  const inSession = { session_id: session, payload: { intent } }
  all.push(['a long session', () => entryOf(inSession, session)])
  const ids = filled(8, (n) => `m${n}`)
  all.push([
    'many ids cited in a long session',
    () => entryOf({ ...inSession, refers_to: ids }, session),
  ])
  return all
}

const ids = ulidIds()

function entryOf(fields: Fields, session: string | null = null): Entry {
  const ulid = ids.next(Date.now())
  const message = {
    id: `MSG-${ulid}`,
    protocol: 'VLP/1.1',
    type: 'query',
    timestamp: '2026-01-01T00:00:00Z',
    sender: 'bot',
    content: 'may I',
    confidence: 0.5,
    ...fields,
  }
  const address = addressOf('bot', session, ulid)
  return { name: nameOf({ realm: 'main', era: 1 }, 'vlp', address), bytes: cut(message) }
}

/** Lists are shortened until the message fits. */
function cut(message: Fields): Uint8Array {
  const text = Buffer.from(JSON.stringify(message))
  if (text.length <= entryBytesMax) return text
  const shorter = JSON.stringify(message, (_, value: unknown) => {
    return Array.isArray(value) && value.length > 64 ? value.slice(0, value.length * 0.9) : value
  })
  const parsed: unknown = JSON.parse(shorter)
  return cut(VlpMessage.parse(parsed))
}

async function citable({ log }: TestRuntime): Promise<readonly string[]> {
  const names: string[] = []
  for (let n = 0; n < 8; n += 1) {
    const list = filled(6, () => ({})).slice(0, 20_000)
    const entry = entryOf({ type: 'notice', content: { list } })
    await log.append(entry)
    names.push(entry.name)
  }
  return names
}

async function longSession({ log }: TestRuntime): Promise<string> {
  const session = 'S-2026-01-01-bot-abcdef'
  const said = { type: 'notice', session_id: session }
  const all = Array.from({ length: sessionMessages }, () => log.append(entryOf(said, session)))
  await Promise.all(all)
  return session
}

/** CPU of this process, all threads, until there is a verdict. */
async function cpuMsOf({ runtime }: TestRuntime, entry: Entry): Promise<number> {
  const before = process.cpuUsage()
  await new Promise<void>((resolve, reject) => {
    const address = entry.name.split('.').slice(3).join('.')
    const stop = runtime.follower.listen((fact, { parts, void: why }) => {
      const hasEnded = parts?.kind === 'verdict' && parts.address === address
      if (!hasEnded && (fact.name !== entry.name || why === null)) return
      stop()
      resolve()
    })
    runtime.log.append(entry).catch(reject)
  })
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
