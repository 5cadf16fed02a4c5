// Coding agents under contracts as a piece to play: twenty tasks with scripted workers, each row of
// which has to come out as its data says.
import { newWorkKeys, workAdmin, workOperations, workOperation } from '#services/demo/work/cast'
import { answerAsLeads } from '#services/demo/work/leads'
import { playWorker } from '#services/demo/work/player'
import { findPrograms } from '#services/demo/work/programs'
import { workJson, workResult } from '#services/demo/work/result'
import type { SeenWorker } from '#services/demo/work/rows'
import { readWorkers } from '#services/demo/work/workers'
import { openWorkshop } from '#services/demo/work/workshop'
import { change } from '#runtime/authoring/change'
import { connect } from '#services/client/connect'
import { allStages } from '#services/all-stages'
import { usage } from '../terminal/failure.ts'
import { seedPath, seedWith, type DemoPiece, type PieceOptions } from './piece.ts'
import { workLines } from './print-work.ts'

export async function workPiece({ data, gateway }: PieceOptions): Promise<DemoPiece> {
  if (data !== undefined) throw usage('--seed work has tasks of its own: leave out --data')
  if (gateway === true) throw usage('--seed work executes nothing: leave out --gateway')
  const folder = seedPath('work')
  const workers = await readWorkers(folder)
  const keys = newWorkKeys()
  const programs = await findPrograms()
  const author = { id: workAdmin, privateKey: keys.get(workAdmin) ?? '' }
  const seen = new Map<string, SeenWorker>()
  const result = () => workResult(workers, seen, programs.isolation)
  return {
    unit: 'workers',
    count: workers.length,
    stages: allStages,
    verdicts: new Map(),
    seed(runtime) {
      const operations = workOperations(keys, workers)
      return seedWith(runtime, { folder, operations, gateway: false }, author)
    },
    async begin(runtime) {
      const workshop = await openWorkshop(workers.map(({ agent }) => agent))
      const stop = answerAsLeads(await connect({ runtime }), keys)
      const end = async (): Promise<void> => {
        stop()
        await workshop.close()
      }
      try {
        const { work } = runtime.follower.state.catalog
        const operations = [workOperation(work, { workers, workshop, programs })]
        await change(runtime, { kind: 'catalog', operations }, author)
      } catch (error) {
        await end()
        throw error
      }
      return {
        async play(index, signal) {
          const worker = workers[index]
          if (worker === undefined) return
          const stage = { runtime, keys, programs, workshop }
          seen.set(worker.agent, await playWorker(stage, worker, signal))
        },
        tally: () => Promise.resolve(null),
        end,
      }
    },
    isAsExpected: () => result().different === 0,
    lines: (shown) => workLines({ ...shown, result: result() }),
    json: () => workJson(result()),
  }
}
