// Measures how many verdicts a second a replay derives again from a log on a NATS server, against
// the library alone reading the same facts in order and parsing them as JSON, in turn in one run.
import { threadCallbacks } from '#adapters/callbacks/thread'
import { jetStreamLog } from '#adapters/jetstream/log'
import { NatsLink } from '#adapters/nats/link'
import { streamNames } from '#adapters/nats/stream'
import { assert } from '#core/kernel/fault'
import { replay } from '#runtime/replay/replay'
import { stages } from '#services/stages'
import { answerAll, messages } from './deployment.ts'
import { fixed, median, spread, whole, type Report } from '../figures.ts'
import { openRaw, readSeconds } from './raw.ts'
import { deployThere, makeLogOn, onServer, place } from './server.ts'

const intents = 30_000
const rounds = 3

interface Measured {
  readonly verdicts: number
  readonly facts: number
  readonly plainFacts: number
}

export function benchNatsReplay(): Promise<Report> {
  return onServer({}, async (server) => {
    await makeLogOn(server)
    const deployment = await deployThere(server)
    await answerAll(deployment, messages(deployment, intents), 512)
    await deployment.runtime.stop()
    const measured: Measured[] = []
    // The first round warms up and is not counted.
    for (let round = 0; round <= rounds; round += 1) {
      const one = await measure(server.url)
      if (round > 0) measured.push(one)
    }
    return reportOf(measured)
  })
}

async function measure(url: string): Promise<Measured> {
  const log = await jetStreamLog(await NatsLink.open({ servers: url }), { realm: place.realm })
  const callbacks = threadCallbacks(() => Promise.resolve(null))
  const start = performance.now()
  const report = await replay({ log, place, rootKey: null, stages, callbacks })
  const seconds = (performance.now() - start) / 1_000
  await log.close()
  await callbacks.close()
  const { facts, derived, differences } = report
  assert(differences === 0 && derived === 2 * intents, 'all is derived again, to the byte')
  const raw = await openRaw(url)
  const plainSeconds = await readSeconds(raw, streamNames(place).mirror, facts)
  await raw.connection.close()
  return { verdicts: intents / seconds, facts: facts / seconds, plainFacts: facts / plainSeconds }
}

function reportOf(measured: readonly Measured[]): Report {
  const ratios = measured.map(({ facts, plainFacts }) => facts / plainFacts)
  return {
    title: `replay of ${whole(intents)} intents from NATS`,
    head: ['verdicts/s', 'facts/s', 'plain facts/s', 'of plain'],
    rows: [
      [
        spread(
          measured.map(({ verdicts }) => verdicts),
          whole,
        ),
        whole(median(measured.map(({ facts }) => facts))),
        whole(median(measured.map(({ plainFacts }) => plainFacts))),
        spread(ratios, fixed(2)),
      ],
    ],
    notes: [
      `${rounds} rounds; derived are the grounding and the verdict of each intent, to the byte`,
      'plain is the library alone reading the same facts in order, and JSON.parse of each',
    ],
    targets: [],
  }
}
