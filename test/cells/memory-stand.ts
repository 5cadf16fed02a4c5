// A realm of two cells in memory, with a runtime on its control log and one in each cell.
import { cellOf } from '#rules/catalog/cells'
import { realmOfCell } from '#record/names'
import type { Log } from '#ports/log'
import type { Parts } from '#runtime/engine/runtime'
import { replay, type ReplayReport } from '#replay/replay'
import { stages } from '#workers/stages'
import { scriptedModel } from '../support/adapters/scripted-model.ts'
import { memoryCells, type MemoryCells } from '../support/memory-cells.ts'
import { testRuntime, type TestRuntime, type TestSetup } from '../support/runtime.ts'

const realm = 'main'
const count = 2

export interface MemoryStand {
  readonly cells: MemoryCells
  readonly control: TestRuntime
  readonly on: readonly TestRuntime[]
  /** Stops all of it. */
  dispose(): Promise<void>
}

/** `thought` gets the cells whose model was asked. */
export async function memoryStand(setup: TestSetup, thought: string[] = []): Promise<MemoryStand> {
  const cells = memoryCells(realm, count)
  const control = await testRuntime({ ...setup, log: cells.control, stages: [] })
  const on: TestRuntime[] = []
  for (const [index, log] of cells.logs.entries()) {
    const name = realmOfCell({ of: realm, index })
    const model = scriptedModel(() => (thought.push(name), null))
    const parts = { place: { realm: name, era: 1 }, id: `${name}/test`, model }
    // What the control log has is there before a worker begins, or would be begun twice.
    on.push(await begunAfter(control, { ...setup, log, parts }))
  }
  return {
    cells,
    control,
    on,
    dispose: async () => {
      for (const { runtime } of [...on.toReversed(), control]) await runtime.stop()
      await cells.close()
    },
  }
}

async function begunAfter(
  control: TestRuntime,
  setup: TestSetup & { readonly log: Log; readonly parts: Partial<Parts> },
): Promise<TestRuntime> {
  const { position } = await control.log.head()
  for (;;) {
    const { position: here } = await setup.log.head()
    if (here >= position) return testRuntime(setup)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

/** The first of these agents that is in that cell. */
export function agentOfCell(
  { runtime }: TestRuntime,
  agents: readonly { readonly id: string }[],
  cell: number,
): string {
  const { catalog } = runtime.follower.state
  const found = agents.find(({ id }) => cellOf(catalog, id) === cell)
  if (found === undefined) throw new Error('every cell has an agent')
  return found.id
}

export async function replayed(log: Log, realmOf: string): Promise<ReplayReport> {
  const place = { realm: realmOf, era: 1 }
  const callbacks = { run: () => Promise.reject(new Error('none is asked')) }
  return replay({ log, place, rootKey: null, stages, callbacks })
}

export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2))
}
