// Checks what `export` or `backup` wrote, from the file alone: it is read whole, and every verdict
// in it derived again. Code in it runs only where the root key shows who let it in.
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock as clock } from '#system/clock'
import { principalNamed } from '#rules/catalog/catalog'
import { readData } from '#record/event'
import { agentIn, partsInRealm } from '#record/names'
import { derivesAll, readIntent } from '#replay/backup/intent'
import { proven } from '#replay/backup/prove'
import { readBundle } from '#replay/backup/read'
import { unpacked } from '#replay/backup/restore'
import type { BundleHeader } from '#replay/backup/format'
import { stateAt } from '#replay/eras/state-at'
import { configuration } from '#wiring/config'
import { tracedIn } from '#operations/traces'
import { stages } from '#workers/stages'
import { replayOnCores as replayed } from '../replay/on-cores.ts'
import { exitCodes } from '#schemas/faults/exit'
import { rootKeyFor } from '#cli/terminal/opening/opened'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { hintsFor } from '#cli/terminal/hint'
import { withProgress } from '#cli/terminal/progress'
import { note, print, printJson } from '#cli/terminal/terminal'
import { wrapped } from '#cli/terminal/width'
import { bundleExitCode, bundleJson, bundleLines } from './print.ts'
import { rolledBackIn } from './seen-before.ts'
import { intentLines } from './print-intent.ts'

export async function verifyFile(file: string, options: GlobalOptions): Promise<number> {
  const header = await headerIn(file)
  return header.holds === 'intent'
    ? verifyIntent(file, header, options)
    : verifyBackup(file, options)
}

async function headerIn(file: string): Promise<BundleHeader> {
  for await (const item of readBundle(file)) if (item.is === 'header') return item.header
  // INVARIANT: the reader refuses a file that does not begin with one.
  throw new Error('a bundle has a header')
}

async function verifyBackup(file: string, options: GlobalOptions): Promise<number> {
  const began = performance.now()
  const rootKey = rootKeyFor(options)
  const runsModules = rootKey !== null
  return withProgress((progress) =>
    unpacked(
      [file],
      join(tmpdir(), 'log.db'),
      async (restored) => {
        const reports = await proven(restored, { rootKey, stages, progress, replayed, runsModules })
        const of = { restored, reports, file, ms: performance.now() - began }
        const hints = hintsFor(options, configuration())
        // An era is no whole log, which could be held against what this user saw of one.
        const isWhole = restored.header.holds === 'backup'
        const departures = isWhole ? await rolledBackIn(restored, rootKey) : []
        const isOther = departures.some(({ isShorter }) => !isShorter)
        if (options.json === true) await printJson(bundleJson(of))
        else await print(bundleLines('verified', of, hints))
        for (const { fault, isShorter, seen } of departures) {
          const older = 'it is older than its log, which this user saw up to position'
          note(`warrant: ${isShorter ? `${older} ${seen.position}` : fault.message}`)
        }
        return isOther ? exitCodes.differs : bundleExitCode(of)
      },
      progress,
    ),
  )
}

async function verifyIntent(
  file: string,
  { realm, intent, made }: Extract<BundleHeader, { readonly holds: 'intent' }>,
  options: GlobalOptions,
): Promise<number> {
  const rootKey = rootKeyFor(options)
  const read = await readIntent(file, { realm, intent }, { rootKey, stages })
  const { log, place, report, about } = read
  const tracing = { log, place, now: clock.now(), deciders: null }
  const { summary } = (await tracedIn(tracing, intent)).story
  const fact = log.facts.find(({ name }) => {
    const parts = partsInRealm(name, realm)
    return parts?.kind === 'verdict' && parts.address === intent
  })
  const { catalog } = await stateAt({ log, realm, rootKey }, { at: 'end' }, 'catalog')
  const agent = principalNamed(catalog, agentIn(intent))
  const of = {
    ...read,
    intent,
    made,
    rootKey,
    summary,
    verdict: readData('verdict', fact),
    verdictAt: fact ?? null,
    agentSigns: (agent?.keys.length ?? 0) > 0,
  }
  const derives = derivesAll(report, about)
  if (options.json === true) {
    const { root, differences, unchecked, first } = report
    const counts = { facts: log.facts.length, leftOut: log.leftOut, to: about.to }
    const checked = { derives, derived: about.derived, differences, unchecked, first }
    const { verdict, agentSigns } = of
    const rooted = { root, rootKeyGiven: rootKey !== null }
    await printJson({
      intent,
      made,
      ...counts,
      ...checked,
      ...rooted,
      agentSigns,
      verdict,
      summary,
    })
  } else {
    await print(wrapped(intentLines(of, hintsFor(options, configuration()))))
  }
  if (!derives) return exitCodes.differs
  return report.unchecked === 0 ? exitCodes.yes : exitCodes.unchecked
}
