// Asks a model about one open question and binds what it made of it, usable or not. People can
// answer without it, and never wait for it.
import type { SuggestionData } from '#schemas/learning'
import { jsonOf } from '#record/canonical'
import { digestOfJson } from '#record/digest'
import { writeEvent } from '#record/event'
import type { OpenProposal } from '#messages/learning/learning'
import { suggestionIn, taskFor } from '#messages/learning/task'
import { nameOf } from '#record/names'
import type { State } from '#state/state'
import type { Appended, Entry, Fact } from '#ports/log'
import type { Model, ModelAnswer } from '#ports/models'
import { bind, type Advancing } from '../engine/advance.ts'
import type { Runtime } from '../engine/runtime.ts'
import { keyedMutex } from '../engine/keyed-mutex.ts'
import { stageStamp } from '../engine/stage-stamp.ts'

/** So many answers are recorded about one question, no matter who asks for them. */
const suggestionsMax = 32

type Suggesting = Pick<Advancing, 'follower' | 'clock' | 'mutex' | 'logger' | 'id'> & {
  readonly stage: Pick<Advancing['stage'], 'name'>
  readonly append: (entry: Entry) => Promise<Appended>
}

export interface Suggestion {
  readonly fact: Fact
  readonly said: SuggestionData
}

/** Asks because a person wants to know now, beside what workers ask by themselves. */
export function suggestNow(
  { log, follower, clock, logger }: Pick<Runtime, 'log' | 'follower' | 'clock' | 'logger'>,
  model: Model,
  id: string,
  signal: AbortSignal,
): Promise<Suggestion | null> {
  const stage = { name: 'learning' as const }
  const append = (entry: Entry): Promise<Appended> => log.append(entry)
  const suggesting = { follower, clock, logger, append, stage, mutex: keyedMutex(), id: 'demand' }
  return suggest(suggesting, model, id, signal)
}

/** Asks as a worker does. */
export function suggestAsWorker(
  options: Advancing,
  model: Model,
  id: string,
  signal: AbortSignal,
): Promise<Suggestion | null> {
  const append = (entry: Entry): Promise<Appended> => bind(options, 'suggestion', entry)
  return suggest({ ...options, append }, model, id, signal)
}

/** What was bound; null where the question ended meanwhile, or the wait for the model did. */
async function suggest(
  options: Suggesting,
  model: Model,
  id: string,
  signal: AbortSignal,
): Promise<Suggestion | null> {
  const { follower, logger } = options
  const { state } = follower
  const asked = openFor(state, id)
  if (asked === null) return null
  const answer = await model.ask({ ...taskFor(state.graph, asked.data), signal })
  if (signal.aborted) return null
  return options.mutex.run(`suggestion.${id}`, async () => {
    // What it was given may have moved on while it thought.
    const open = openFor(state, id)
    if (open === null) return null
    const said = suggestionOf(state, open, { by: model.name, answer })
    const name = nameOf(state.place, 'suggestion', id, said.number)
    const bytes = writeEvent('suggestion', name, jsonOf(said), stageStamp(options))
    const { fact, appended } = await options.append({ name, bytes })
    await follower.reached(fact.position)
    const failed = 'failed' in said ? said.failed : null
    if (failed !== null) logger.warn({ model: model.name, failed }, 'model had no usable answer')
    return appended ? { fact, said } : null
  })
}

function openFor({ learning, sealed }: State, id: string): OpenProposal | null {
  const proposal = learning.open.get(id)
  if (proposal === undefined || proposal.agreed !== null || sealed !== null) return null
  return proposal.suggestions.next > suggestionsMax ? null : proposal
}

const byCharactersMax = 256

function suggestionOf(
  { graph }: State,
  { name, data, suggestions }: OpenProposal,
  { by, answer }: { readonly by: string; readonly answer: ModelAnswer },
): SuggestionData {
  const of = {
    proposal: name,
    number: suggestions.next,
    by: by.slice(0, byCharactersMax).toWellFormed(),
  }
  if ('failed' in answer) return { ...of, failed: answer.failed }
  const found = suggestionIn(graph, data, answer.answer)
  if ('failed' in found) return { ...of, failed: found.failed }
  const { candidate } = found
  return { ...of, candidate, digest: digestOfJson(jsonOf(candidate)) }
}
