// An export of one intent: the facts that decide it, taken from a log and tried at once, and
// derived again by who has nothing but the file. It proves what follows from these facts, and never
// that there were no others.
import { threadCallbacks } from '#runtime/callbacks/thread'
import type { Place } from '#record/names'
import type { Stage } from '#stages/stage'
import type { CallbackRunner } from '#ports/callbacks'
import type { Fact, LogReader } from '#ports/log'
import { lastPlace } from '../eras/last-era.ts'
import { refuseOtherRoot } from '../eras/root-key.ts'
import { replay, type ReplayReport } from '../replay.ts'
import { decidingFacts, factsAbout } from './deciding.ts'
import type { DecidingExtent, IntentFacts } from './deciding.ts'
import { partLog, type PartLog } from './part-log.ts'
import { readBundle, type BundleItem } from './read.ts'
import type { Omitted } from './write.ts'

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
