// What is found of how far this user saw the log before: whether it goes on from there, whether
// that is kept at all, and whether what was folded of it goes further than the log does.
import { basename } from 'node:path'
import { snapshotsBeyond, snapshotsFolder } from '#replay/cache/store'
import { keptMark, marksFor, whyNotKept } from '#replay/marks/mark-files'
import type { LogPlace } from '#runtime/logs/log-url'
import type { Runtime } from '#runtime/engine/runtime'
import { failure, ok, warning, type DoctorFinding } from '#health/doctor/finding'
import { configuration } from '#wiring/config'

export async function rollbackFindings(
  runtime: Runtime,
  place: LogPlace,
): Promise<readonly DoctorFinding[]> {
  if (place.folder === null || place.url === 'memory:') return []
  return [await markFinding(runtime, place), ...(await snapshotFindings(runtime, place))]
}

async function markFinding(
  { follower, rolledBack }: Runtime,
  at: LogPlace,
): Promise<DoctorFinding> {
  const { log, place } = follower.state
  if (rolledBack !== null) {
    const fix = 'find out who did it; if it is meant, `warrant log accept-rollback`'
    return failure('rollback', rolledBack.fault.message, { fix })
  }
  const marks = marksFor(at, configuration())
  const why = marks === null ? 'this user has no home' : await whyNotKept(marks.folder)
  if (marks === null || why !== null) {
    const found = `how far this user saw the log is not kept (${why}): no rollback would be noticed`
    return warning('rollback', found, { fix: 'set WARRANT_MARKS to a folder that lasts' })
  }
  if (log === null) return ok('rollback', 'the log has no catalog yet')
  const mark = await keptMark({ folder: marks.folder, realm: place.realm, log })
  if (mark === null) return ok('rollback', 'this user sees the log for the first time')
  const when = new Date(mark.appendedAt).toISOString()
  const seen = `position ${mark.position}, of ${when}`
  return ok('rollback', `the log goes on from all that this user saw of it: ${seen}`)
}

async function snapshotFindings(
  { log, follower }: Runtime,
  place: LogPlace,
): Promise<readonly DoctorFinding[]> {
  const folder = snapshotsFolder(place)
  if (folder === null) return []
  const { state } = follower
  const { realm } = state.place
  const beyond = await snapshotsBeyond({ log, realm, rootKey: state.rootKey, folder })
  return beyond.map(({ path, about: { last } }) => {
    const found = `it was folded up to position ${last.position}, and ends at ${state.position}`
    const about = basename(path)
    const remove = '`warrant log snapshot --remove`'
    return state.catalog.rollbacks.has(realm)
      ? warning('rollback', `${found}; a rollback was accepted`, { about, fix: remove })
      : failure('rollback', `${found}: an older state of it was brought back`, {
          about,
          fix: `find out who did it; if it is meant, ${remove}`,
        })
  })
}
