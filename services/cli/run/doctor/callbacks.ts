// Whether the callback module that the catalog pins is where a stage of this machine looks for it.
// It reads the module's bytes and never runs it.
import { Fault } from '#record/fault'
import { loadModule } from '#authoring/callback-store'
import { failure, ok, warning, type DoctorFinding } from '#health/doctor/finding'
import { isRemote, type LogPlace } from '#runtime/logs/log-url'

/** None where the catalog pins no module. */
export async function callbacksFindings(
  place: LogPlace,
  pinned: string | null,
): Promise<readonly DoctorFinding[]> {
  const { folder } = place
  if (pinned === null || folder === null) return []
  try {
    const isHere = (await loadModule(folder, pinned)) !== null
    return [isHere ? ok('callbacks', `the module ${pinned} is here`) : missing(place, pinned)]
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const fix = `bring back the module as it was when it was pinned, into ${folder}/callbacks`
    return [failure('callbacks', error.message, { about: pinned, fix })]
  }
}

function missing(place: LogPlace, about: string): DoctorFinding {
  const folder = `${place.folder}/callbacks`
  const found = `the catalog pins this module, and it is not in ${folder}`
  // On servers it is needed only where the stage policy runs, or a replay.
  if (isRemote(place)) {
    const fix = `copy it there from a machine that runs \`warrant up policy\``
    return warning('callbacks', found, { about, fix })
  }
  const fix = 'copy it there from beside the log that this is a copy of; replay needs it as well'
  return failure('callbacks', found, { about, fix })
}
