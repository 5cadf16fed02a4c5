// Learning: when has a held intent waited enough. It is ground again when the graph answers
// otherwise than before, and when no one will be asked for what is left. It never says what is
// allowed, and what is known only people say.
import type { Draft } from '#record/event'
import { nameOf } from '#record/names'
import { hasStopped } from '#stages/case'
import type { Inputs, Stage } from '#stages/stage'
import { hasMoved, unaskable } from '#stages/teachable'
import type { Context, View } from '#stages/view'
import type { ResumeReason } from '#schemas/learning'

export const learningDecider: Stage = {
  name: 'learning',
  // What policy holds; what people rule; and what anyone makes known.
  kinds: ['hold', 'ruling', 'reopening', 'expiry', 'graph'],
  decide,
  deadline: () => null,
}

function decide({ view, context }: Inputs): Draft | null {
  const { intent } = view
  const { hold, attempt } = intent
  if (hold === null || hold.attempt !== attempt || hasStopped(view, context)) return null
  const reason = endOf(view, context)
  if (reason === null) return null
  return {
    kind: 'resume',
    name: nameOf(view.place, 'resume', intent.address, attempt),
    data: { attempt, intent: view.ref, reason },
  }
}

function endOf(view: View, context: Context): ResumeReason | null {
  const left = unaskable(view, context)
  if (left !== null) return { code: left.standing, params: { template: left.template } }
  if (!hasMoved(view, context)) return null
  return { code: 'graph_changed', params: { graphRevision: view.graphRevision } }
}
