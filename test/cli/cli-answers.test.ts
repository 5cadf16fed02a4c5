// What a person is reported before and after: how to close a gap by pasting, why an answer would
// not count, what a review shows, and what a verdict says.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { graphFromFile } from '#knowledge/graph/graph'
import { applyChange } from '#knowledge/graph/graph-change'
import { ground } from '#knowledge/grounding/ground'
import { graphDifference } from '#authoring/changes/seed-operations'
import { fixesOf } from '#present/fixes'
import { plainTexts } from '#present/lines'
import { duration } from '#present/wording'
import type { OpenIntent } from '#state/intent'
import { waitsOf } from '#present/story/waits-of'
import { GraphFile } from '#schemas/graph'
import { emptyCatalog } from '#rules/catalog/catalog'
import { answerFault, type IntendedAnswer } from '#cli/people/answer/answer-fault'
import { reviewRow, reviewsOnScreen } from '#operations/reviews'
import { reviewLines } from '#cli/people/reviews/print'
import { verdictLines, waitsLines } from '#cli/agents/ask/answer'
import { remediesOf } from '#present/remedy'
import { pairs } from '#cli/terminal/opening/options'
import { judge } from '#rules/chain/judge'
import { Capability, JsonObject } from '#schemas/catalog'
import { deletion, erase, reason, reviewed, scene, say, verdict } from '../support/scene.ts'

const hints = (command: string) => `warrant ${command}`
const text = (line: string | { readonly text: string }) =>
  typeof line === 'string' ? line : line.text

describe('a gap is closed by what is pasted', () => {
  const known = { level: 1, properties: { what: 'known' } }
  const relating = (targetDepth: number) => ({
    ...known,
    relata: [{ type: 'APPLIES_TO', target: 'file', targetDepth }],
  })
  const file = (...depths: object[]) => ({ name: 'file', depths: [{ level: 0 }, ...depths] })
  const burn = (...depths: object[]) => ({ name: 'burn', depths: [{ level: 0 }, ...depths] })

  /** The seed file with each piece where its fix says it goes. */
  function pasted(seed: GraphFile, concepts: readonly string[], minDepth?: number) {
    const graph = graphFromFile(seed)
    const asked = { concepts, profile: 'strict' as const, minDepth }
    const answer = { ...ground(graph, asked), concepts: [...concepts] }
    const whole = minDepth === undefined ? answer : { ...answer, minDepth }
    const next: { primitives: { name: string; depths: unknown[] }[] } = structuredClone(seed)
    for (const { where, pieces } of fixesOf(graph, whole)) {
      const name = /`(burn|file)`/.exec(where ?? '')?.[1]
      const primitive = next.primitives.find((one) => one.name === name)
      if (where === 'into `primitives`') Object(next).primitives.push(...pieces)
      else if (where?.startsWith('into `depths`')) primitive?.depths.push(...pieces)
      else Object(primitive?.depths.at(-1)).relata = pieces
    }
    const fixed = GraphFile.parse(next)
    const steps = graphDifference(graph, fixed).pieces.flat(2)
    const applied = applyChange(
      graph,
      steps.map(({ operation }) => operation),
    )
    if ('refused' in applied) throw new Error(applied.refused.message)
    return { gaps: answer.gaps.map(({ kind }) => kind), after: ground(applied.graph, asked) }
  }

  test.each([
    ['nothing is known', []],
    ['the action is known', [burn(known)]],
    ['what it acts on is known', [file(known)]],
    ['both are known', [file(known), burn(known)]],
  ])('by an edge from the action to what it acts on, where %s', (_, primitives) => {
    const graph = graphFromFile(GraphFile.parse({ primitives }))
    const asked = { concepts: ['burn', 'file'], added: [], profile: 'strict' as const }
    const fixes = fixesOf(graph, { ...ground(graph, asked), ...asked })
    const edge = { type: 'APPLIES_TO', target: 'file', targetDepth: 1 }
    const text = JSON.stringify(fixes)
    expect(text).toContain(JSON.stringify(edge))
    expect(text).not.toContain('"target":"burn"')
    // It stands in what is written about the action.
    const holder = fixes.find(({ pieces }) => JSON.stringify(pieces).includes('APPLIES_TO'))
    expect(JSON.stringify([holder?.where, holder?.pieces])).toContain('burn')
  })

  test.each([
    ['what no one has named', [file(known)], ['burn', 'file'], undefined],
    ['nothing of it named', [], ['burn', 'file'], undefined],
    ['what an action that is known acts on', [burn(known)], ['burn', 'file'], undefined],
    ['what is unknown and asked for deeply', [file(known)], ['burn'], 3],
    ['what is not known deeply enough', [file(known)], ['file'], 2],
    ['what an edge wants deeper', [file(), burn(relating(1))], ['burn', 'file'], undefined],
    ['what does not hang together', [file(known), burn(known)], ['burn', 'file'], undefined],
  ])('%s', (_, primitives, concepts, minDepth) => {
    const { gaps, after } = pasted(GraphFile.parse({ primitives }), concepts, minDepth)
    expect(gaps.length).toBeGreaterThan(0)
    expect(after.gaps).toEqual([])
    expect(after.grounded).toBe(true)
  })

  test.each(['description', 'is'])('with what people have written of it (%s)', (key) => {
    const level = { level: 1, properties: { other: 'x', [key]: 'a text with a name' } }
    const graph = graphFromFile(GraphFile.parse({ primitives: [file(level), burn(known)] }))
    const concepts = ['file']
    const deeper = ground(graph, { concepts, profile: 'strict', minDepth: 2 })
    const [deep] = fixesOf(graph, { ...deeper, concepts, minDepth: 2 })
    expect(deep?.text).toMatch(/^`file` \(“a text with a name”\) is known down to D1/)
    const both = { concepts: ['burn', 'file'], profile: 'strict' as const }
    const texts = fixesOf(graph, { ...ground(graph, both), concepts: both.concepts })
    expect(texts.map(({ text: of }) => of).join()).toContain(
      '`file` (“a text with a name”) is not related',
    )
  })

  test('unless several are meant: then it names them', () => {
    const primitives = [
      { name: 'leaf', depths: [{ level: 0 }] },
      { name: 'leave', depths: [{ level: 0 }] },
    ]
    const graph = graphFromFile(GraphFile.parse({ primitives }))
    const answer = ground(graph, { concepts: ['leaves'], profile: 'strict' })
    const [fix] = fixesOf(graph, { ...answer, concepts: ['leaves'] })
    expect(fix).toMatchObject({ where: null, pieces: [] })
    expect(fix?.text).toContain('`leaf` or `leave`')
  })
})

const asksFirst = { name: 'ask-first', confirmationMessage: 'May I {action} it?' }
const setup = { catalog: { capabilities: [erase] }, graph: deletion(asksFirst) }
const erasing = { tool: 'erase', args: { path: '/a' }, justification: reason }

describe('an answer that would count for nothing', () => {
  async function intended(changed: Partial<IntendedAnswer> = {}) {
    const on = await scene(setup)
    const address = await reviewed(on, { intent: erasing })
    const { state } = on.runtime.follower
    const intent = state.intents.get(address)
    if (intent?.review === null || intent === undefined) throw new Error('no one was asked')
    const publicKey = state.catalog.principals.get('olga')?.keys[0] ?? ''
    const signer = { id: 'olga', publicKey }
    const { catalog } = state
    const given = { intent, review: intent.review, catalog, signer, answers: [true] }
    return { ...given, note: undefined, inPlaceOf: undefined, now: on.time.now, ...changed }
  }

  test('is reported before it is signed', async () => {
    const fine = await intended()
    expect(answerFault(fine)).toBeNull()
    const { signer, review, intent } = fine
    const until = review.decideBy
    expect(answerFault({ ...fine, now: until })).toBeNull()
    expect(answerFault({ ...fine, now: until + 1 })).toContain('too late: it expired')
    expect(answerFault({ ...fine, signer: { ...signer, id: 'piet' } })).toContain('`olga` may')
    const other = { ...signer, publicKey: 'ed25519:other' }
    expect(answerFault({ ...fine, signer: other })).toContain('does not bind this key')
    expect(answerFault({ ...fine, answers: [true, true] })).toContain('asks 1 question')
    expect(answerFault({ ...fine, catalog: emptyCatalog })).toContain('not in the catalog')
    const decided = { data: { confirmer: 'olga' } }
    const twice: OpenIntent = Object.assign({}, intent, { decisions: [decided] })
    expect(answerFault({ ...fine, intent: twice })).toContain('answered it already')
  })

  test('learns where a reason is asked for, and of which answer', async () => {
    const fine = await intended()
    const review = { ...fine.review, asksReason: true }
    const asked = { ...fine, review }
    expect(answerFault(asked)).toContain('give --note')
    expect(answerFault({ ...asked, note: 'x'.repeat(14) })).toContain('give --note')
    expect(answerFault({ ...asked, note: 'x'.repeat(15) })).toBeNull()
    expect(answerFault({ ...asked, answers: [false] })).toBeNull()
    const reasoned = {
      ...fine,
      review: { ...fine.review, demands: { reason: 'decline' as const } },
    }
    expect(answerFault(reasoned)).toBeNull()
    expect(answerFault({ ...reasoned, answers: [false] })).toContain('at least 1 character:')
    expect(answerFault({ ...reasoned, answers: [false], note: 'no' })).toBeNull()
  })
})

describe('what is shown', () => {
  test('of each of several reviews is two lines, whatever it asks', async () => {
    const on = await scene(setup)
    const intent = await reviewed(on, { intent: erasing })
    const { log, follower } = on.runtime
    const { state } = follower
    const open = state.intents.get(intent)
    const row = open === undefined ? null : await reviewRow({ log, state }, open, on.time.now)
    if (row === null) throw new Error('no one was asked')
    const page = { position: 1, now: new Date(on.time.now).toISOString(), count: 1, next: null }
    const values = fc.oneof(fc.string(), fc.integer(), fc.array(fc.string()))
    const asked = fc.record({ args: fc.dictionary(fc.string(), values), says: fc.string() })
    fc.assert(
      fc.property(asked, ({ args, says }) => {
        const terms = { ...row.review.terms, args: { path: '/a', ...args } }
        const questions = row.review.questions.map((one) => ({ ...one, message: `${says} Go on?` }))
        const shown = { ...row, review: { ...row.review, terms, questions } }
        const lines = plainTexts(reviewsOnScreen({ ...page, rows: [shown] }))
        expect(lines).toHaveLength(2)
        for (const line of lines) expect(line).not.toMatch(/[\n\r]/)
        expect(lines[0]?.length).toBeLessThanOrEqual(intent.length + 72)
        expect(lines[1]).toContain('left; approval from `olga`')
      }),
    )
  })

  test('of a review is all that a person needs', async () => {
    const on = await scene(setup)
    const intent = await reviewed(on, { intent: { ...erasing, goal: 'tidy\u202e up' } })
    const { log, follower } = on.runtime
    const { state } = follower
    const open = state.intents.get(intent)
    const row = open === undefined ? null : await reviewRow({ log, state }, open, on.time.now)
    if (row === null) throw new Error('no one was asked')
    const { review } = row
    const lines = reviewLines({ ...row, answered: ['olga'] }, on.time.now + 60_000, hints).map(text)
    const whole = lines.join('\n')
    for (const part of [
      'erase for bot',
      '1 min ago; 14 min left',
      '{ "path": "/a" }',
      'bot, the agent of olga',
      reason,
      'May I delete it? (rule `ask-first` on `delete` → `file`)',
      'may answer  olga, its owner',
      'answered    olga',
      'known       ● ●  delete',
      `${review.digest.slice(0, 19)}…`,
      `warrant approve ${intent}`,
    ]) {
      expect(whole).toContain(part)
    }
  })

  test('of a verdict is each reason, and that an observed one stops nothing', async () => {
    const on = await scene(setup)
    const address = await say(on.log, { intent: { tool: 'erase', args: 1, observe: true } })
    const found = await verdict(on.log, address)
    const shown = {
      agent: 'bot',
      tool: 'erase',
      safetyClass: null,
      fixes: [],
      remedies: [],
      seedFolder: 'warrant',
      placeOf: () => 'warrant/catalog.json',
      hints,
    }
    const denied = verdictLines({ ...shown, verdict: found })
      .map(text)
      .join('\n')
    expect(denied).toContain('DENY   erase for bot')
    expect(denied).toContain('malformed_message')
    const observed = verdictLines({ ...shown, verdict: { ...found, observed: true } })
    expect(observed[0]).toMatchObject({ tone: 'warn', text: expect.stringContaining('OBSERVED') })
  })

  test('of an open intent is whom it waits for, and how they answer', async () => {
    const on = await scene(setup)
    const intent = await reviewed(on, { intent: erasing })
    const { state } = on.runtime.follower
    const open = state.intents.get(intent)
    if (open === undefined) throw new Error('it is not open')
    const waits = waitsOf(state, open, on.time.now)
    expect(waits).toMatchObject({ for: 'people', people: ['olga'], reason: false })
    const asked = { intent, tool: 'erase', agent: 'bot', hints }
    const lines = waitsLines(waits, asked).map(text).join('\n')
    expect(lines).toContain(`answer it   warrant approve ${intent}\n`)
    // One moment after the last, it waits for the stage and not for people.
    expect(waitsOf(state, open, waits.until ?? 0).for).toBe('people')
    expect(waitsOf(state, open, (waits.until ?? 0) + 1)).toMatchObject({
      for: 'confirmation',
      people: [],
    })
    const held = { ...open, review: null, hold: { attempt: 1, until: on.time.now + 1 } }
    expect(waitsOf(state, held, on.time.now).for).toBe('learning')
    expect(waitsOf(state, held, on.time.now + 1).for).toBe('policy')
    expect(waitsOf(state, { ...held, grounding: null }, on.time.now).for).toBe('grounding')
  })

  test.each([
    [0, '0 ms'],
    [999, '999 ms'],
    [1_000, '1 s'],
    [1_250, '1.2 s'],
    [59_999, '59.9 s'],
    [60_000, '1 min'],
    [61_000, '1 min 1 s'],
    [3_600_000, '1 h'],
    [90_061_000, '1 d 1 h'],
    [-5, '0 ms'],
  ])('of %i ms is %s', (ms, words) => {
    expect(duration(ms)).toBe(words)
  })
})

test('a capability that is misspelt is named as it was meant, where one is near', async () => {
  const on = await scene({ catalog: { capabilities: [erase] } })
  const { catalog } = on.runtime.follower.state
  const remedies = async (tool: string) => {
    const { reasons } = await verdict(on.log, await say(on.log, { intent: { tool } }))
    expect(reasons[0]?.code).toBe('unknown_capability')
    return remediesOf(catalog, { agent: 'bot', tool, reasons })
  }
  expect(await remedies('eraes')).toEqual([{ what: 'Did you mean `erase`?', command: 'ask erase' }])
  expect(await remedies('moon')).toEqual([])
})

test('where a tool takes text, a value that was read as JSON is shown as that text', () => {
  const argsSchema = { type: 'object', properties: { order: { type: ['string', 'null'] } } }
  const refund = Capability.parse({ id: 'refund', safetyClass: 'READ', argsSchema })
  const capabilities = new Map([['refund', refund]])
  const asked = (value: string) => {
    const args = JsonObject.parse(pairs(`order=${value}`))
    const judged = judge({ principal: null, capability: refund, request: { args }, violations: [] })
    const reasons = judged.reasons.filter(({ code }) => code === 'invalid_arguments')
    const of = { agent: 'bot', tool: 'refund', reasons, args }
    return remediesOf({ principals: new Map(), capabilities }, of)
  }
  for (const value of ['1', 'true', '1.50', '[1]', '{"a":"it"}']) {
    const [remedy] = asked(value)
    const command = remedy !== undefined && 'command' in remedy ? remedy.command : ''
    const written = /^ask refund --arg '(?<pair>.*)'$/.exec(command)?.groups?.['pair'] ?? ''
    const text = JSON.stringify(JSON.parse(value))
    expect(pairs(written)).toEqual({ order: text })
  }
  expect(asked('one')).toEqual([])
  expect(asked('null')).toEqual([])
})
