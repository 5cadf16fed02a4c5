// An export of one intent: the facts that decide it, taken from a log and tried at once, and
// derived again by who has nothing but the file. It proves what follows from these facts, and never
// that there were no others.
import { threadCallbacks } from '#runtime/callbacks/thread'
import { type Place, agentIn, isControl, isName, partsInRealm, type NameParts } from '#record/names'
import type { Stage } from '#stages/stage'
import type { CallbackRunner } from '#ports/callbacks'
import type { Fact, LogReader } from '#ports/log'
import { lastPlace } from '../eras/last-era.ts'
import { refuseOtherRoot } from '../eras/root-key.ts'
import { replay, type ReplayReport } from '../replay.ts'
import { partLog, type PartLog } from './part-log.ts'
import { readBundle, type BundleItem } from './read.ts'
import type { Omitted } from './write.ts'
import { readData } from '#record/event'
import { isUse, kinds } from '#schemas/kinds'
import { stampOf } from '../recorded-stamp.ts'

// Which facts decide one intent: those about it, all that its agent said and was given, its
// session, what all share of rules and knowledge, and what any of that names. Whether these are
// all, only deriving from them shows.

/** What is known of the facts about an intent. */
interface IntentFacts {
  readonly address: string
  /** The last position of one of them. */
  readonly to: number
  /** How many of them a stage derived. */
  readonly derived: number
  /** The positions that these were derived at. */
  readonly bases: ReadonlySet<number>
  /** What they name. */
  readonly mentioned: ReadonlySet<string>
  /** The budgets and grants that it takes, as names without the number of the use. */
  readonly takes: ReadonlySet<string>
}

/**
 * Which uses of budgets and grants are there: of those that it takes itself, or of all, since what
 * is refused for a budget takes nothing of it. `everything`: all facts up to the last about it.
 */
type DecidingExtent = 'own' | 'uses' | 'everything'

async function factsAbout(log: LogReader, { realm }: Place, address: string): Promise<IntentFacts> {
  const bases = new Set<number>()
  const mentioned = new Set<string>()
  const takes = new Set<string>()
  let to = 0
  let derived = 0
  for await (const fact of log.read({})) {
    const parts = partsInRealm(fact.name, realm)
    if (parts === null) continue
    const isShared = isUse(parts.kind) && agentOf(parts) === null
    if (isShared && addressIn(fact, parts) === address) takes.add(sequenceOf(fact.name))
    if (agentOf(parts) !== agentIn(address)) continue
    if (addressIn(fact, parts) !== address) continue
    to = fact.position
    for (const name of namesIn(fact)) mentioned.add(name)
    const basis = kinds[parts.kind].derived === true ? stampOf(fact)?.basis : undefined
    if (basis === undefined) continue
    bases.add(basis)
    if (parts.address === address) derived += 1
  }
  return { address, to, derived, bases, mentioned, takes }
}

/** The facts that decide it, to that extent. */
async function* decidingFacts(
  log: LogReader,
  { realm }: Place,
  { of, extent }: { readonly of: IntentFacts; readonly extent: DecidingExtent },
): AsyncGenerator<Fact | Omitted, void, void> {
  // Where a gap has begun, and its last fact so far.
  let from: number | null = null
  let last: Pick<Fact, 'position' | 'appendedAt'> = { position: 0, appendedAt: 0 }
  const gap = (start: number): Omitted => {
    return { from: start, to: last.position, appendedAt: last.appendedAt }
  }
  for await (const fact of log.read({ to: of.to })) {
    const parts = partsInRealm(fact.name, realm)
    if (extent === 'everything' || decides(fact, parts, of, extent === 'uses')) {
      if (from !== null) yield gap(from)
      from = null
      yield fact
      continue
    }
    from ??= fact.position
    last = fact
    // Something was derived right there, by the time of that fact.
    if (!of.bases.has(fact.position)) continue
    yield gap(from)
    from = null
  }
  if (from !== null) yield gap(from)
}

function decides(
  { name }: Fact,
  parts: NameParts | null,
  of: IntentFacts,
  hasUses: boolean,
): boolean {
  if (of.mentioned.has(name)) return true
  if (parts === null) return false
  const { kind, tokens } = parts
  if (isControl(kind) || kinds[kind].about === 'era') return true
  const agent = agentOf(parts)
  if (agent === agentIn(of.address)) return true
  if (agent === null && isUse(kind)) return hasUses || of.takes.has(sequenceOf(name))
  const [, session] = of.address.split('.')
  return kinds[kind].about === 'intent' && session !== '-' && tokens[1] === session
}

function sequenceOf(name: string): string {
  return name.slice(0, name.lastIndexOf('.'))
}

function addressIn(fact: Fact, { kind, address }: NameParts): string | null {
  return isUse(kind) ? (readData(kind, fact)?.intent.address ?? null) : address
}

/** The agent or sender that the name says; null where it says none. */
function agentOf({ kind, tokens }: NameParts): string | null {
  const at = kinds[kind].tokens.findIndex((one) => one === 'agent' || one === 'sender')
  return tokens[at] ?? null
}

const texts = /"([A-Za-z0-9_-]{1,64}(?:\.[A-Za-z0-9_-]{1,64}){2,8})"/g

function namesIn({ bytes }: Fact): readonly string[] {
  const text = Buffer.from(bytes).toString('utf8')
  return [...text.matchAll(texts)].flatMap(([, name = '']) => (isName(name) ? [name] : []))
}

interface Deriving {
  readonly place: Place
  readonly rootKey: string | null
  readonly stages: readonly Stage[]
  readonly callbacks: CallbackRunner
}

export interface IntentTaken {
  readonly parts: () => AsyncIterable<Fact | Omitted>
  readonly about: IntentFacts
  readonly facts: number
  /** Whether all facts up to the last about it are there, since fewer did not derive it. */
  readonly isWhole: boolean
  readonly report: ReplayReport
}

/** The fewest facts of the log that derive what was recorded of it, of those that are tried. */
export async function takeIntent(
  log: LogReader,
  address: string,
  deriving: Deriving,
): Promise<IntentTaken> {
  const { place } = deriving
  const about = await factsAbout(log, place, address)
  const taken = async (extent: DecidingExtent): Promise<IntentTaken> => {
    const parts = () => decidingFacts(log, place, { of: about, extent })
    const part = await partLog(parts())
    const report = await derivedFrom(part, address, deriving)
    return { parts, about, facts: part.facts.length, isWhole: extent === 'everything', report }
  }
  for (const extent of ['own', 'uses'] as const) {
    const few = await taken(extent)
    if (derivesAll(few.report, about)) return few
  }
  return taken('everything')
}

export function derivesAll(
  report: ReplayReport,
  { derived }: Pick<IntentFacts, 'derived'>,
): boolean {
  return report.differences === 0 && report.derived === derived
}

function derivedFrom(log: PartLog, address: string, deriving: Deriving): Promise<ReplayReport> {
  return replay({ ...deriving, log, address, isPart: true })
}

export interface IntentRead {
  readonly log: PartLog
  readonly place: Place
  readonly about: IntentFacts
  readonly report: ReplayReport
  /** Of the callback modules that the catalogs pinned. */
  readonly missing: readonly string[]
}

/** Reads the export of that intent, and derives it again. */
export async function readIntent(
  file: string,
  { realm, intent }: { readonly realm: string; readonly intent: string },
  proving: Pick<Deriving, 'rootKey' | 'stages'>,
): Promise<IntentRead> {
  const modules = new Map<string, string>()
  const missing: string[] = []
  const parts = async function* (): AsyncGenerator<Fact | Omitted, void, void> {
    for await (const item of readBundle(file)) {
      if (item.is === 'module') modules.set(item.digest, item.source)
      if (item.is === 'module_missing') missing.push(item.digest)
      const part = partIn(item)
      if (part !== null) yield part
    }
  }
  const log = await partLog(parts())
  await refuseOtherRoot(log, { realm }, proving.rootKey)
  const place = await lastPlace(log, realm)
  // Code of who wrote the file: the root key shows who let it in.
  const callbacks = threadCallbacks((digest) =>
    Promise.resolve(proving.rootKey === null ? null : (modules.get(digest) ?? null)),
  )
  try {
    const about = await factsAbout(log, place, intent)
    const report = await derivedFrom(log, intent, { ...proving, place, callbacks })
    return { log, place, about, report, missing }
  } finally {
    await callbacks.close()
  }
}

function partIn(item: BundleItem): Fact | Omitted | null {
  if (item.is === 'fact') return item.fact
  return item.is === 'gap' ? item.gap : null
}
