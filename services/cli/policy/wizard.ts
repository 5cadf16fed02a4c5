// Puts a policy on an edge: step by step with a person, or by flags alone. Before anything is
// saved it shows what the policy would catch today, and it saves only on an explicit yes.
import type { Policy } from '#schemas/graph'
import type { Graph } from '#core/graph/revision'
import { pinnedNames } from '#runtime/authoring/callback-store'
import { change, type Author, type Changed } from '#runtime/authoring/change'
import { checkedGraph } from '#runtime/authoring/change-check'
import type { Runtime } from '#runtime/engine/runtime'
import type { TodayReport } from '#runtime/replay/what-if/today'
import { exitCodes } from '#schemas/faults/exit'
import { openQuestions, type Questions } from '../terminal/questions.ts'
import { print, printJson } from '../terminal/terminal.ts'
import { movedLines } from '../editing/change-text.ts'
import { changeLines } from '../editing/flips-text.ts'
import { toned } from '../terminal/line.ts'
import { policyLines } from './print.ts'
import { authorFor, refuseWithoutCatalog } from '../editing/edit.ts'
import { withRuntime } from '../opening/opened.ts'
import { previewChange } from '../editing/preview-change.ts'
import { agreed, unseen } from '../editing/signing.ts'
import { adding, withPolicies, type PolicyEdge } from './edges.ts'
import { edgeFor, policyFor, type PolicyFlags } from './steps.ts'

export async function policyWizard(options: PolicyFlags): Promise<number> {
  let opened: Questions | null = null
  const questions = (): Questions => {
    // The answer of the command goes to standard output, so the conversation does not.
    opened ??= openQuestions({ input: process.stdin, output: process.stderr })
    return opened
  }
  try {
    const reads = options.dryRun === true
    const asking = { questions, end: () => closed(opened) }
    return await withRuntime(options, { reads }, (runtime) => walk(runtime, options, asking))
  } finally {
    closed(opened)
  }
}

function closed(opened: Questions | null): void {
  opened?.close()
}

async function walk(
  runtime: Runtime,
  options: PolicyFlags,
  { questions, end }: { readonly questions: () => Questions; readonly end: () => void },
): Promise<number> {
  refuseWithoutCatalog(runtime)
  const { catalog, graph } = runtime.follower.state
  // Anyone who may not sign is informed before the first question.
  const author = options.dryRun === true ? null : await authorFor(runtime, options)
  const steps = { flags: options, questions }
  const edge = await edgeFor(graph, steps)
  const callbacks = (await pinnedNames(runtime)) ?? []
  const policy = await policyFor(edge, { catalog, callbacks }, steps)
  const replace = options.replace === true
  const operations = (now: Graph) =>
    withPolicies(now, edge, (policies) => adding(policies, policy, replace))
  const after = checkedGraph(graph, operations(graph))
  const caught = await previewChange(runtime, { after: { graph: after }, last: options.last })
  const lines = [...policyLines(edge, policy), ...(caught === null ? [] : changeLines(caught))]
  if (options.json !== true) await print(lines)
  // Steps and signature are not to read from the same terminal at once.
  end()
  const agrees = async ({ id }: Author): Promise<boolean> =>
    agreed(options, { lines: unseen(options, lines), as: id })
  const signer = author !== null && (await agrees(author)) ? author : null
  const changed =
    signer === null ? null : await change(runtime, { kind: 'graph', operations }, signer, options)
  await show(options, { edge, policy, caught, changed })
  return exitCodes.yes
}

async function show(
  { json }: PolicyFlags,
  done: {
    readonly edge: PolicyEdge
    readonly policy: Policy
    readonly caught: TodayReport | null
    /** Null where nothing was saved. */
    readonly changed: Changed | null
  },
): Promise<void> {
  const { edge, policy, caught, changed } = done
  if (json === true) {
    const { source, level, type, target, targetDepth } = edge
    const where = { source, level, type, target, targetDepth }
    const revision = changed?.revision ?? null
    await printJson({ edge: where, policy, whatIf: caught, saved: revision !== null, revision })
  } else if (changed === null) await print([toned('warn', 'nothing was changed')])
  else {
    const { revision, moved = [] } = changed
    const saved = toned('good', `saved in revision ${revision} of the graph`)
    await print([saved, ...movedLines(moved, revision)])
  }
}
