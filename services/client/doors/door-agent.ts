// What a door does in the name of a principal: all that an agent of a program does, the two words
// of a guard that runs elsewhere, and messages that arrive whole and signed. It holds no rule:
// whether the door may speak for that principal, the catalog says, and the fold again.
import { newestRules } from '#rules/catalog/rules-version'
import { addressOf, nameOf, partsInRealm, token, patternsOf } from '#record/names'
import { checkBytes } from '#messages/check'
import { openingOf } from '#messages/opening'
import { doorRefusal, lookRefusal, type DoorRefusal } from '#rules/catalog/doors/speaking'
import { readData } from '#record/event'
import { Fault } from '#record/fault'
import { isFrom, isInSession } from '#messages/sender'
import { writeLine } from '#record/ndjson'
import { bindInEra, factAbout } from '#runtime/engine/binding'
import type { Fact } from '#ports/log'
import type { Runtime } from '#runtime/engine/runtime'
import { provingOn } from '#replay/verdicts/proving'
import { requestOf } from '#replay/verdicts/request'
import { soundnessOn } from '#replay/verdicts/soundness'
import type { Verdict } from '#replay/verdicts/verdict'
import type { VerdictData } from '#schemas/facts'
import type { Intent } from '#schemas/intent'
import type { VlpMessage } from '#schemas/vlp'
import { stages } from '#workers/stages'
import { agentOn } from '../agent.ts'
import { verdictIn } from '../asking.ts'
import { foldingLog } from '../folding.ts'
import { redeemedTerms } from '../guard/guard.ts'
import { redeemingOn } from '../guard/redeeming.ts'
import type { Published } from '../publishing.ts'
import type { Agent } from '../warrant.ts'
import { workKnownTo } from '../work-known.ts'

/** What became of a tool that its caller ran itself. */
export interface ReportedOutcome {
  readonly outcome: 'succeeded' | 'failed' | 'unknown'
  /** What distinguishes failures. */
  readonly code?: string | undefined
  readonly detail?: string | undefined
}

/** A message as it is in the log. */
export interface OwnMessage {
  readonly address: string
  readonly name: string
  readonly position: number
  /** By the log's clock, in milliseconds since 1970. */
  readonly appendedAt: number
  readonly message: VlpMessage
}

export interface DoorAgent extends Omit<Agent, 'guard' | 'redeem'> {
  /** Whether it has a key: then nothing counts as its word but what it signed. */
  readonly isKeyed: boolean
  /** Throws for an allow that the stages would not have bound, where that is at hand to derive. */
  sound(verdict: Verdict): Promise<Verdict>
  /** What it asks for at that address; null where that opens no intent of its own. */
  requested(intent: string): Promise<Intent | null>
  /** Its own message at that address; null where it has none there. */
  message(address: string): Promise<OwnMessage | null>
  /**
   * Redeems the warrant of an intent of its own, once, as a guard does right before the tool runs.
   * Throws a Fault where it must not run: `not_allowed`, `warrant_used`, `warrant_expired` and what
   * else a guard refuses for.
   */
  start(intent: string): Promise<NonNullable<VerdictData['terms']>>
  /** Records what came of it. The same again changes nothing. */
  end(intent: string, outcome: ReportedOutcome): Promise<void>
  /** Binds a message that it has signed itself, at the address that it was signed for. */
  relay(address: string, message: VlpMessage): Promise<Published>
}

/** The agents of one door on one runtime: they share one wait and one memory of verdicts. */
export interface DoorAgents {
  /** Throws a Fault `door_refused` where the door does not speak for that principal now. */
  agentFor(principal: string): DoorAgent
  /** Throws the same where that principal may not even look at what is theirs. */
  admit(principal: string): void
  /** Ends every wait. */
  close(): void
}

/** Those for whom that door speaks. */
export function doorAgents(runtime: Runtime, door: string): DoorAgents {
  const log = foldingLog(runtime)
  const proving = provingOn(runtime, stages, null, { observed: true })
  const made = new Map<string, DoorAgent>()
  let madeBy = runtime.follower.state.catalog
  return {
    agentFor(principal) {
      const { catalog } = runtime.follower.state
      refuseFor(doorRefusal(catalog, principal, door), { principal, door })
      if (catalog !== madeBy) made.clear()
      madeBy = catalog
      const before = made.get(principal)
      if (before !== undefined) return before
      const agent = doorAgent({ runtime, log, proving }, { as: principal, via: door })
      made.set(principal, agent)
      return agent
    },
    admit(principal) {
      const { catalog } = runtime.follower.state
      refuseFor(lookRefusal(catalog, principal, door), { principal, door })
    },
    close() {
      log.stop()
      proving.stop()
    },
  }
}

const reasons: Readonly<Record<DoorRefusal, string>> = {
  unknown: 'the catalog does not know it',
  suspended: 'it is suspended',
  unassigned: 'the catalog does not assign this door to it',
  has_duty: 'it decides for others, which no door may',
}

/** Throws a Fault `door_refused` that says why. */
function refuseFor(
  why: DoorRefusal | null,
  { principal, door }: { readonly principal: string; readonly door: string },
): void {
  if (why === null) return
  throw new Fault(
    'door_refused',
    `\`${door}\` does not speak for \`${principal}\`: ${reasons[why]}`,
  )
}

const addressPattern = /^[A-Za-z0-9_-]{1,64}(?:\.[A-Za-z0-9_-]{1,64}){2}$/
const readBy = { knownConstraints: [], rules: newestRules, exact: false }

interface Shared {
  readonly runtime: Runtime
  readonly log: ReturnType<typeof foldingLog>
  readonly proving: ReturnType<typeof provingOn>
}

interface DoorSpeaker {
  readonly as: string
  readonly via: string
}

function doorAgent({ runtime, log, proving }: Shared, speaker: DoorSpeaker): DoorAgent {
  const { logger, logClock: clock, follower } = runtime
  const redeeming = redeemingOn(runtime, proving, speaker)
  const { catalog } = follower.state
  const { atHand, derived } = soundnessOn(runtime, proving)
  const agent = agentOn({
    log,
    speaker,
    logger,
    clock,
    redeeming: () => redeeming,
    known: () => Promise.resolve(null),
    catalog: () => ({
      capabilities: catalog.capabilities,
      revision: follower.state.catalogRevision,
    }),
    work: workKnownTo(runtime),
    where: '',
    sound: () => derived,
  })
  const opening = (address: string): Promise<Fact | undefined> => {
    const isOwn = address.split('.')[0] === token(speaker.as) && addressPattern.test(address)
    return isOwn ? log.opening(address) : Promise.resolve(undefined)
  }
  const decided = (intent: string): Promise<Verdict> => verdictIn(log, intent, { waitMs: 0 })
  return {
    ...agent,
    isKeyed: catalog.keyed.has(speaker.as),
    sound: atHand,
    async message(address) {
      const fact = await opening(address)
      const message = fact === undefined ? null : checkBytes(fact.bytes, readBy).message
      if (fact === undefined || message?.sender !== speaker.as) return null
      const { name, position, appendedAt } = fact
      return { address, name, position, appendedAt, message }
    },
    async requested(intent) {
      const opened = await opening(intent)
      return opened === undefined ? null : (openingOf(opened, readBy)?.request ?? null)
    },
    async start(intent) {
      const verdict = await decided(intent)
      if (verdict.outcome !== 'allow' || verdict.terms === null) {
        throw new Fault('not_allowed', `the verdict on \`${intent}\` is no allow`)
      }
      const { useBy } = verdict.terms
      // What has expired costs no proof.
      if (clock.now() > Date.parse(useBy)) {
        throw new Fault('warrant_expired', `the warrant was good until ${useBy}`)
      }
      const { tool: capability, args } = requestOf(await log.opening(intent), intent)
      return redeemedTerms({ redeeming, logger, clock }, verdict, { capability, args })
    },
    async end(intent, { outcome, code, detail }) {
      const verdict = await decided(intent)
      if ((await factAbout(runtime, 'ownstart', intent)) === undefined && !verdict.observed) {
        throw new Fault('not_started', `\`${intent}\` was not started by its own guard`)
      }
      const said = {
        outcome,
        ...(code !== undefined && { code }),
        ...(detail !== undefined && { detail }),
      }
      if (!(await redeeming.end(verdict, said))) await refuseOther(runtime, intent, outcome)
    },
    relay: (address, message) => relayed(runtime, speaker.as, { address, message }),
  }
}

async function refuseOther(
  runtime: Runtime,
  intent: string,
  outcome: ReportedOutcome['outcome'],
): Promise<void> {
  const recorded = readData('ownoutcome', await factAbout(runtime, 'ownoutcome', intent))
  if (recorded?.outcome === outcome) return
  const was = recorded?.outcome ?? 'unreadable'
  throw new Fault('outcome_recorded', `the outcome of \`${intent}\` is recorded as ${was}`)
}

async function relayed(
  runtime: Runtime,
  sender: string,
  { address, message }: { readonly address: string; readonly message: VlpMessage },
): Promise<Published> {
  const { state } = runtime.follower
  const name = nameOf(state.place, 'vlp', address)
  const id = address.split('.')[2] ?? ''
  const isThere = partsInRealm(name, state.place.realm)?.address === address
  const place = addressOf(sender, message.session_id ?? null, id)
  // The fold would take it for forged, and its name would be used up.
  const isOwn = message.sender === sender && isThere && place === address
  if (!isOwn || !isInSession(name, message) || !isFrom(name, message, state)) {
    const what = `the message is not one of \`${sender}\` that is signed for \`${address}\``
    throw new Fault('signature_needed', `${what} in this log`)
  }
  const bytes = Buffer.from(writeLine(message).trimEnd(), 'utf8')
  const said = { kind: 'vlp' as const, tokens: [address], bytes: () => bytes }
  const { appended, fact } = await bindInEra(runtime, said)
  const isSame = Buffer.compare(fact.bytes, bytes) === 0
  if (!appended && !isSame) throw new Fault('name_taken', `\`${name}\` is bound already`)
  return { appended, name: fact.name, position: fact.position, address }
}

// What people were asked about in one session of an agent, as the log has it: so a door that was
// started again finds what they have decided meanwhile.

export interface ReviewedCall {
  readonly intent: string
  readonly request: Intent
}

/** How far back the log is looked through. */
const factsMax = 20_000

/** The oldest first; one that people were asked about again stands there again. */
export async function* askedBefore(
  runtime: Runtime,
  { principal, session }: { readonly principal: string; readonly session: string | null },
): AsyncGenerator<ReviewedCall> {
  const { place, position } = runtime.follower.state
  if (position === 0) return
  const [agent = '', within = ''] = addressOf(principal, session, '-').split('.')
  const range = { from: Math.max(1, position - factsMax), to: position }
  const patterns = patternsOf(place, 'review', agent, within, '*', '*')
  for await (const fact of runtime.log.read(range, patterns)) {
    const intent = readData('review', fact)?.intent.address
    if (intent === undefined || intent.split('.')[0] !== token(principal)) continue
    const opening = await factAbout(runtime, 'vlp', intent)
    if (opening === undefined) continue
    yield { intent, request: requestOf(opening, intent) }
  }
}

/** The folder of the first call in that session that has one; null where none has. */
export async function firstFolder(
  runtime: Runtime,
  { principal, session }: { readonly principal: string; readonly session: string },
): Promise<string | null> {
  const { place, position } = runtime.follower.state
  if (position === 0) return null
  const [agent = '', within = ''] = addressOf(principal, session, '-').split('.')
  const range = { from: Math.max(1, position - factsMax), to: position }
  for await (const fact of runtime.log.read(range, patternsOf(place, 'vlp', agent, within, '*'))) {
    const args = openingOf(fact, { knownConstraints: [], rules: newestRules })?.request?.args
    const folder = args?.['root'] ?? args?.['cwd']
    if (typeof folder === 'string') return folder
  }
  return null
}
