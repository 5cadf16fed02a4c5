// Measures what people add to a verdict beside their own time: from a request to its open question,
// from a signed answer to the verdict, and to the agent that waits for it, while many questions are
// open at once. The people are played: each answers after a time of its own.
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { sqliteLog } from '#adapters/sqlite/log'
import { assert } from '#core/kernel/fault'
import type { Runtime } from '#runtime/engine/runtime'
import { decide } from '#services/client/people/decide'
import type { Warrant } from '#services/client/warrant'
import { keys, testRuntime } from '../../test/support/runtime.ts'
import { erase, graph, limits, look } from '../asked-about.ts'
import { median, quantile, whole, type Report } from '../figures.ts'
import { inFolder } from '../nats/deployment.ts'

const rounds = 5
/** Open at once in each round: what one agent may have. */
const openAtOnce = 200
/** People take from a quarter of a second to one and a half: long enough for all to be open. */
const answerMs = { least: 250, most: 1_500 }

/** When what happened of one request, in milliseconds. */
interface Course {
  readonly asked: number
  shown: number
  answered: number
  decided: number
  returned: number
}

export function benchPeople(): Promise<Report> {
  return inFolder(async (folder) => {
    const log = await sqliteLog(join(folder, 'log.db'))
    const catalog = { capabilities: [look, erase], limits }
    const { runtime, bot } = await testRuntime({ log, catalog, graph })
    const courses: Course[] = []
    const plain: number[] = []
    // The first round warms up and is not counted.
    for (let round = -1; round < rounds; round += 1) {
      const alone = await together(bot)
      const asked = await withPeople(runtime, bot)
      if (round < 0) continue
      plain.push(...alone)
      courses.push(...asked)
    }
    await runtime.stop()
    return reportOf(courses, plain)
  })
}

function reportOf(courses: readonly Course[], plain: readonly number[]): Report {
  const between = (from: keyof Course, to: keyof Course): readonly number[] =>
    courses.map((course) => course[to] - course[from])
  const overhead = courses.map(({ asked, shown, answered, returned }) => {
    return shown - asked + (returned - answered)
  })
  const times = (overheadOf: readonly number[]): string =>
    (median(overheadOf) / median(plain)).toFixed(1)
  return {
    title: 'requests that people answer, milliseconds',
    head: ['from', 'p50', 'p99', 'longest'],
    rows: [
      row(`a request without people to its verdict, ${openAtOnce} at once`, plain),
      row('a request to its open question', between('asked', 'shown')),
      row('the question to the answer: the people', between('shown', 'answered')),
      row('the answer to the verdict', between('answered', 'decided')),
      row('the answer to the waiting agent', between('answered', 'returned')),
      row('all but the people', overhead),
    ],
    notes: [
      `${rounds} rounds of ${openAtOnce} at once, in turn with as many that no one is asked about`,
      `without the people it takes ${times(overhead)} times as long as a request without them`,
      `people answer within ${whole(answerMs.least)} to ${whole(answerMs.most)} ms, and sign`,
    ],
    targets: [],
  }
}

function row(what: string, taken: readonly number[]): string[] {
  const figures = [median(taken), quantile(taken, 0.99), quantile(taken, 1)]
  return [what, ...figures.map((time) => time.toFixed(1))]
}

async function together(bot: Warrant): Promise<readonly number[]> {
  const start = performance.now()
  return Promise.all(
    Array.from({ length: openAtOnce }, async (_, index) => {
      const { outcome } = await bot.ask({ tool: 'look', args: { index }, justification: 'to see' })
      assert(outcome === 'allow', 'no one is asked')
      return performance.now() - start
    }),
  )
}

async function withPeople(runtime: Runtime, bot: Warrant): Promise<readonly Course[]> {
  const courses = new Map<string, Course>()
  const answers: Promise<void>[] = []
  const asked = performance.now()
  const stop = runtime.follower.listen((_, { parts }) => {
    if (parts === null) return
    const intent = parts.tokens.slice(0, 3).join('.')
    if (parts.kind === 'review') {
      const nothing = { answered: 0, decided: 0, returned: 0 }
      const course = { asked, shown: performance.now(), ...nothing }
      courses.set(intent, course)
      answers.push(answerAfter(runtime, { intent, course, number: courses.size }))
    }
    const course = courses.get(intent)
    if (parts.kind === 'verdict' && course !== undefined) course.decided = performance.now()
  })
  await Promise.all(
    Array.from({ length: openAtOnce }, async (_, index) => {
      const request = { tool: 'erase', args: { index }, justification: 'it is old' }
      const { outcome, intent } = await bot.ask(request)
      const course = courses.get(intent)
      assert(outcome === 'allow' && course !== undefined, 'people were asked, and said yes')
      course.returned = performance.now()
    }),
  )
  await Promise.all(answers)
  stop()
  return [...courses.values()]
}

/** By a person, after as long as that one takes: the same times in each round. */
async function answerAfter(
  runtime: Runtime,
  of: { readonly intent: string; readonly course: Course; readonly number: number },
): Promise<void> {
  const { intent, course, number } = of
  const part = ((number * 7_919) % openAtOnce) / openAtOnce
  await after(answerMs.least + part * (answerMs.most - answerMs.least))
  course.answered = performance.now()
  await decide(runtime, { intent, confirmer: 'olga', privateKey: keys.olga, answers: true })
}
