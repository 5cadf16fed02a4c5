// How much of results an agent is shown in one session: the less of it is left, the less of a
// further result, and with nothing left no call is carried out. It is counted in this process, and
// bounds what a model reads; an agent that takes another session begins with all of it.
import { LRUCache } from 'lru-cache'
import { frameBudgets, type FrameMode } from '#firewall/frame'
import { Fault } from '#record/fault'

export interface SessionBudget {
  /**
   * Holds room for one frame until `end`, in the session of the intent: those that are in none have
   * one together for each agent. `now` in milliseconds. Throws a Fault `session_budget_exceeded`
   * where nothing is left.
   */
  begin(address: string, now: number): SessionShare
}

export interface SessionShare {
  /** The mode that may be used where that one is asked for. */
  within(mode: FrameMode): FrameMode
  /** Counts what was shown. */
  add(characters: number): void
  end(): void
}

interface Session {
  readonly since: number
  shown: number
  held: number
}

const sessionsMax = 10_000
/** From the first result on; then it begins with all of it again. */
const renewsAfterMs = 3_600_000
/** Held for each call that runs: what a summary may have. */
const heldOfEach = frameBudgets.chars

/** From the one that shows most on, and the part of the budget that must be left for each. */
const modes: readonly (readonly [FrameMode, number])[] = [
  ['raw', 0.5],
  ['table', 0.2],
  ['summary', 0.05],
  ['handle_only', -Infinity],
]

/** `characters` of a session; null for no bound. */
export function sessionBudget(characters: number | null): SessionBudget {
  const sessions = new LRUCache<string, Session>({ max: sessionsMax })
  if (characters === null) return { begin: () => unbounded }
  return {
    begin(address, now) {
      const name = address.split('.', 2).join('.')
      const found = sessions.get(name)
      const isNew = found === undefined || now - found.since >= renewsAfterMs
      const session = isNew ? { since: now, shown: 0, held: 0 } : found
      if (isNew) sessions.set(name, session)
      if (session.shown + session.held >= characters) throw exceeded(session, characters)
      session.held += heldOfEach
      let isHeld = true
      return {
        within(mode) {
          const left = (characters - session.shown - session.held) / characters
          const most = modes.findIndex(([, atLeast]) => left > atLeast)
          return modes.find(([one], at) => at >= most && isNoMore(one, mode))?.[0] ?? 'handle_only'
        },
        add(count) {
          session.shown += count
        },
        end() {
          if (isHeld) session.held -= heldOfEach
          isHeld = false
        },
      }
    },
  }
}

/** As JSON, which is what an agent reads. */
export function charactersOf(shown: unknown): number {
  return shown === undefined || shown === null ? 0 : JSON.stringify(shown).length
}

const unbounded: SessionShare = {
  within: (mode) => mode,
  add: () => undefined,
  end: () => undefined,
}

/** Whether it shows no more than the other. */
function isNoMore(one: FrameMode, other: FrameMode): boolean {
  const at = (mode: FrameMode) => modes.findIndex(([each]) => each === mode)
  return at(one) >= at(other)
}

function exceeded({ since }: Session, characters: number): Fault {
  const until = new Date(since + renewsAfterMs).toISOString()
  const what = `this session was shown ${characters} characters of results`
  return new Fault(
    'session_budget_exceeded',
    `${what}, which is all that it may have until ${until}`,
  )
}
