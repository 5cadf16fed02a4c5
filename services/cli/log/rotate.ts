// Seals the present era and opens the next, and says what was sealed and what stands for it.
import { configuration } from '#runtime/wiring/config'
import { counted, duration } from '#present/wording'
import { findPolicyAdmin } from '#runtime/keys/keys'
import { findLog } from '#runtime/logs/log-url'
import { rotate, type Rotated } from '#runtime/eras/rotate'
import { openRotation } from '#runtime/logs/rotation'
import { exitCodes } from '#schemas/faults/exit'
import type { GlobalOptions, SignerOptions } from '../opening/options.ts'
import { withProgress } from '../terminal/progress.ts'
import { print, printJson } from '../terminal/terminal.ts'
import { hintsFor, type Hints } from '../terminal/hint.ts'
import { toned, type Line } from '../terminal/line.ts'
import { sizeText } from '../terminal/size.ts'
import { withRuntime } from '../opening/opened.ts'
import { demandAgreement, signerChoice } from '../editing/signing.ts'

export interface RotateCommandOptions extends GlobalOptions, SignerOptions {
  readonly resetClock?: boolean
}

export async function rotateLog(options: RotateCommandOptions): Promise<number> {
  const rotation = await openRotation(findLog(options.log, configuration()))
  // The policy admin signs for the state, so nothing stands for a part of it.
  return withRuntime(options, { foldsAll: true, ofAgents: true }, async (runtime) => {
    const author = await findPolicyAdmin(signerChoice(runtime, options))
    const { era } = runtime.follower.state.place
    const lines = [`seal era ${era}, and sign for the state that era ${era + 1} opens with`]
    await demandAgreement(options, { lines, as: author.id })
    const began = performance.now()
    const rotated = await withProgress((onProgress) =>
      rotate(runtime, author, rotation, { onProgress, resetsClock: options.resetClock === true }),
    )
    const ms = Math.round(performance.now() - began)
    if (options.json === true) await printJson({ ...rotated, ms })
    else await print(rotatedLines(rotated, ms, hintsFor(options, configuration())))
    return exitCodes.yes
  })
}

const unrooted =
  'its first change sets are not in this log: without the eras before, --root-key refuses era'

function rotatedLines({ sealed, snapshot, open }: Rotated, ms: number, hints: Hints): Line[] {
  const { era, facts, position, by } = sealed
  const { parts, bytes, digest, isRooted } = snapshot
  const next = era + 1
  return [
    toned('good', `era ${era} is sealed at position ${position}, and era ${next} is open`),
    `  ${counted(facts, 'fact')} in era ${era}, sealed by ${by} and signed for by ${snapshot.by}`,
    `  era ${next} opened with ${counted(parts, 'chunk')} of ${sizeText(bytes)}, ${digest}`,
    ...(isRooted ? [] : [toned('warn', `  ${unrooted} ${next}`)]),
    `  ${counted(open, 'open intent')} went over; it took ${duration(ms)}`,
    `  workers and clients go on by themselves; look at the eras with ${hints('log --eras')}`,
  ]
}
