// The refusal of an intent that was set aside, since deciding about it had cost a worker its
// deadline more than once. Nothing else of it is looked at: that is what took so long.
import type { Draft } from '#record/event'
import type { Inputs } from './stage.ts'
import { verdictDraft } from './verdict.ts'

/** Null where it was not. */
export function setAsideDraft(inputs: Inputs): Draft<'verdict'> | null {
  const { setAside } = inputs.view.intent
  if (setAside === undefined) return null
  const params = { cause: 'set_aside', fact: setAside }
  const reasons = [{ code: 'policy_faulted', recover: 'never', params } as const]
  const judgement = { outcome: 'deny', reasons, questions: [], constraints: {} } as const
  return verdictDraft(inputs, judgement, [], null)
}
