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
import { isEraKeeper } from '#state/eras/due'
import { ok, warning, type DoctorFinding } from '#health/doctor/finding'

const rotates = 'let `warrant up` run, on servers `warrant up eras`; its log lines say what fails'

/** Nothing where policy admins alone rotate eras. */
export async function keptFindings(
  runtime: Runtime,
  place: LogPlace,
): Promise<readonly DoctorFinding[]> {
  const { state } = runtime.follower
  const age = await eraNow(runtime)
  if (age === null) return []
  const { era } = state.place
  const now = eraAgeText(era, age)
  if (![...state.catalog.principals.values()].some(isEraKeeper)) {
    const fix = 'have a policy admin run `warrant log auto-rotate` again'
    return [warning('eras', `no principal is an era keeper, so no one rotates: ${now}`, { fix })]
  }
  const missing = isRemote(place) ? [] : unarchived(runtime)
  return [
    state.sealed !== null
      ? warning('eras', `era ${era} is sealed, and the next is not open`, { fix: rotates })
      : age.dueBy === null
        ? ok('eras', now)
        : warning('eras', now, { fix: rotates }),
    ...missing.slice(0, 1).map((first) => {
      const found = `${counted(missing.length, 'sealed era')} not archived, era ${first} first`
      return warning('eras', found, { fix: rotates })
    }),
  ]
}

/** Of a log in a file: they lie beside it. */
function unarchived({ follower, folder }: Runtime): readonly number[] {
  const { place } = follower.state
  const sealed = Array.from({ length: place.era - 1 }, (_, before) => before + 1)
  const file = (era: number) => join(folder ?? '.', 'archive', archiveName({ ...place, era }))
  return sealed.filter((era) => !existsSync(file(era)))
}
