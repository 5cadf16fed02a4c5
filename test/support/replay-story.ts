// A log with something of everything that stages derive, for replays to take apart.
import type { Fact, Log } from '#ports/log'
import { partsOf } from '#record/names'
import type { Json } from '#record/canonical'
import type { GraphOperation } from '#schemas/graph'
import { changeGraph, keys, testRuntime, type TestRuntime } from './runtime.ts'
import { logOf } from './wrapped-log.ts'

const schema = { type: 'object' }

const story = {
  catalog: {
    capabilities: [
      { id: 'look', safetyClass: 'READ' as const, concepts: ['file'], argsSchema: schema },
      { id: 'tidy', safetyClass: 'WRITE' as const, concepts: ['file'], argsSchema: schema },
      {
        id: 'erase',
        safetyClass: 'WRITE' as const,
        concepts: ['delete', 'file'],
        argsSchema: schema,
      },
      { id: 'teach', safetyClass: 'READ' as const, concepts: ['moon'], argsSchema: schema },
    ],
    principals: [{ id: 'desk' }],
    trustedEvidence: [{ sender: 'desk', for: ['*'] }],
    learning: true,
  },
  graph: {
    primitives: [
      { name: 'file', depths: [{ level: 0 }, { level: 1, properties: { what: 'bytes' } }] },
      {
        name: 'delete',
        depths: [
          { level: 0 },
          {
            level: 1,
            properties: { what: 'gone for good' },
            relata: [
              {
                type: 'APPLIES_TO' as const,
                target: 'file',
                targetDepth: 1,
                policies: [
                  { name: 'asked', confirmationMessage: 'really {action} it?' },
                  { name: 'small', requiresConfirmation: false, callback: 'small' },
                ],
              },
            ],
          },
        ],
      },
    ],
  },
  module: `export const small = ({ intent, evidence }) => ({
    passed: intent.args.n < 3 || evidence.some(({ payload }) => payload.ok === true),
    message: 'no more than two at a time',
  })`,
}

/** The source of its callback module. */
export const storyModule = story.module

/** Plays the story; the runtime is left open. */
export async function playStory(): Promise<TestRuntime> {
  const played = await testRuntime(story)
  const { bot, runtime } = played
  const justification = 'it is in the way of the new ones'
  runtime.follower.listen((_fact, { parts }) => {
    if (parts?.kind !== 'review' || parts.address === null) return
    const note = 'it has been in the way for long'
    const answer = { intent: parts.address, confirmer: 'olga', privateKey: keys.olga, note }
    void bot.decide({ ...answer, answers: true })
  })
  const session = bot.session('S-2026-01-01-bot-abcdef')
  await bot.ask({ tool: 'look', args: { path: 'a' } })
  await bot.ask({ tool: 'look', concepts: ['moon'] })
  await bot.ask({ tool: 'tidy' }, { session })
  await bot.ask({ tool: 'erase', args: { n: 1 }, justification }, { session })
  await bot.ask({ tool: 'erase', args: { n: 3 }, justification }, { session })
  await bot.ask({ tool: 'nowhere' })
  const waiting = { tool: 'teach', onGap: 'learn' }
  const added = await publish(played, waiting)
  await heldOf(played.log, added)
  await changeGraph(runtime, { op: 'add', name: 'moon' }, known('moon', 0), known('moon', 1))
  await bot.verdict(added)
  const held = await publish(played, { ...waiting, concepts: ['sun'] })
  await heldOf(played.log, held)
  await bot.withdraw(held)
  await bot.verdict(held)
  return played
}

async function publish({ bot }: TestRuntime, intent: Json): Promise<string> {
  const { address } = await bot.publish({ type: 'query', content: 'teach me', payload: { intent } })
  return address
}

function known(name: string, level: number): GraphOperation {
  return { op: 'describe', name, level, properties: { what: 'a satellite' } }
}

async function heldOf(log: Log, address: string): Promise<void> {
  const abort = new AbortController()
  for await (const { name } of log.follow(1, abort.signal)) {
    if (partsOf(name, { realm: 'main', era: 1 })?.kind === 'hold' && name.includes(address)) break
  }
  abort.abort()
}

/** The log as it would be if someone had tampered with its facts. */
export function tampered(log: Log, change: (fact: Fact) => Fact | null): Log {
  return {
    ...logOf(log),
    async get(name) {
      const fact = await log.get(name)
      return fact === undefined ? undefined : (change(fact) ?? undefined)
    },
    async *read(range, names) {
      for await (const fact of log.read(range, names)) {
        const changed = change(fact)
        if (changed !== null) yield changed
      }
    },
  }
}
