// Whether eras are rotated in time, where an era keeper may rotate them, and what is sealed is
// archived.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { eraAgeText } from '#present/era-age'
import { counted } from '#present/wording'
import { archiveName } from '#replay/backup/era-archive'
import { eraNow } from '#replay/eras/rotate'
import type { Runtime } from '#runtime/engine/runtime'
import { isRemote, type LogPlace } from '#runtime/logs/log-url'
import { isEraKeeper, type EraAge } from '#state/eras/due'
import type { State } from '#state/state'
import { ok, warning, type DoctorFinding } from '#health/doctor/finding'

const rotates = 'let `warrant up` run, on servers `warrant up eras`; its log lines say what fails'

/** Nothing where policy admins alone rotate eras, and left none half done. */
export async function keptFindings(
  runtime: Runtime,
  { place, archive }: { readonly place: LogPlace; readonly archive: string | null },
): Promise<readonly DoctorFinding[]> {
  const { state } = runtime.follower
  const age = await eraNow(runtime)
  const { era } = state.place
  // Of a log in a file they lie beside it; those of servers are on a machine that only people know.
  const beside = isRemote(place) || age === null ? null : join(runtime.folder ?? '.', 'archive')
  return [
    ...(state.sealed === null ? dueFindings(state, age) : [halfRotated(era, age)]),
    ...missingFindings(unarchived(runtime, archive ?? beside)),
  ]
}

function dueFindings(state: State, age: EraAge | null): readonly DoctorFinding[] {
  if (age === null) return []
  const now = eraAgeText(state.place.era, age)
  if (![...state.catalog.principals.values()].some(isEraKeeper)) {
    const fix = 'have a policy admin run `warrant log auto-rotate` again'
    return [warning('eras', `no principal is an era keeper, so no one rotates: ${now}`, { fix })]
  }
  return [age.dueBy === null ? ok('eras', now) : warning('eras', now, { fix: rotates })]
}

function halfRotated(era: number, age: EraAge | null): DoctorFinding {
  const fix = age === null ? 'have a policy admin run `warrant log rotate` again' : rotates
  return warning('eras', `era ${era} is sealed, and the next is not open`, { fix })
}

function missingFindings(missing: readonly number[]): readonly DoctorFinding[] {
  return missing.slice(0, 1).map((first) => {
    const found = `${counted(missing.length, 'sealed era')} not archived, era ${first} first`
    return warning('eras', found, { fix: rotates })
  })
}

function unarchived({ follower }: Runtime, folder: string | null): readonly number[] {
  if (folder === null) return []
  const { place } = follower.state
  const sealed = Array.from({ length: place.era - 1 }, (_, before) => before + 1)
  const file = (era: number) => join(folder, archiveName({ ...place, era }))
  return sealed.filter((era) => !existsSync(file(era)))
}
