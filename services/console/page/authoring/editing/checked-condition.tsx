// A condition in CEL, checked by the server while it is typed, against the arguments that it
// speaks of; what is wrong with it is shown with its place.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { authorLabels } from '#present/console/overseeing/author-labels'
import { overseeingProblemText } from '#present/console/overseeing/overseeing-text'
import { Hostile } from '../../drawing/hostile.tsx'
import { askServer, codeOf } from '../../shell/requests.ts'

const words = authorLabels.condition
const typingMs = 300

export type ConditionState =
  | { readonly is: 'empty' | 'checking' | 'good' }
  | { readonly is: 'wrong'; readonly message: string; readonly offset: number }
  | { readonly is: 'unknown'; readonly code: string }

async function checkedCondition(when: string, capability: string | null): Promise<ConditionState> {
  const body = { when, ...(capability !== null && { capability }) }
  try {
    const { problem } = await askServer('conditionCheck', '/conditions/check', { body })
    return problem === null ? { is: 'good' } : { is: 'wrong', ...problem }
  } catch (error) {
    return { is: 'unknown', code: codeOf(error) }
  }
}

/** Checks it again a moment after it was typed; an answer to what was typed before is not taken. */
export function useCondition(when: string, capability: string | null): ConditionState {
  const state = useSignal<ConditionState>({ is: 'empty' })
  useEffect(() => {
    if (when.trim() === '') {
      state.value = { is: 'empty' }
      return
    }
    let isOld = false
    state.value = { is: 'checking' }
    const check = async () => {
      const checked = await checkedCondition(when, capability)
      if (!isOld) state.value = checked
    }
    const waiting = window.setTimeout(() => void check(), typingMs)
    return () => {
      isOld = true
      window.clearTimeout(waiting)
    }
  }, [when, capability])
  return state.value
}

interface ConditionStateProps {
  readonly id: string
  readonly when: string
  readonly state: ConditionState
}

export function ConditionStateShown({ id, when, state }: ConditionStateProps) {
  return (
    <output id={id} class={`check check-${state.is}`}>
      {state.is === 'checking' && `${words.checking}…`}
      {state.is === 'good' && words.good}
      {state.is === 'unknown' && overseeingProblemText(state.code)}
      {state.is === 'wrong' && <Hostile text={state.message} max={400} />}
      {state.is === 'wrong' && state.offset > 0 && (
        <span class="check-place">
          {words.at} {state.offset + 1}: <code>{when.slice(state.offset, state.offset + 24)}</code>
        </span>
      )}
    </output>
  )
}
