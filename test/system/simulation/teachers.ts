// People whom learning asks: they say what is known, leave it open, will not have it, or never
// answer.
import { rule, type Ruling } from '#runtime/learning/rule'
import type { Runtime } from '#runtime/engine/runtime'
import type { Candidate, Template } from '#schemas/learning'
import { filling } from '../../support/learning-scene.ts'
import { keys } from '../../support/runtime.ts'
import type { Scheduler } from './scheduler.ts'

export function curators(runtime: Runtime, scheduler: Scheduler): void {
  const { follower } = runtime
  follower.listen((_fact, { parts }) => {
    if (parts?.kind !== 'proposal' || scheduler.chance(15)) return
    const [proposal = ''] = parts.tokens
    const template = follower.state.learning.open.get(proposal)?.data.template
    if (template === undefined) return
    const word = scheduler.below(8)
    const by = { proposal, confirmer: 'root', privateKey: keys.root }
    const ruling: Ruling =
      word === 0
        ? { ...by, ruling: 'rejected' }
        : word === 1
          ? { ...by, ruling: 'skipped' }
          : { ...by, ruling: 'modified', candidate: addedBy(template) }
    // The graph may have moved on by the time it comes, or the log been closed.
    void rule(runtime, ruling).catch(() => undefined)
  })
}

function addedBy(template: Template): Candidate {
  if (template.kind !== 'REACHABILITY') return filling(template)
  const { primitive, others } = template
  const edge = { source: others[0] ?? '', target: primitive, type: 'INCLUDES' as const }
  return { levels: [], edge: { ...edge, sourceLevel: 0, targetLevel: 0 } }
}
