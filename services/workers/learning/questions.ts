// Looks after the questions that wait for people, beside all jobs: models are asked about them, and
// in the end they expire. When is up to the log, so a restart goes on where another process was.
import { cellElsewhere } from '#rules/catalog/cells'
import { jsonOf } from '#record/canonical'
import { writeEvent } from '#record/event'
import { expiresAt, expiryDraft } from '#state/slices/learning/expiry'
import type { OpenProposal } from '#messages/learning/learning'
import { kindsAbout, type Kind } from '#schemas/kinds'
import { bind, type Advancing } from '#runtime/engine/advance'
import { backoffMs } from '#runtime/engine/backoff'
import { stageStamp } from '#runtime/engine/stage-stamp'
import { suggestAsWorker } from '#runtime/learning/suggest'

/** So many questions are with the model at once. */
const askedAtOnceMax = 4
/** So often a model is asked about one question by itself, with ever longer rests between. */
const triesMax = 6
const firstRestMs = 30_000
const restTimes = 4
/** After a failure of the model nothing else is asked of it for so long. */
const restMs = 60_000
const timerMsMax = 2_147_483_647

const watched: ReadonlySet<Kind> = new Set(kindsAbout('question', 'knowledge', 'era'))

/** Looks after them until the returned function is called. */
export function watchQuestions(options: Advancing, signal: AbortSignal): () => void {
  const over = new AbortController()
  const models = askingModels(options, over.signal)
  const expiries = expiring(options, over.signal)
  const stop = options.follower.listen((_fact, { parts }) => {
    if (parts === null || !watched.has(parts.kind)) return
    models.look()
    expiries.look()
  })
  const end = (): void => {
    stop()
    over.abort()
    models.cancel()
    expiries.cancel()
  }
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  else {
    models.look()
    expiries.look()
  }
  return () => {
    signal.removeEventListener('abort', end)
    end()
  }
}

interface Looked {
  readonly look: () => void
  readonly cancel: () => void
}

function askingModels(options: Advancing, signal: AbortSignal): Looked {
  const { model, follower, clock, timer, logger } = options
  const { state } = follower
  const asked = new Set<string>()
  let restsUntil = 0
  let cancel = (): void => undefined
  if (model === undefined) return { look: () => undefined, cancel }
  const look = (): void => {
    cancel()
    // Between two eras nothing can be bound; the next one's first fact brings it up again.
    if (signal.aborted || state.sealed !== null) return
    const now = clock.now()
    const due = [...state.learning.open.values()].flatMap((proposal) => {
      const { agent } = proposal.data.intent
      // All cells share a question: that of the agent that asked first puts it to a model.
      const isOthers = cellElsewhere(state.catalog, state.place, agent) !== null
      const at = isOthers || asked.has(proposal.id) ? null : dueAt(proposal)
      return at === null ? [] : [{ id: proposal.id, at: Math.max(at, restsUntil) }]
    })
    const next = due.toSorted((one, other) => one.at - other.at)
    const free = askedAtOnceMax - asked.size
    const ready = next.filter(({ at }) => at <= now).slice(0, Math.max(0, free))
    for (const { id } of ready) void ask(id)
    // What waits for a free place is looked at again when one is.
    const later = next.find(({ at }) => at > now)
    if (later === undefined) return
    cancel = timer.after(Math.min(later.at - now, timerMsMax), look)
  }
  const ask = async (id: string): Promise<void> => {
    asked.add(id)
    try {
      const bound = await suggestAsWorker(options, model, id, signal)
      if (bound !== null && 'failed' in bound.said) restsUntil = restAfter(bound.said.failed.code)
    } catch (error) {
      if (signal.aborted) return
      restsUntil = clock.now() + restMs
      logger.warn({ stage: 'learning', error }, 'could not bind a suggestion')
    } finally {
      asked.delete(id)
      look()
    }
  }
  // A model that answers badly may answer the next question well; one that does not answer rests.
  const restAfter = (code: string): number => {
    return unheard.has(code) ? clock.now() + restMs : restsUntil
  }
  return { look, cancel: () => cancel() }
}

const unheard: ReadonlySet<string> = new Set(['no_answer', 'timed_out', 'http_status'])

/** From when on a model may be asked about it; null where it need not be. */
function dueAt({ agreed, suggestions, appendedAt }: OpenProposal): number | null {
  const { usable, next, lastAt } = suggestions
  const tries = next - 1
  if (agreed !== null || usable.length > 0 || tries >= triesMax) return null
  return lastAt === null ? appendedAt : lastAt + firstRestMs * restTimes ** Math.max(0, tries - 1)
}

function expiring(options: Advancing, signal: AbortSignal): Looked {
  const { follower, clock, timer, logger } = options
  const { state } = follower
  // A name that something else has taken is not tried again.
  const tried = new Set<string>()
  let cancel = (): void => undefined
  let failures = 0
  const look = (): void => {
    cancel()
    if (signal.aborted || state.sealed !== null) return
    const open = [...state.learning.open.keys()].filter((id) => !tried.has(id))
    const due = open.flatMap((id) => expiresAt(state, id) ?? [])
    if (due.length === 0) return
    const waitMs = Math.max(0, Math.min(...due) - clock.now())
    cancel = timer.after(Math.min(waitMs, timerMsMax), () => void expireAll())
  }
  const expireAll = async (): Promise<void> => {
    try {
      for (const id of state.learning.open.keys()) {
        const draft = tried.has(id) ? null : expiryDraft(state, id, clock.now())
        if (draft === null) continue
        const bytes = writeEvent('expiry', draft.name, jsonOf(draft.data), stageStamp(options))
        const { fact } = await bind(options, 'expiry', { name: draft.name, bytes })
        await follower.reached(fact.position)
        tried.add(id)
      }
      failures = 0
      look()
    } catch (error) {
      if (signal.aborted) return
      failures += 1
      logger.warn({ stage: 'learning', error }, 'could not expire a question')
      cancel = timer.after(backoffMs(failures), look)
    }
  }
  return { look, cancel: () => cancel() }
}
