// Which eras of a realm a server has streams for, by the names of all its streams.
import { Fault } from '#record/fault'
import { cellIn } from '#record/names'
import { look, streamInfo, streamNamesOf } from './api.ts'
import { isIntake } from './intake.ts'
import type { Requests } from './requests.ts'
import { streamNames } from './stream.ts'

/**
 * Their numbers, the oldest first. Throws a Fault `log_tampered` where the stream of one is gone,
 * and something of it is there: what is left is never taken for all.
 */
export async function erasOf(requests: Requests, realm: string): Promise<readonly number[]> {
  const names = await streamNamesOf(requests)
  const eras = numbersIn(names, streamNames({ realm, era: 0 }).log)
  const [oldest = 0] = eras
  // Eras are archived from the oldest on, and a mirror is made after its log.
  const mirrors = numbersIn(names, streamNames({ realm, era: 0 }).mirror)
  const lost = mirrors.findLast((era) => era > oldest && !eras.includes(era))
  if (lost !== undefined) {
    const { log, mirror } = streamNames({ realm, era: lost })
    throw streamGone(log, mirror)
  }
  if (eras.length > 0) return eras
  const { log } = streamNames({ realm, era: 1 })
  const cell = names.find((name) => cellIn(realmOfStream(name))?.of === realm)
  if (cell !== undefined) throw streamGone(log, cell)
  for (const intake of names.filter((name) => isIntake(realm, name))) {
    const info = await look(() => streamInfo(requests, intake))
    // One that never took anything may be of a log that is being made.
    if (info.is !== 'there' || info.value.state.last_seq === 0) continue
    throw streamGone(log, intake)
  }
  return []
}

function streamGone(log: string, left: string): Fault {
  const what = `the stream \`${log}\` is gone, and \`${left}\` is there`
  const fix = 'restore it from a copy (docs/run/operations.md, A stream is gone)'
  return new Fault('log_tampered', `${what}: ${fix}`)
}

/** The realm that a log, its mirror or an intake is of; of other streams none. */
export function realmOfStream(name: string): string {
  return /^(?:LOG|MIRROR|INTAKE)-(?<realm>.+)-[0-9]+$/.exec(name)?.groups?.['realm'] ?? ''
}

/** The numbers of the streams of such names, which end with one. */
function numbersIn(names: readonly string[], like: string): readonly number[] {
  const prefix = like.slice(0, -1)
  return names
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
    .filter((number) => /^[1-9][0-9]{0,8}$/.test(number))
    .map(Number)
    .toSorted((a, b) => a - b)
}
