// What is found of a queue: whether it hands out the right jobs in the right way, and how many
// wait. It asks no server.
import type { QueueInfo } from '#log/nats/api'
import type { QueueSeen } from '#log/nats-admin/inspect'
import { queueConfig } from '#log/nats/stream'
import { ackWaitMsIn, differencesIn, queueNamesIn } from '#log/nats/wholeness'
import { failure, ok, warning, type DoctorFinding } from './finding.ts'

const pendingMax = 10_000
/** A worker says that it is still at it three times while a queue waits; 30 s is the default. */
const ackWaitMs = { min: 5_000, max: 300_000 }

/**
 * Whether the log has consumers beside its queues and those of its mirrors, which its count leaves
 * out. No role may make one: each reads everything, or takes what is a worker's.
 */
export function consumersFinding(
  about: string,
  count: number,
  queues: readonly string[],
): DoctorFinding {
  const extra = count - queues.length
  if (extra <= 0) return ok('consumers', `the ${queues.length} queues alone`, about)
  const found = `${extra} more than the queues ${queues.join(', ')}`
  const fix = 'find out who has an operator’s power, and have the operator remove them'
  return warning('consumers', found, { about, fix })
}

/**
 * Only the credential of a stage sees its queue, and that one alone: what others do not see is one
 * line and no warning.
 */
export function stageQueueFindings(
  stream: string,
  queues: readonly QueueSeen[],
): readonly DoctorFinding[] {
  const hidden = queues.filter(({ info }) => info.is === 'hidden').map(({ name }) => name)
  return [
    ...queues.flatMap((queue) => queueFinding(stream, queue) ?? []),
    ...(hidden.length === 0
      ? []
      : [ok('queue', 'not looked at: each is for its stage to see', hidden.join(', '))]),
  ]
}

/** Null of one that may not be looked at. */
function queueFinding(stream: string, { name, wanted, info }: QueueSeen): DoctorFinding | null {
  const about = `${stream} ${name}`
  switch (info.is) {
    case 'missing':
      return failure('queue', 'it is not there, so no one does its jobs', {
        about,
        fix: 'an operator makes it: `warrant nats init`',
      })
    case 'hidden':
      return null
    case 'there':
      return foundOf(about, { name, wanted, info: info.value })
  }
}

function foundOf(
  about: string,
  queue: { readonly name: string; readonly wanted: readonly string[]; readonly info: QueueInfo },
): DoctorFinding {
  const { num_pending: pending, num_ack_pending: out, num_redelivered: again } = queue.info
  const differs = differencesOf(queue)
  if (differs !== '') {
    const fix = 'have the operator remove it and make it again: jobs are found again by their names'
    return failure('queue', differs, { about, fix })
  }
  const waitMs = ackWaitMsIn(queue.info)
  const jobs = `${pending} jobs wait, ${out} are delivered, ${again} of them again`
  if (waitMs < ackWaitMs.min || waitMs > ackWaitMs.max) {
    const fix = 'make it again by `warrant nats init --ack-wait 30`'
    return warning('queue', `jobs of a silent worker are redelivered after ${waitMs} ms`, {
      about,
      fix,
    })
  }
  if (pending <= pendingMax) return ok('queue', jobs, about)
  const stage = queue.name.replace(/-[0-9]+$/, '')
  const fix = `run more workers of it: \`warrant up ${stage}\``
  return warning('queue', jobs, { about, fix })
}

function differencesOf({
  name,
  wanted,
  info,
}: {
  readonly name: string
  readonly wanted: readonly string[]
  readonly info: QueueInfo
}): string {
  const { name: _name, filter_subject: _one, filter_subjects: _all, ...found } = info.config
  const { filter_subject: _ours, filter_subjects: _own, ...made } = queueConfig(name, wanted)
  const fields = differencesIn({ ...made, ack_wait: found.ack_wait }, found)
  const [has, needs] = [queueNamesIn(info), wanted].map((each) => each.toSorted().join(' '))
  const filters = has === needs ? [] : [{ field: 'names', found: has ?? '', wanted: needs ?? '' }]
  return [...filters, ...fields]
    .map(({ field, wanted: ours, found: is }) => `${field} is ${is} and not ${ours}`)
    .join('; ')
}
