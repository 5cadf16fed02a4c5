// A plan as a file: what was looked at is what is applied. It names the log and the revisions that
// it was made for, and carries the callback module, so that nothing is read again when it is
// applied.
import { z } from 'zod'
import { CatalogOperation } from '#schemas/catalog'
import { GraphOperation } from '#schemas/graph'
import { digestOf } from '#record/digest'
import { Fault } from '#record/fault'
import { firstProblem } from '#record/problem'
import type { State } from '#state/state'
import { refuseMoved } from '../moved.ts'
import type { Runtime } from '#runtime/engine/runtime'
import type { SeedFiles } from '../seed-files.ts'
import type { PlannedSeed } from './seed-plan.ts'

const Digest = z.string().regex(/^sha256:[0-9a-f]{64}$/)
const Revision = z.int().min(0)

const PlanFile = z.strictObject({
  /** The version of this format. */
  plan: z.literal(1),
  /** The digest of the folder. */
  folder: Digest,
  /** The identity of the log. */
  log: z.string(),
  graphRevision: Revision,
  catalogRevision: Revision,
  prune: z.boolean(),
  /** The text of the callback module; null where the folder has none. */
  callbacks: z.string().nullable(),
  sets: z.array(
    z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('graph'), operations: z.array(GraphOperation).min(1) }),
      z.strictObject({ kind: z.literal('catalog'), operations: z.array(CatalogOperation).min(1) }),
    ]),
  ),
})
export type PlanFile = z.infer<typeof PlanFile>

/** Throws a Fault where the log has not begun: then there is nothing that it could be made for. */
export function planFileOf(
  { log, graphRevision, catalogRevision }: State,
  { digest, callbacks }: SeedFiles,
  { sets }: PlannedSeed,
  prune: boolean,
): PlanFile {
  if (log === null) {
    const message = 'this log has not begun: `warrant apply FOLDER` begins it, and then plan'
    throw new Fault('no_catalog', message)
  }
  return {
    plan: 1,
    folder: digest,
    log,
    graphRevision,
    catalogRevision,
    prune,
    callbacks: callbacks?.source ?? null,
    sets: sets.map((set) =>
      set.kind === 'graph'
        ? { kind: set.kind, operations: [...set.operations] }
        : { kind: set.kind, operations: [...set.operations] },
    ),
  }
}

export function parsePlan(value: unknown): PlanFile {
  const parsed = PlanFile.safeParse(value)
  if (parsed.success) return parsed.data
  const { at, message } = firstProblem(parsed.error.issues)
  const where = at === '' ? '' : `${at}: `
  throw new Fault('plan_invalid', `${where}${message}: make it again by \`warrant plan --out\``)
}

/** Refuses a plan that was made for another log, or for what the log had before. */
export async function refuseStalePlan(
  runtime: Pick<Runtime, 'log' | 'follower'>,
  plan: PlanFile,
): Promise<void> {
  const { log } = runtime.follower.state
  if (log !== plan.log) {
    const here = log === null ? 'this log has not begun' : `this log is \`${log}\``
    throw new Fault('plan_foreign', `the plan was made for the log \`${plan.log}\`, and ${here}`)
  }
  await refuseMoved(runtime, 'graph', plan.graphRevision)
  await refuseMoved(runtime, 'catalog', plan.catalogRevision)
  const pins = plan.sets.flatMap((set) => (set.kind === 'catalog' ? set.operations : []))
  const pinned = pins.flatMap((one) => (one.op === 'set' && one.key === 'callbacks' ? [one] : []))
  const digest = plan.callbacks === null ? null : digestOf(plan.callbacks)
  if (pinned.every(({ value }) => value === digest)) return
  throw new Fault('plan_invalid', 'it pins another callback module than it carries: make it again')
}
