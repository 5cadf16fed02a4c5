// The port of a client: the log as an agent needs it, to publish under its own name and to wait for
// a verdict. Three drivers: one folds the whole log, one reads only what is the agent's own, and
// one asks a server over HTTP.
import type { Fault } from '#record/fault'
import type { Waits } from '#present/story/waits'
import type { Clock } from '#ports/clock'
import type { Fact } from '#ports/log'
import type { SaidFact } from '#runtime/engine/binding'
import type { Verdict } from '#replay/verdicts/verdict'
import type { Intent } from '#schemas/intent'

export interface IntentLog {
  readonly clock: Clock
  /** A new ULID of the log's time, which may not be this machine's; greater than all before. */
  nextId(): string
  /** The position up to which this client knows the log. */
  basis(): number
  /** The log's identity, which a signature covers. */
  id(): string | null
  /** The highest number that this sender has used in the session, as far as it can be read. */
  lastSeq(sender: string, session: string): Promise<number>
  /**
   * Binds it in the current era; `appended` is false where the same was bound before. With `waitMs`
   * it goes on trying for so long while the log is out of reach or full, where the driver tries.
   */
  bind(said: SaidFact, waitMs?: number): Promise<Bound>
  /** By what equal requests are recognised; null where this one may stand beside any other. */
  requestKey(sender: string, session: string | null, intent: Intent): string | null
  /**
   * The equal request that this sender has open, as far as that is known here; null where there is
   * none, or where the rules of the log know no equal requests.
   */
  equalOpen(sender: string, session: string | null, intent: Intent): OpenBefore | null
  /** The message that opens an intent; undefined where it is not there or may not be read. */
  opening(address: string): Promise<Fact | undefined>
  /** Waits for the verdict on an intent, for as long as the wait says. */
  wait(address: string, wait: Wait): Promise<IntentStanding>
}

export interface OpenBefore {
  readonly address: string
  /** Whether asking takes its place: by the rules of the log, or once its agent takes it back. */
  readonly givesWay: 'by_rule' | 'once_withdrawn' | null
}

export interface Bound {
  readonly appended: boolean
  readonly name: string
  readonly position: number
}

export interface Wait {
  readonly waitMs: number
  /** Whether it goes on for as long as people may answer or learning may close its gaps. */
  readonly isPatient: boolean
  /** Its message, where this client has just published it. */
  readonly since: Bound | undefined
  /**
   * Called when people are asked, or learning asks them, with what is known of what it is about;
   * each time it is looked at. It never throws, and where it returns false the wait ends.
   */
  readonly onAsked: ((waits: Waits, known: () => string | null) => boolean) | undefined
  /** No one waits any more once it is aborted: what it then comes to is not looked at. */
  readonly signal: AbortSignal | undefined
}

/** Whether it waits for what people say. */
export function isAsked({ for: what }: Waits): boolean {
  return what === 'people' || what === 'learning'
}

/** What the log has on an intent: its verdict, or what is missing. */
export type IntentStanding =
  | { readonly state: 'verdict'; readonly verdict: Verdict }
  | { readonly state: 'waits'; readonly waits: Waits; readonly cause?: Fault }
