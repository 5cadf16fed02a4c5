// The streams, mirrors and queues of a log on NATS as they are made, by realm and era.
import { intakeQueueConfig } from '#log/nats/intake'
import { intakeStream, logStream, mirrorStream, queueConfig, streamNames } from '#log/nats/stream'
import { controlPlace, realmOfCell } from '#record/names'
import { jsonText, type Subject } from '../subject.ts'

async function record(): Promise<ReadonlyMap<string, string>> {
  const one = { realm: 'main', era: 1 }
  const next = { realm: 'main', era: 2 }
  const cell = { realm: realmOfCell({ of: 'main', index: 1 }), era: 1 }
  const control = controlPlace('main')
  const replicas = 1
  const intakes = 16
  return new Map([
    [
      'one-log.txt',
      jsonText({
        names: streamNames(one),
        log: logStream(one, { replicas, intakes }),
        mirror: mirrorStream(one, { replicas }),
        intake: intakeStream('main', 0, { replicas, intakes }),
        intakeQueue: intakeQueueConfig('main', 0, 0),
        queue: queueConfig('policy', ['main.1.grounding.>']),
        replicated: logStream(one, { replicas: 3, intakes }),
      }),
    ],
    ['next-era.txt', jsonText(logStream(next, { replicas, intakes, first: 400 }))],
    [
      'cells.txt',
      jsonText({
        control: logStream(control, { replicas, isControl: true }),
        cell: logStream(cell, { replicas, intakes, controlFrom: 1 }),
        mirror: mirrorStream(cell, { replicas: 3, mirrorApart: true }),
      }),
    ],
  ])
}

export const natsStreams: Subject = { folder: 'ours/nats-streams', record }
