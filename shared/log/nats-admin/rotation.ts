// Rotates an era on a NATS server by an operator's credential: the stream that is sealed takes
// nothing any more, and the next is made as the one before was.
import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '#record/fault'
import { isShared, nameOf, patternOf, queueOf, type Place } from '#record/names'
import type { Rotation } from '#ports/rotation'
import type { NatsAccess } from '../nats/access.ts'
import { queueInfo, queueNamesOf, streamInfo, type StreamInfo } from '../nats/api.ts'
import { makeLog, openOperator, sealLog, type Operator, type Queue } from './operator.ts'
import { admit } from './intakes.ts'
import { demanded } from './making.ts'
import { releaseStalled } from './stalled.ts'
import { NatsLink } from '../nats/link.ts'
import { Requests } from '../nats/requests.ts'
import { streamNames } from '../nats/stream.ts'
import { ackWaitMsIn, queueNamesIn } from '../nats/wholeness.ts'

/** `access` is of who binds what the next era opens with; `operator` makes and seals streams. */
export function natsRotation(access: NatsAccess, operator: NatsAccess): Rotation {
  const asOperator = async <T>(work: (operator: Operator) => Promise<T>): Promise<T> => {
    const opened = await openOperator(operator)
    try {
      return await work(opened)
    } finally {
      await opened.close()
    }
  }
  return {
    seal: async (place) => {
      await demandRights(access, { ...place, era: place.era + 1 })
      return asOperator(async ({ atLog }) => {
        await sealLog(atLog, place)
        await refused(access, place)
        return { position: await lastIn(atLog, place) }
      })
    },
    isSealed: (place) =>
      asOperator(async ({ atLog }) => {
        return (await demanded(atLog, streamNames(place).log)).config['sealed'] === true
      }),
    open: (place, first) => asOperator((opened) => openEra(opened, place, first)),
    admit: (place) => asOperator(({ atLog }) => admit(atLog, place)),
    release: (place) => asOperator(({ atLog }) => releaseStalled(atLog, place)),
  }
}

/**
 * Resolves when the sealed stream has refused something: it takes one after the other, and a batch
 * that it had begun when it was sealed is stored all the same.
 */
async function refused(access: NatsAccess, place: Place): Promise<void> {
  const requests = new Requests(await NatsLink.open(access))
  try {
    await requests.send(nameOf(place, 'snapshot', 0), '')
  } finally {
    requests.close()
    await requests.link.close()
  }
}

/** So long may what a leader has agreed on with others wait until it is stored. */
const agreedMsMax = 1_000

/** The last position of the sealed era, which nothing comes after any more. */
async function lastIn(atLog: Requests, place: Place): Promise<number> {
  const { log } = streamNames(place)
  for (let before: number | null = null; ;) {
    const { state, config } = await demanded(atLog, log)
    const isAlone = Number(config['num_replicas']) === 1
    if (isAlone || state.last_seq === before) return state.last_seq
    before = state.last_seq
    await sleep(agreedMsMax)
  }
}

/** A server that does not know the next era yet would leave everyone without any. */
async function demandRights(access: NatsAccess, next: Place): Promise<void> {
  const requests = new Requests(await NatsLink.open(access))
  try {
    await streamInfo(requests, streamNames(next).log)
  } catch (cause) {
    if (!(cause instanceof Fault) || cause.code !== 'not_permitted') throw cause
    const fix = `write it again by \`warrant nats-config --era ${next.era}\`, reload every server`
    const why = `the server's configuration knows no era ${next.era}`
    const message = `${why}, and nothing is sealed: ${fix}`
    throw new Fault('era_not_permitted', message, { cause })
  } finally {
    requests.close()
    await requests.link.close()
  }
}

async function openEra(operator: Operator, place: Place, first: number): Promise<void> {
  const { atLog, mirrors } = operator
  const before = { ...place, era: place.era - 1 }
  const info = await demanded(atLog, streamNames(before).log)
  const replicas = Number(info.config['num_replicas'])
  const { queues, ackWaitMs } = await queuesOf(atLog, before, place)
  await makeLog(atLog, place, { replicas, queues, ackWaitMs, first, intakes: 0 }, mirrors)
  const begun = await demanded(atLog, streamNames(place).log)
  const ended = await demanded(atLog, streamNames(before).log)
  if (begun.state.first_seq !== ended.state.last_seq + 1) throw overlap(place, begun, ended)
}

/** Nothing that is bound there would ever be followed. */
function overlap({ realm, era }: Place, begun: StreamInfo, ended: StreamInfo): Fault {
  const { log, mirror } = streamNames({ realm, era })
  const where = `\`${log}\` begins at ${begun.state.first_seq}, and era ${era - 1} ends at`
  const fix = `remove \`${log}\` and \`${mirror}\`, which say nothing that counts, and rotate again`
  return new Fault('era_overlaps', `${where} ${ended.state.last_seq}: ${fix}`)
}

/** The queues of an era as the next has them: what opens an era is a job of every stage. */
async function queuesOf(
  requests: Requests,
  before: Place,
  place: Place,
): Promise<{ readonly queues: readonly Queue[]; readonly ackWaitMs: number }> {
  const { log } = streamNames(before)
  const queues: Queue[] = []
  let ackWaitMs = 0
  for (const name of await queueNamesOf(requests, log)) {
    const info = await queueInfo(requests, log, name)
    if (info === null) continue
    ackWaitMs = ackWaitMsIn(info)
    const names = queueNamesIn(info).map((one) => inEra(one, place))
    const opening = patternOf(place, 'snapshot', '>')
    const stage = before.era === 1 ? name : name.replace(/-[0-9]+$/, '')
    queues.push({ name: queueOf(stage, place.era), names: [...new Set([...names, opening])] })
  }
  return { queues, ackWaitMs }
}

// What all cells share is of no era of theirs.
function inEra(name: string, { realm, era }: Place): string {
  if (isShared(name, realm)) return name
  return [realm, String(era), ...name.split('.').slice(2)].join('.')
}
