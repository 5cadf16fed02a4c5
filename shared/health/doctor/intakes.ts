// What is found of the streams that take in what speakers publish: every field, whether the log
// keeps up with them, and which of them stand still.
import type { StreamInfo } from '#log/nats/api'
import type { NatsSeen } from '#log/nats-admin/inspect'
import { standsMs, type IntakeSeen } from '#log/nats-admin/inspect-intakes'
import { intakeQueue, intakeQueueConfig, isInTurn, isIntake } from '#log/nats/intake'
import { intakeStream, isControlStream, streamNames } from '#log/nats/stream'
import { takesFromSpeakers } from '#log/nats/stream'
import { cellIn } from '#record/names'
import { differencesIn } from '#log/nats/wholeness'
import { failure, ok, warning, type DoctorFinding } from './finding.ts'
import { fieldsFinding, infoIn } from './streams.ts'

const lagMax = 10_000

export function intakeFindings(
  realm: string,
  { eras, intakes, shared }: Pick<NatsSeen, 'eras' | 'intakes' | 'shared'>,
): readonly DoctorFinding[] {
  const newest = eras?.at(-1)
  if (newest?.log.is !== 'there') return []
  const fields = intakes.map(({ name: about, info: seen }, index) => {
    const info = infoIn('intake', about, seen)
    if (!('config' in info)) return info
    const wanted = intakeStream(realm, index, { replicas: 1, intakes: intakes.length })
    const { first_seq: _first, ...config } = info.config
    return fieldsFinding('intake', about, differencesIn(wanted, config))
  })
  const standing = intakes.flatMap(standingFindings)
  const taking = takingFinding({ realm, era: newest.era }, newest.log.value)
  const claims = [...intakes, ...(shared === null ? [] : [shared])].flatMap(claimFindings)
  const queues = intakes.flatMap((one, index) => queueFindings(realm, index, one))
  return [taking, ...claims, ...standing, ...fields, ...queues]
}

/**
 * Whether the log says that it took what is not there: who knows the server can write the position
 * into a message of their own. As it starts, the server goes on behind it.
 */
function claimFindings({
  name: about,
  info,
  claimed,
}: Pick<IntakeSeen, 'name' | 'info' | 'claimed'>): readonly DoctorFinding[] {
  if (info.is !== 'there' || claimed <= info.value.state.last_seq) return []
  const { last_seq: last } = info.value.state
  const found = `the log claims to have it up to ${claimed}, and it ends at ${last}`
  const why = 'what comes up to there is passed over once its server is started again'
  const more = 'docs/run/operations.md says more'
  const fix = `${why}: rotate the era before, \`warrant log rotate\`; ${more}`
  return [failure('intake', found, { about, fix: `${fix} (A log claims too much)` })]
}

/** Only an operator’s credential sees a queue of an intake: for others nothing is found. */
function queueFindings(
  realm: string,
  index: number,
  { name: about, queue }: IntakeSeen,
): readonly DoctorFinding[] {
  if (queue === null || queue.is === 'hidden') return []
  if (queue.is === 'missing') {
    const found = 'its queue is not there, so the log takes nothing of it'
    return [failure('intake', found, { about, fix: remakeQueue })]
  }
  const wanted = { ...intakeQueueConfig(realm, index), name: intakeQueue, max_deliver: -1 }
  const differences = differencesIn(wanted, queue.value.config)
  if (differences.length === 0) return []
  const found = differences
    .map(({ field, wanted: one, found: is }) => `${field} of its queue is ${is} and not ${one}`)
    .join('; ')
  return [failure('intake', found, { about, fix: remakeQueue })]
}

const remakeQueue =
  'find out who has an operator’s power; remove that queue, and have the operator make it again: ' +
  '`warrant nats init`'

/** Whether the log takes nothing of it, though messages wait. */
function standingFindings({ name: about, standing }: IntakeSeen): readonly DoctorFinding[] {
  if (standing === null) return []
  const { taken, waiting, isSure } = standing
  const what = `the log has taken nothing after ${taken} of it for ${standsMs / 1_000} s`
  const found = `${what}, and ${waiting} messages wait`
  if (isSure) {
    const fix = 'find the message that holds them up and remove it: docs/run/operations.md says how'
    return [failure('intake', found, { about, fix: `${fix} (An intake stands still)` })]
  }
  const fix = 'look with an operator’s credential, which sees whether the log leaves them out'
  return [warning('intake', found, { about, fix })]
}

/** Whether what speakers publish comes into the log of the newest era. */
function takingFinding(
  place: { readonly realm: string; readonly era: number },
  { config, sources }: StreamInfo,
): DoctorFinding {
  if (takesFromSpeakers(place, config)) {
    const found = 'speakers publish to the log itself, where one of them can hold up everyone'
    return warning('intake', found, { fix: 'rotate the era: `warrant log rotate`' })
  }
  if (isControlStream(place, config)) return ok('intake', 'agents publish to its cells')
  if (!sources.some(({ name }) => isIntake(place.realm, name))) {
    const found = 'the log takes in nothing that speakers publish: a rotation was interrupted'
    return failure('intake', found, {
      fix: 'run `warrant log rotate` again: it goes on from there',
    })
  }
  const failed = sources.find(({ error }) => error !== undefined)
  if (failed !== undefined) {
    const found = `${failed.name} cannot be taken in: ${failed.error?.description ?? ''}`
    return failure('intake', found, { fix: 'start its servers; look at their logs' })
  }
  const known = config['sources']
  if (Number(config['num_replicas'] ?? 1) > 1 && Array.isArray(known) && known.some(isInTurn)) {
    const found = 'it has replicas now, and a message may be left out when a leader changes'
    return failure('intake', found, { fix: 'rotate the era: `warrant log rotate`' })
  }
  const lag = Math.max(...sources.map((source) => source.lag))
  const about = cellIn(place.realm) === null ? '' : streamNames(place).log
  const count = sources.filter(({ name }) => isIntake(place.realm, name)).length
  const found = `the log takes in ${count} intakes, and is at most ${lag} messages behind`
  if (lag <= lagMax) return ok('intake', found, about)
  const fix = 'find out who floods (`warrant stats`), and stop them: `warrant suspend`'
  return warning('intake', found, { about, fix })
}
