// Measures verdicts a second where each stage has processes of its own, one or two of them, against
// all stages in one process.
import { stages } from '#services/stages'
import { answerAll, messages } from './deployment.ts'
import { fixed, median, spread, whole, type Report } from '../figures.ts'
import { startWorker } from './worker.ts'
import { deployThere, makeLogOn, onServer } from './server.ts'

const rounds = 3
const count = 6_000
const outstanding = 512
const warmUpCount = 2_000
/** Worker processes a stage; none is all stages in the process that publishes. */
const sides = [0, 1, 2]

interface Measured {
  readonly workers: number
  readonly perSecond: number
}

export async function benchNatsScale(): Promise<Report> {
  const measured: Measured[] = []
  for (let round = 0; round < rounds; round += 1) {
    for (const workers of round % 2 === 0 ? sides : sides.toReversed()) {
      measured.push({ workers, perSecond: await measure(workers) })
    }
  }
  const of = (workers: number): readonly number[] =>
    measured.filter((one) => one.workers === workers).map(({ perSecond }) => perSecond)
  const [alone, one, two] = sides.map((workers) => of(workers))
  return {
    title: 'verdicts a second on NATS, by processes',
    head: ['workers a stage', 'processes', 'verdicts/s', 'of one process', 'of one a stage'],
    rows: sides.map((workers) => [
      workers === 0 ? 'all in one' : `${workers}`,
      workers * stages.length + 1,
      spread(of(workers), whole),
      spread(ratios(of(workers), alone ?? []), fixed(2)),
      workers === 0 ? '' : spread(ratios(of(workers), one ?? []), fixed(2)),
    ]),
    notes: [
      `${rounds} rounds of ${whole(count)} verdicts each, ${outstanding} outstanding, on a new`,
      'server each; the process that publishes also folds, and the server is one more',
      `two a stage give ${fixed(2)(median(two ?? []) / median(one ?? []))} of one a stage`,
    ],
    targets: [],
  }
}

function measure(workers: number): Promise<number> {
  return onServer({}, async (server) => {
    await makeLogOn(server)
    const deployment = await deployThere(server, workers === 0 ? stages : [])
    const names = Array.from({ length: workers }, () => stages.map(({ name }) => name)).flat()
    const running = await Promise.all(names.map((name) => startWorker(server.url, name)))
    await answerAll(deployment, messages(deployment, warmUpCount), outstanding)
    const entries = [...messages(deployment, count)]
    const start = performance.now()
    await answerAll(deployment, entries, outstanding)
    const seconds = (performance.now() - start) / 1_000
    await Promise.all(running.map((worker) => worker.stop()))
    await deployment.runtime.stop()
    return count / seconds
  })
}

/** Round by round. */
function ratios(of: readonly number[], to: readonly number[]): readonly number[] {
  return of.map((one, round) => one / (to[round] ?? Number.NaN))
}
