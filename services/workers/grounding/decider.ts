// Grounding: was the message sound, and is what it needs known, deeply enough. It never says
// whether the call is allowed, and never whether an ungrounded intent may wait.
import type { Draft } from '#record/event'
import { effective } from '#rules/chain/effective'
import { nameOf } from '#record/names'
import { groundOf } from '#stages/asked'
import { findingOf } from '#stages/finding'
import type { Inputs, Stage } from '#stages/stage'
import { capabilityOf } from '#stages/view'

export const grounding: Stage = {
  name: 'grounding',
  kinds: ['vlp', 'resume'],
  decide,
  deadline: () => null,
}

function decide({ view, context }: Inputs): Draft | null {
  const { intent, opening } = view
  const done = intent.grounding?.attempt ?? 0
  if (done >= intent.attempt) return null
  const message = findingOf(view, context)
  const { earlier } = context
  // An address is good for one message, whichever era it comes in: then nothing is asked at all.
  const sound = !message.malformed && message.senderMatches && earlier === null
  const capability = capabilityOf(view)
  // What was set aside is refused for that, and not looked at.
  const isLooked = sound && intent.setAside === undefined
  const asked = isLooked && capability !== null && opening.request !== null
  // What came of that message may have been grounded in this era.
  const attempt = earlier?.attempt ?? intent.attempt
  return {
    kind: 'grounding',
    name: nameOf(view.place, 'grounding', intent.address, attempt),
    data: {
      attempt,
      capability: capability?.id ?? null,
      cardinality: asked ? (effective(capability, opening.request).cardinality ?? null) : null,
      catalogRevision: view.catalogRevision,
      graphRevision: view.graphRevision,
      ground: asked ? groundOf(view) : null,
      intent: view.ref,
      message,
      ...(earlier !== null && { earlier: earlier.message }),
    },
  }
}
