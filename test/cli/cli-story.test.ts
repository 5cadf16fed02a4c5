// The story of one intent: what a manager reads is what the log says, in order, with what counts
// for nothing reported as that.
import { describe, expect, test } from 'vitest'
import type { Story } from '#present/story/story'
import { phraseOf } from '#present/story/sentences'
import { plainTexts } from '#present/lines'
import { stepsOf, storyOnScreen, tracedIn } from '#operations/traces'
import {
  anyArgs,
  answer,
  bind,
  bound,
  deletion,
  erase,
  forge,
  judged,
  look,
  place,
  reason,
  reviewed,
  say,
  scene,
  verdict,
  type Scene,
} from '../support/scene.ts'

async function storyIn({ log, time }: Scene, address: string): Promise<Story> {
  return (await tracedIn({ log, place, now: time.now, deciders: null }, address)).story
}

const linesOf = (story: Story) => storyOnScreen({ ...story, steps: stepsOf(story, []), next: null })

const titles = ({ steps }: Story) => steps.map(({ title }) => title)
const detailsOf = ({ steps }: Story, title: string) =>
  steps.find((step) => step.title === title)?.details ?? []

const asksFirst = { name: 'ask-first', confirmationMessage: 'May I {action} it?' }
const erasing = { tool: 'erase', args: { path: '/a' }, goal: 'tidy up', justification: reason }

describe('the story of a denial', () => {
  test('shows who wanted what and why, what is missing, and what would help', async () => {
    const on = await scene({ catalog: { capabilities: [{ ...erase, concepts: ['burn'] }] } })
    const { intent } = await judged(on, { intent: erasing })
    const story = await storyIn(on, intent)
    expect(story.summary).toContain('`bot` asked to use `erase`: denied, because ')
    expect(titles(story)).toEqual([
      '`bot` asks to use `erase`',
      'What it needs is not all known',
      'Denied',
    ])
    expect(detailsOf(story, '`bot` asks to use `erase`')).toEqual([
      'with: {"path":"/a"}',
      'goal: “tidy up”',
      `reason: “${reason}”`,
    ])
    expect(detailsOf(story, 'What it needs is not all known')).toEqual([
      '✗  burn',
      '  └ ✗ is not in the graph: add it',
      'not grounded: 1 gap',
    ])
    expect(detailsOf(story, 'Denied').join(' ')).toContain('It can be allowed once this is known')
  })

  test('of bytes that are no message reports that, and hides no byte of them', async () => {
    const on = await scene()
    const address = await say(on.log, { bytes: '{"id":"\\u001b[2J"}' })
    await verdict(on.log, address)
    const story = await storyIn(on, address)
    expect(story.summary).toMatch(/^`bot` sent an invalid message: denied, /)
    expect(titles(story)[1]).toBe('The message is not valid')
    expect(plainTexts(linesOf(story)).join('\n')).not.toContain('\u001b')
  })
})

describe('the story of a question to people', () => {
  const setup = {
    catalog: {
      capabilities: [{ ...erase, confirmation: 'two' }],
      groups: [{ id: 'desk', members: ['piet', 'quin', 'bot'] }],
      confirmations: [
        { id: 'two', tier: 'four_eyes' as const, sessionless: true, group: 'desk', quorum: 2 },
      ],
    },
    graph: deletion(asksFirst, { name: 'checked', requiresConfirmation: false, callback: 'ok' }),
    module: `export const ok = () => ({ passed: true, message: 'the ticket is open' })`,
  }

  test('names the rule, the people, each answer and note, and what came of it', async () => {
    const on = await scene(setup)
    const address = await reviewed(on, { intent: erasing })
    await answer(on, address, { by: 'piet', note: 'fine by me' })
    await answer(on, address, { by: 'quin' })
    await verdict(on.log, address)
    const data = { intent: { address, agent: 'bot', session: null } }
    await bind(on.log, 'ownstart', `main.1.ownstart.${address}`, { ...data, verdict: 'x' })
    const failed = { ...data, outcome: 'failed', detail: 'no such file' }
    await bind(on.log, 'ownoutcome', `main.1.ownoutcome.${address}`, failed)
    const story = await storyIn(on, address)
    expect(story).toMatchObject({ outcome: 'allow' })
    expect(titles(story)).toEqual([
      '`bot` asks to use `erase`',
      'What it needs is known',
      'People are asked, no. 1 so far; at most 60 times in 1 min',
      '2 of `piet` and `quin` must approve',
      '`piet` agrees',
      '`quin` agrees',
      'Use no. 1 so far; at most 60 within 1 min are free',
      'Allowed',
      'The warrant was used, as the agent itself reports',
      'It failed, as the agent itself reports',
    ])
    expect(detailsOf(story, '2 of `piet` and `quin` must approve')).toEqual([
      'asked: May I delete it? (rule `ask-first` on `delete` → `file`)',
      'rule `checked` on `delete` → `file`: holds: the ticket is open',
      'does not count, being on the agent’s side: `bot`',
      'until 2026-01-01 00:15:00 UTC (15 min)',
    ])
    expect(detailsOf(story, '`piet` agrees')).toEqual(['note: “fine by me”'])
    expect(detailsOf(story, 'Allowed')[0]).toBe('approved by `piet` and `quin`')
    expect(detailsOf(story, 'It failed, as the agent itself reports')).toEqual(['“no such file”'])
  })

  test('reports answers that do not count, and why', async () => {
    const on = await scene(setup)
    const address = await reviewed(on, { intent: erasing })
    await forge(on, address, { under: 'piet', privateKey: null })
    await forge(on, address, { under: 'olga' })
    const open = await storyIn(on, address)
    expect(open).toMatchObject({ outcome: 'open' })
    expect(open.summary).toContain('still open, it waits for approval from 2 of `piet` and `quin`')
    const voids = open.steps.filter(({ tone }) => tone === 'void')
    expect(voids.map(({ title, void: why }) => [title, why])).toEqual([
      ['`piet` agrees', 'it is not signed'],
      ['`olga` agrees', expect.stringMatching(/may not answer it/)],
    ])
    expect(linesOf(open)).toContainEqual({
      text: '            counts for nothing: it is not signed',
      tone: 'dim',
    })
  })

  test('reports what came after the verdict as void', async () => {
    const on = await scene(setup)
    const address = await reviewed(on, { intent: erasing })
    await answer(on, address, { by: 'quin', answers: false, note: 'not today' })
    await verdict(on.log, address)
    await forge(on, address, { under: 'piet' })
    const story = await storyIn(on, address)
    expect(story.summary).toContain('denied, because `quin` declined it: “not today”')
    expect(story.steps.at(-1)).toMatchObject({ tone: 'void', void: 'no such intent is open' })
  })
})

describe('the story of what is no intent, or none yet', () => {
  test('is that no one has answered it', async () => {
    const on = await scene({ stages: [], catalog: { capabilities: [look] } })
    const address = await say(on.log, { intent: { tool: 'look' } })
    const story = await storyIn(on, address)
    expect(story.summary).toBe(
      '`bot` asked to use `look`: still open, it waits for the grounding stage',
    )
  })

  test('is that nothing was asked', async () => {
    const on = await scene()
    const address = await say(on.log, { message: { content: 'hello' } })
    const { outcome, summary } = await storyIn(on, address)
    const expected = 'a message that asks for nothing and needs no verdict'
    expect({ outcome, summary }).toEqual({ outcome: 'none', summary: expected })
    const none = await storyIn(on, 'bot.-.unknown')
    expect(none).toMatchObject({ outcome: 'none', steps: [] })
  })

  test('of an observed call notes that nothing was stopped', async () => {
    const on = await scene({ catalog: { capabilities: [{ ...look, safetyClass: 'WRITE' }] } })
    const { intent } = await judged(on, { intent: { tool: 'look', observe: true } })
    const story = await storyIn(on, intent)
    expect(story.summary).toContain('observed only: nothing was stopped')
    expect(titles(story).at(-1)).toBe('It would be denied')
  })
})

describe('a fact in one phrase', () => {
  test('is readable for all that the stages, people and agents write', async () => {
    const capabilities = [{ ...erase, argsSchema: anyArgs }]
    const on = await scene({ catalog: { capabilities }, graph: deletion(asksFirst) })
    const address = await reviewed(on, { intent: erasing })
    await answer(on, address)
    await verdict(on.log, address)
    const phrases: string[] = []
    for await (const fact of on.log.read({})) phrases.push(phraseOf(fact, place.realm))
    expect(phrases).toEqual([
      expect.stringMatching(/^`root`: put principals ×6, put capabilities, set limits, /),
      '`root`: add ×2, describe ×4, relate',
      'asks to use `erase` {"path":"/a"}',
      'known: `delete`, `file`',
      `people are asked, no. 1 so far, at most 60 times in 1 min, for ${address}`,
      'asks 1 of `olga`: 1 question, until 2026-01-01 00:15:00 UTC',
      '`olga` says yes',
      `use no. 1 so far, at most 60 in 1 min, for ${address}`,
      'allow',
    ])
  })

  test('reports that junk is unreadable, and why', async () => {
    const on = await scene()
    const name = 'main.1.verdict.a.b.c'
    await on.log.append({ name, bytes: Buffer.from('junk') })
    expect(phraseOf(await bound(on.log, name), place.realm)).toMatch(/^unreadable: it is not /)
    expect(phraseOf({ name: 'main.1.what.x', bytes: Buffer.of() }, place.realm)).toContain(
      'no kind',
    )
  })
})
