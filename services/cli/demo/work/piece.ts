// Coding agents under contracts as a piece to play: twenty tasks with scripted workers, each row of
// which has to come out as its data says.
import { change } from '#authoring/change'
import { allStages } from '#workers/all-stages'
import { reinstate } from '#client/people/reinstate'
import type { AnswersReview } from '#demo/asking'
import { newKeys } from '#demo/members'
import { leads, workAdmin, workMembers, workOwner, workPlanner } from '#demo/work-cast'
import { playWorker } from '#demo/work-player'
import type { SeenWorker, WorkAttempt, WorkTask } from '#demo/work-task'
import { usage } from '#cli/terminal/failure'
import { clientsOn, seedPath, seedWith, signerAmong } from '../piece.ts'
import type { DemoPiece, PieceOptions } from '../piece.ts'
import { onlooker } from './onlooker.ts'
import { workLines } from './print.ts'
import { workJson, workResult } from './result.ts'
import { workOperation } from './settings.ts'
import { findPrograms } from './test-programs.ts'
import { readWorkers } from './workers.ts'
import { contractOf, openWorkshop } from './workshop.ts'

export async function workPiece({ data, gateway }: PieceOptions): Promise<DemoPiece> {
  if (data !== undefined) throw usage('--seed work has tasks of its own: leave out --data')
  if (gateway === true) throw usage('--seed work executes nothing: leave out --gateway')
  const folder = seedPath('work')
  const workers = await readWorkers(folder)
  const agents = workers.map(({ agent }) => agent)
  const keys = newKeys([workAdmin, workPlanner, workOwner, ...leads])
  const programs = await findPrograms()
  const author = signerAmong(keys, workAdmin)
  const seen = new Map<string, SeenWorker>()
  const result = () => workResult(workers, seen, programs.isolation)
  // As many leads as are needed, so that what was asked can be counted.
  const answer: AnswersReview = async (client, intent, { needed }) => {
    for (const confirmer of leads.slice(0, needed)) {
      const { privateKey } = signerAmong(keys, confirmer)
      await client.decide({ intent, confirmer, privateKey, answers: true })
    }
    return true
  }
  return {
    unit: 'workers',
    count: workers.length,
    stages: allStages,
    verdicts: new Map(),
    seed(runtime) {
      const members = workMembers(agents)
      return seedWith(runtime, { folder, keys, members, gateway: false }, author)
    },
    async begin(runtime) {
      const workshop = await openWorkshop(agents)
      try {
        const { work } = runtime.follower.state.catalog
        const operations = [workOperation(work, { workers, workshop, programs })]
        await change(runtime, { kind: 'catalog', operations }, author)
      } catch (error) {
        await workshop.close()
        throw error
      }
      const stage = {
        ...onlooker(runtime),
        open: clientsOn(runtime, keys),
        answer,
        contractOf: (task: WorkTask) => contractOf(task, programs),
        write: (agent: string, attempt: WorkAttempt) => workshop.write(agent, attempt),
        reinstate(agent: string) {
          const reason = 'the tests are out of its reach from now on'
          const { id: by, privateKey } = author
          return reinstate(runtime, { agent, reason, by, privateKey })
        },
      }
      return {
        async play(index, signal) {
          const worker = workers[index]
          if (worker !== undefined) seen.set(worker.agent, await playWorker(stage, worker, signal))
        },
        tally: () => Promise.resolve(null),
        end: () => workshop.close(),
      }
    },
    isAsExpected: () => result().different === 0,
    lines: (shown) => workLines({ ...shown, result: result() }),
    json: () => workJson(result()),
  }
}
