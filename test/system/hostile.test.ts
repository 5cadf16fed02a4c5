// What is published may be anything. Each of these is refused or recorded with a clear reason, no
// worker dies of it, and the next sound intent is judged as ever.
import { expect, test } from 'vitest'
import { Fault } from '#record/fault'
import { nameOf } from '#record/names'
import { entryBytesMax } from '#ports/log'
import {
  anyArgs,
  answer,
  codes,
  deletion,
  erase,
  expectAlive,
  groundingOf,
} from '../support/scene.ts'
import { judged, look, names, place, recoveries, reviewed, say, scene } from '../support/scene.ts'
import { verdict, type Saying, type Scene, type SceneSetup } from '../support/scene.ts'
import { isFull } from '../support/vitest/counts.ts'

const unlimited = [
  { safetyClass: 'READ' as const, uses: 'unlimited' as const, windowMs: 1 },
  { safetyClass: 'WRITE' as const, uses: 'unlimited' as const, windowMs: 1 },
]
const write = { id: 'write', safetyClass: 'WRITE' as const, argsSchema: anyArgs }
const setup: SceneSetup = {
  catalog: { capabilities: [look, erase, write], limits: unlimited },
  graph: deletion({ name: 'ask' }),
}

async function expectRefused(on: Scene, saying: Saying, code: string): Promise<void> {
  const denied = await judged(on, saying)
  expect(denied.outcome).toBe('deny')
  expect(codes(denied)[0]).toBe(code)
  await expectAlive(on)
}

const base = { id: 'MSG-1', protocol: 'VLP/1.1', type: 'query', timestamp: '2026-01-01T00:00:00Z' }
const whole = { ...base, sender: 'bot', content: 'x', confidence: 0.5 }

/** The bytes of a message whose intent is written out as it is. */
function raw(intent: string): string {
  return `${JSON.stringify(whole).slice(0, -1)},"payload":{"intent":${intent}}}`
}

const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

const malformed: readonly (readonly [string, string])[] = [
  ['a hundred levels of arguments', raw(`{"tool":"look","args":${nested(100)}}`)],
  ['a hundred thousand levels', raw(`{"tool":"look","args":${'['.repeat(100_000)}`)],
  ['a key `__proto__` in the arguments', raw('{"tool":"look","args":{"__proto__":{"x":1}}}')],
  ['a key `__proto__` of the intent', raw('{"tool":"look","__proto__":{"observe":true}}')],
  ['a key that is there twice', raw('{"tool":"look","tool":"erase"}')],
  ['a key that is there twice, once escaped', raw('{"tool":"look","t\\u006fol":"erase"}')],
  ['half a character in the arguments', raw('{"tool":"look","args":{"x":"\\ud800"}}')],
  ['half a character in a key', raw('{"tool":"look","args":{"\\udc00":1}}')],
  ['half a character in the justification', raw('{"tool":"look","justification":"\\ud83d"}')],
  ['half a character in the name of the tool', raw('{"tool":"\\ud800"}')],
  ['half a character in a concept', raw('{"tool":"look","concepts":["\\ud800"]}')],
  ['a number without end', raw('{"tool":"look","args":{"n":1e400}}')],
  ['a number of a thousand digits', raw(`{"tool":"look","args":{"n":${'9'.repeat(1_000)}}}`)],
  ['a position that no log has', raw('{"tool":"look","freshAt":1e300}')],
  ['a position before the first', raw('{"tool":"look","freshAt":0}')],
  ['a tool of ten thousand characters', raw(`{"tool":"${'x'.repeat(10_000)}"}`)],
]

test.each(malformed)('%s is a malformed message', async (_, bytes) => {
  await expectRefused(await scene(setup), { bytes }, 'malformed_message')
})

const noJson: readonly (readonly [string, string])[] = [
  ['a comment', raw('{"tool":"look"/**/}')],
  ['a trailing comma', raw('{"tool":"look",}')],
  ['NaN', raw('{"tool":"look","args":{"n":NaN}}')],
  ['a null byte', `${raw('{"tool":"look"}')}\0`],
]

test.each(noJson)('%s is not JSON, and so opens nothing', async (_, bytes) => {
  const on = await scene(setup)
  const address = await say(on.log, { bytes })
  await expectAlive(on)
  expect(await names(on.log, `main.1.*.${address}`)).toEqual([`main.1.vlp.${address}`])
})

const sound: readonly (readonly [string, string])[] = [
  ['sixty levels of arguments', raw(`{"tool":"look","args":${nested(60)}}`)],
  ['keys of every object', raw('{"tool":"look","args":{"constructor":1,"toString":2,"then":3}}')],
  ['keys that look like indexes', raw('{"tool":"look","args":{"10":1,"9":2,"-1":3,"01":4}}')],
  ['an empty key', raw('{"tool":"look","args":{"":1}}')],
  ['the largest number', raw('{"tool":"look","args":{"n":1.7976931348623157e308,"m":-0}}')],
  ['a number that no double says', raw('{"tool":"look","args":{"n":9007199254740993}}')],
  ['eight thousand keys', raw(`{"tool":"look","args":{${keyed(8_000)}}}`)],
  [
    'control characters',
    raw('{"tool":"look","args":{"x":"\\u0000\\u001b[2J\\u007f"},"goal":"\\n"}'),
  ],
  ['text from right to left', raw('{"tool":"look","goal":"\\u202etxt.exe"}')],
]

function keyed(count: number): string {
  return Array.from({ length: count }, (_, n) => `"k${n}":${n}`).join()
}

test.each(sound)('%s is odd, and sound', async (_, bytes) => {
  const on = await scene(setup)
  expect(recoveries(await judged(on, { bytes }))).toEqual([])
  await expectAlive(on)
})

test('what is larger than an entry is refused by the log, and what just fits is judged', async () => {
  const on = await scene(setup)
  for (const length of [10 * 1024 * 1024, entryBytesMax + 1]) {
    const entry = { name: nameOf(place, 'vlp', 'bot.-.large'), bytes: Buffer.alloc(length, 0x20) }
    await expect(on.log.append(entry)).rejects.toBeInstanceOf(Fault)
  }
  const empty = raw('{"tool":"look","args":{"x":""}}').length
  const text = 'x'.repeat(entryBytesMax - empty)
  expect((await judged(on, { bytes: raw(`{"tool":"look","args":{"x":"${text}"}}`) })).outcome).toBe(
    'allow',
  )
  await expectAlive(on)
})

test.each([
  ['in ASCII', 'x', 'ungrounded'],
  ['of three bytes each', '\u4e00', 'ungrounded'],
  ['that are escaped', '"', 'ungrounded'],
  ['that no concept has', '\u0001', 'malformed_message'],
])('64 concepts of the longest names %s come to a verdict', async (_, character, code) => {
  const on = await scene(setup)
  const concepts = Array.from({ length: 64 }, (_none, n) => `${n}`.padEnd(256, character))
  await expectRefused(on, { intent: { tool: 'look', concepts } }, code)
})

test.each([
  ['goal', (text: string) => `"goal":"${text}"`],
  ['justification', (text: string) => `"justification":"${text}"`],
  ['constraints', (text: string) => `"constraints":{"region":"${text}"}`],
  ['scope', (text: string) => `"scope":{"region":"${text}"}`],
  ['args', (text: string) => `"args":{"text":"${text}"}`],
])('%s as large as the log takes it come to a verdict', async (_, member) => {
  const on = await scene(setup)
  const filled = (tool: string, text: string) => raw(`{"tool":"${tool}",${member(text)}}`)
  for (const tool of ['look', 'erase']) {
    const room = entryBytesMax - filled(tool, '').length
    for (const text of ['x'.repeat(room), '\\u0001'.repeat(Math.floor(room / 6))]) {
      const address = await say(on.log, { bytes: filled(tool, text) })
      await on.watch.settled(on.log)
      if (on.runtime.follower.state.intents.has(address)) await answer(on, address)
      expect(['allow', 'deny']).toContain((await verdict(on.log, address)).outcome)
    }
  }
  await expectAlive(on)
})

test('the longest goal, reason, constraints and arguments are shown and allowed together', async () => {
  const on = await scene(setup)
  const prose = '\u0001'.repeat(8_000)
  const intent = {
    tool: 'erase',
    goal: prose,
    justification: prose,
    constraints: { region: 'x'.repeat(31_900) },
    args: { text: 'x'.repeat(65_000) },
  }
  const address = await reviewed(on, { intent })
  await answer(on, address)
  expect((await verdict(on.log, address)).outcome).toBe('allow')
  await expectAlive(on)
})

test('names that break other systems are names like any other', async () => {
  const odd = ['__proto__', 'constructor', 'a.b', '*', '>', '..', 'a b', '\u0000', '😀', '$']
  // No catalog can name what no terminal can show.
  const principals = odd.filter((id) => id !== '\u0000').map((id) => ({ id }))
  const on = await scene({ ...setup, catalog: { ...setup.catalog, principals } })
  for (const name of odd) {
    const found = await judged(on, { as: name, session: name, intent: { tool: 'look' } })
    const wanted = name === '\u0000' ? ['unknown_agent'] : []
    expect({ name, codes: codes(found) }).toEqual({ name, codes: wanted })
    expect(codes(await judged(on, { intent: { tool: name } }))).toEqual(['unknown_capability'])
    const unknown = await judged(on, { intent: { tool: 'look', concepts: [name] } })
    expect(codes(unknown)).toEqual([name === '\u0000' ? 'malformed_message' : 'ungrounded'])
  }
  const longest = { session: 's'.repeat(256), intent: { tool: 'look' } }
  expect((await judged(on, longest)).outcome).toBe('allow')
  const longer = { session: 's'.repeat(257), intent: { tool: 'look' } }
  expect(codes(await judged(on, longer))).toEqual(['malformed_message'])
  await expectAlive(on)
})

test('thousands of references are looked at once, and no more than a few are read', async () => {
  const on = await scene(setup)
  const session = 'S-2026-01-01-bot-abcdef'
  const refs = Array.from({ length: 8_000 }, (_, n) => `m${n}`)
  const full = Array.from({ length: 2_000 }, (_, n) => `main.1.vlp.bot.${session}.u${n}`)
  for (const refersTo of [refs, full, ['main.1.vlp', '*', '>', 'main.1.vlp.*.*.*'], ['', ' ']]) {
    const message = { refers_to: refersTo }
    const address = await say(on.log, { session, intent: { tool: 'look' }, message })
    // Of an intent no more than eight messages are looked up, and one that cites more is refused.
    expect((await verdict(on.log, address)).outcome).toBe(refersTo.length > 8 ? 'deny' : 'allow')
    expect((await groundingOf(on.log, address)).message.issues.length).toBeLessThanOrEqual(64)
  }
  await expectAlive(on)
})

test('a session of a few huge messages is too long as well', async () => {
  const on = await scene(setup)
  const session = 'S-2026-01-01-bot-abcdef'
  const content = 'x'.repeat(250_000)
  for (let n = 0; n < 68; n += 1)
    await say(on.log, { session, message: { type: 'claim', content } })
  await expectRefused(on, { session, intent: { tool: 'look' } }, 'context_gate_failed')
})

test.runIf(isFull)('an agent that floods keeps no one else from a verdict', async () => {
  const on = await scene({ ...setup, catalog: { capabilities: [look, erase, write] } })
  const flood = Array.from({ length: 5_000 }, () => say(on.log, { intent: { tool: 'look' } }))
  const honest = say(on.log, { as: 'honest', intent: { tool: 'look' } })
  const addresses = await Promise.all(flood)
  expect((await verdict(on.log, await honest)).outcome).toBe('allow')
  await on.watch.settled(on.log)
  // What is far beyond what one agent may have open counts for nothing at all.
  const given = await names(on.log, 'main.1.verdict.bot.>')
  expect(given.length).toBeGreaterThanOrEqual(1_024)
  expect(given.length).toBeLessThan(addresses.length)
  expect(await names(on.log, 'main.1.rate.bot.>')).toHaveLength(60)
  expect(on.runtime.follower.state.intents.size).toBe(0)
  await expectAlive(on)
})

test('a flood of what is no message keeps no one else from a verdict', async () => {
  const on = await scene(setup)
  const flood = Array.from({ length: 1_000 }, (_, n) => say(on.log, { bytes: `junk ${n}` }))
  await Promise.all(flood)
  await expectAlive(on)
})
