// Learning: when has a held intent waited enough. It is ground again when the graph answers
// otherwise than before, and when nobody will be asked for what is left. It never says what is
// allowed, and what is known only people say.
import type { Draft } from '#core/event'
import { nameOf } from '#core/names'
import type { Inputs, Stage } from '#core/stage/stage'
import { hasMoved, unaskable } from '#core/stage/teachable'
import type { View } from '#core/stage/view'
import { wantedText } from '#core/story/teaching'

export const learning: Stage = {
  name: 'learning',
  // What policy holds; what people rule; and what anybody makes known.
  kinds: ['hold', 'ruling', 'graph'],
  calls: () => [],
  decide,
  deadline: () => null,
}

function decide({ view }: Inputs): Draft | null {
  const { intent } = view
  const { hold, attempt, withdrawnAt } = intent
  if (hold === null || hold.attempt !== attempt || withdrawnAt !== null) return null
  const why = endOf(view)
  if (why === null) return null
  return {
    kind: 'resume',
    name: nameOf(view.place, 'resume', intent.address, attempt),
    data: { attempt, intent: view.ref, why },
  }
}

function endOf(view: View): string | null {
  const left = unaskable(view)
  if (left !== null) {
    const wanted = wantedText(left.template)
    const why = {
      skipped: `people left it open ${wanted}`,
      rejected: `people will not be asked ${wanted} again`,
      full: `people are asked too much already to be asked ${wanted}`,
    }
    return why[left.standing]
  }
  return hasMoved(view) ? `the graph answers otherwise as of revision ${view.graphRevision}` : null
}
