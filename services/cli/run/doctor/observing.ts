// What is only observed: by whom, through which hooks, and what of it is not in the log. Nothing of
// it is enforced, which a person must not forget.
import { readFile } from 'node:fs/promises'
import { hooksIn } from '#shell/hooks/hook-settings'
import { hosts } from '#shell/hooks/hosts/hosts'
import { readData } from '#record/event'
import { partsInRealm } from '#record/names'
import type { State } from '#state/state'
import { counted, utc } from '#present/wording'
import type { FoldListener } from '#runtime/engine/follower'
import { missedCalls, missedCallsFile } from '#health/missed-calls'
import { warning, type DoctorFinding } from '#health/doctor/finding'
import type { Settings } from '#schemas/settings/settings'
import { observesIn, settingsFile } from '#cli/agents/hook/settings-place'

const dayMs = 86_400_000

/** Counts the observed verdicts of the last day by agent, as a log is folded. */
export function observedCount(realm: string, now: number) {
  const calls = new Map<string, number>()
  const count: FoldListener = (fact, { void: why }) => {
    if (why !== null || fact.appendedAt < now - dayMs) return
    if (partsInRealm(fact.name, realm)?.kind !== 'verdict') return
    const data = readData('verdict', fact)
    if (data?.observed !== true) return
    const { agent } = data.intent
    calls.set(agent, (calls.get(agent) ?? 0) + 1)
  }
  return { count, read: (): ReadonlyMap<string, number> => calls }
}

const fix = 'read `warrant stats --observed`, then take `--observe` away (docs/agents/adopt.md)'

/** An evaluation is always observed, and who asks for one enforces the answer: that is left out. */
export function observedFindings(
  { catalog }: Pick<State, 'catalog'>,
  calls: ReadonlyMap<string, number>,
): readonly DoctorFinding[] {
  return [...calls].flatMap(([agent, count]) => {
    if (catalog.principals.get(agent)?.evaluates !== undefined) return []
    const found = `nothing was enforced of ${counted(count, 'call')} of the last day: observed only`
    return [warning('observing', found, { about: agent, fix })]
  })
}

/** Of this machine: hooks that only observe, and calls of the last day that no log has. */
export async function observingHere(
  settings: Settings,
  now: number,
): Promise<readonly DoctorFinding[]> {
  // In the user's own folder both are one file.
  const places = hosts.flatMap((host) => {
    const files = [settingsFile({ for: host }), settingsFile({ for: host, user: true })]
    return [...new Set(files)].map((file) => ({ host, file }))
  })
  const hooks = await Promise.all(
    places.map(async ({ host, file }) => {
      const text = await readFile(file, 'utf8').catch(() => '')
      const words = hooksIn(text, host).flatMap(({ entry }) => JSON.stringify(entry).split('"'))
      if (!words.some(observesIn)) return []
      const found = `nothing is enforced: the hooks of ${host.name} only observe`
      return [warning('observing', found, { about: file, fix })]
    }),
  )
  return [...hooks.flat(), ...missedFindings(settings, now)]
}

function missedFindings(settings: Settings, now: number): readonly DoctorFinding[] {
  const file = missedCallsFile(settings)
  const missed = missedCalls(file, now - dayMs)
  if (missed === null) return []
  const { count, isFull, last } = missed
  const least = isFull ? 'at least ' : ''
  const found = `${least}${counted(count, 'observed call')} of the last day are in no log`
  const why = `${found}; the last through ${last.door}, ${utc(last.at)}: ${last.why}`
  return [
    warning('observing', why, { about: file, fix: 'reach the log; delete the file to forget' }),
  ]
}
