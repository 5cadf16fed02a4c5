// Anyone who may bind a stage's names, or can write the log's file: binds what the stage's own
// decider says, at a basis and a time of the forger's choice.
import { jsonOf } from '#record/canonical'
import { digestOfJson } from '#record/digest'
import { writeEvent } from '#record/event'
import { nameOf } from '#record/names'
import { VerdictData } from '#schemas/facts'
import { derivedBytes } from '#stages/derived'
import { viewOf } from '#stages/view'
import { evolve } from '#state/fold/evolve'
import { newState } from '#state/state'
import type { Draft } from '#record/event'
import type { Fact } from '#ports/log'
import {
  gatherAnswers,
  gatherContext,
  gatherOpening,
  readerOf,
} from '#runtime/engine/gathering/gather'
import { stages } from '#workers/stages'
import { testParts } from './runtime.ts'
import { place, type Scene } from './scene.ts'

export interface Forging {
  readonly stage: 'policy' | 'confirmation'
  readonly basis: number
  /** What the fact claims, in whatever form. */
  readonly time: string
}

export interface Forged {
  readonly kind: Draft['kind']
  readonly data: Draft['data']
  readonly fact: Fact
}

/** Binds what the stage would have said there; null where it would have said nothing. */
export async function forged(
  on: Pick<Scene, 'log' | 'setup'>,
  address: string,
  { stage: name, basis, time }: Forging,
): Promise<Forged | null> {
  const state = newState(place)
  for await (const fact of on.log.read({ to: basis })) evolve(state, fact)
  const reader = readerOf(on.log)
  const stage = stages.find((one) => one.name === name)
  const intent = state.intents.get(address)
  const opening = intent === undefined ? null : await gatherOpening(reader, state, intent)
  const view = opening === null ? null : viewOf(state, address, opening)
  if (stage === undefined || view === null) return null
  const context = await gatherContext(reader, view)
  const { callbacks } = testParts(on.log, on.setup)
  const calls = stage.calls?.(view, context, time) ?? []
  const answers = await gatherAnswers(callbacks, view, calls)
  await callbacks.close()
  const draft = stage.decide({ view, context, answers, time })
  if (draft === null) return null
  const bytes = derivedBytes(draft, view, { source: `warrant/${name}/forger`, time, basis })
  const { fact } = await on.log.append({ name: draft.name, bytes })
  return { kind: draft.kind, data: draft.data, fact }
}

/** An allow that no stage ever drew up, with all that a guard looks at. */
export function madeUp(
  address: string,
  {
    basis,
    time,
    observed = false,
    review = null,
  }: { basis: number; time: string; observed?: boolean; review?: string | null },
) {
  const [agent = ''] = address.split('.')
  const name = nameOf(place, 'verdict', address)
  const data = VerdictData.parse({
    callbackModule: null,
    callbacks: [],
    catalogRevision: 1,
    graphRevision: 1,
    grounding: null,
    intent: { address, agent, session: null },
    message: { digest: digestOfJson({}), position: basis },
    observed,
    outcome: 'allow',
    reasons: [],
    release: null,
    review,
    terms: observed
      ? null
      : {
          argsDigest: digestOfJson({}),
          capability: 'look',
          constraints: {},
          scope: {},
          useBy: new Date(Date.parse(time) + 60_000).toISOString(),
        },
  })
  const stamp = { source: 'warrant/policy/forger', time, basis }
  return { name, bytes: writeEvent('verdict', name, jsonOf(data), stamp) }
}
