// Derives a fact again where the fold has reached its basis, and weighs what was recorded by it.
import { isReadWhole } from '#state/caches/fact-cache'
import { derive, type Due, type Later } from './derive.ts'
import { standsAt, weigh, type StandsAt } from './weighing.ts'
import { stand } from './overtaken.ts'
import { reaching } from './reach.ts'
import type { ReplayRun } from './pass.ts'

/** A promise only where the fold must wait for it. */
export function compare(run: ReplayRun, due: Due): Promise<void> | null {
  run.derived += 1
  const { deriving, start, state } = run
  const reached = start === null ? null : reaching(deriving.reader, start, due, state)
  const derived = derive(reached === null ? deriving : { ...deriving, reader: reached.reader }, due)
  const at = standsAt(run, reached)
  if (derived instanceof Promise) return derived.then((found) => weigh(run, due, found, at))
  if (derived === null || !('later' in derived)) {
    weigh(run, due, derived, at)
    return null
  }
  // The fold need not read a grounding again that was just derived.
  if (isReadWhole(due.kind)) return derived.later.then((found) => weigh(run, due, found, at))
  goOnWith(run, due, { ...derived, at })
  return null
}

/** Derives while the fold goes on. */
function goOnWith(
  run: ReplayRun,
  due: Due,
  { view, later, at }: Later & { readonly at: StandsAt },
): void {
  const { position } = due.fact
  const standing = stand(run.standings, run.state, { due, view })
  const judgedLater = async (): Promise<void> => {
    const found = await later
    run.underWay.delete(position)
    weigh(run, due, found, { ...at, standing })
  }
  const judged = judgedLater()
  // Whatever comes first is awaited first; what fails then is not to be reported a second time.
  judged.catch(() => undefined)
  run.underWay.set(position, judged)
}
