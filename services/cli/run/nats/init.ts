// Makes a log on a NATS server by an operator's credential, and says what it made.
import { dirname, join } from 'node:path'
import { configuration } from '#wiring/config'
import { openOperator } from '#log/nats-admin/operator'
import type { Made } from '#log/nats-admin/making'
import { intakesKnown } from '#log/nats/intake'
import { makeRealm } from '#log/nats-admin/cells'
import type { Place } from '#record/names'
import { CatalogFile } from '#schemas/catalog'
import { findLog, isRemote, natsAccess, type LogPlace } from '#runtime/logs/log-url'
import { jobsOf } from '#runtime/engine/era-watch'
import { allStages as stages } from '#workers/all-stages'
import { exitCodes } from '#schemas/faults/exit'
import { usage } from '#cli/terminal/failure'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { shellWord } from '#cli/terminal/hint'
import { print, printJson } from '#cli/terminal/terminal'

interface NatsInitOptions extends GlobalOptions {
  readonly replicas: number
  /** Milliseconds. */
  readonly ackWait?: number
  readonly intakes?: number
  readonly cells?: number
  readonly remakeMirrors?: boolean
}

const replicasKnown = [1, 3, 5]
const ackWaitMsMin = 1_000

export async function natsInit(options: NatsInitOptions): Promise<number> {
  const { replicas, ackWait, intakes, cells, realm } = options
  if (!replicasKnown.includes(replicas)) throw usage('--replicas is 1, 3 or 5')
  if (ackWait !== undefined && ackWait < ackWaitMsMin) throw usage('--ack-wait is a second or more')
  if (intakes !== undefined && !intakesKnown.includes(intakes))
    throw usage(`--intakes is ${intakesKnown.join(', ')}`)
  if (cells !== undefined && !isCellCount(cells)) throw usage('--cells is 2 to 256')
  const place = findLog(options.log, configuration())
  if (!isRemote(place)) throw usage('give the server: --log nats://host:port')
  const operator = await openOperator(natsAccess(place))
  try {
    const { cells: count, made } = await makeRealm(operator, realm, {
      replicas,
      queuesIn,
      remakeMirrors: options.remakeMirrors === true,
      ...(cells !== undefined && { cells }),
      ...(intakes !== undefined && { intakes }),
      ...(ackWait !== undefined && { ackWaitMs: ackWait }),
    })
    if (options.json === true)
      await printJson({ log: place.url, made, ...(count !== null && { cells: count }) })
    else await report(made, place, count)
  } finally {
    await operator.close()
  }
  return exitCodes.yes
}

function isCellCount(cells: number): boolean {
  return CatalogFile.shape.cells.safeParse(cells).success
}

/** One queue a stage. */
function queuesIn(place: Place) {
  return stages.map((stage) => {
    const { queue, names } = jobsOf(stage, place)
    return { name: queue, names }
  })
}

async function report(made: readonly Made[], place: LogPlace, cells: number | null): Promise<void> {
  const stateOf = ({ isNew, isReleased }: Made): string =>
    isReleased === true ? '   (stood still, goes on)' : isNew ? '' : '   (was there)'
  const lines = made.map((one) => `  ${one.name}${stateOf(one)}`)
  await print([
    `The log on ${place.url}:`,
    ...lines,
    '',
    ...(cells === null
      ? []
      : [`Its catalog has to say how many cells there are: "cells": ${cells}`]),
    'Next, as a policy admin, begin it: warrant apply FOLDER, which prints what all are to pin',
    'and run each stage:',
    ...stepsFor(place).map((step) => `  ${step}`),
  ])
}

/** Where the server has accounts, each stage has a seed of its own, beside the operator's. */
function stepsFor({ url, nats }: LogPlace): readonly string[] {
  const log = `--log ${url}`
  const operatorFile = nats?.user.nkeyFile
  if (operatorFile === undefined) return [`warrant up ${log}`]
  return stages.map(({ name }) => {
    const seed = shellWord(join(dirname(operatorFile), `${name}.nk`))
    return `WARRANT_NATS_NKEY_FILE=${seed} warrant up ${name} ${log}`
  })
}
