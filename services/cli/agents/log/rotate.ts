// Seals the present era and opens the next, in each cell in turn where there are several, and says
// what was sealed and what stands for it.
import { configuration } from '#wiring/config'
import { counted, duration } from '#present/wording'
import { findPolicyAdmin } from '#runtime/keys/keys'
import { findLog } from '#runtime/logs/log-url'
import { rotate, type Rotated } from '#replay/eras/rotate'
import type { KeyAuthor } from '#authoring/change'
import type { Runtime } from '#runtime/engine/runtime'
import type { Rotation } from '#ports/rotation'
import { openRotation } from '#runtime/logs/rotation'
import { exitCodes } from '#schemas/faults/exit'
import type { GlobalOptions, SignerOptions } from '#cli/terminal/opening/options'
import { withProgress } from '#cli/terminal/progress'
import { print, printJson } from '#cli/terminal/terminal'
import { hintsFor } from '#cli/terminal/hint'
import { toned, type Line } from '#cli/terminal/line'
import { sizeText } from '#cli/terminal/size'
import { inCell, inTurn, logsMeant, overCells } from '#cli/terminal/opening/cells/logs'
import { realmsText, type LogMeant } from '#cli/terminal/opening/cells/logs'
import { withRuntime } from '#cli/terminal/opening/opened'
import { demandAgreement, signerChoice } from '#cli/terminal/signing'

interface RotateCommandOptions extends GlobalOptions, SignerOptions {
  readonly resetClock?: boolean
}

export async function rotateLog(options: RotateCommandOptions): Promise<number> {
  const rotation = await openRotation(findLog(options.log, configuration()))
  const all = await logsMeant(options)
  const until = all.length === 1 ? null : await eraOfAll(all)
  const agreed = new Set<string>()
  // The policy admin signs for the state, so nothing stands for a part of it.
  await inTurn(all, (meant) =>
    withRuntime(meant.options, { foldsAll: true }, async (runtime) => {
      const author = await findPolicyAdmin(signerChoice(runtime, options))
      const { era } = runtime.follower.state.place
      const last = until ?? era + 1
      const lines = [all.length === 1 ? signedOfOne(era) : signedOfAll(all, last)]
      if (!agreed.has(author.id)) await demandAgreement(options, { lines, as: author.id })
      agreed.add(author.id)
      await rotateTo(last, { runtime, author, rotation }, meant)
    }),
  )
  return exitCodes.yes
}

function signedOfOne(era: number): string {
  return `seal era ${era}, and sign for the state that era ${era + 1} opens with`
}

function signedOfAll(all: readonly LogMeant[], last: number): string {
  const cells = `each of ${counted(all.length, 'cell')} (${realmsText(all)})`
  return `open era ${last} in ${cells}, seal those before, and sign for the state it opens with`
}

/**
 * The era that all cells are to have: the next one, or that which some have where a rotation of all
 * was interrupted.
 */
async function eraOfAll(all: readonly LogMeant[]): Promise<number> {
  const eras = await overCells(all, { reads: true }, ({ follower: { state } }) =>
    Promise.resolve({ open: state.place.era, isSealed: state.sealed !== null }),
  )
  const newest = Math.max(...eras.map(({ open, isSealed }) => open + (isSealed ? 1 : 0)))
  return eras.every(({ open }) => open === newest) ? newest + 1 : newest
}

interface Rotating {
  readonly runtime: Runtime
  readonly author: KeyAuthor
  readonly rotation: Rotation | null
}

async function rotateTo(
  last: number,
  { runtime, author, rotation }: Rotating,
  { options, cell }: LogMeant<RotateCommandOptions>,
): Promise<void> {
  const { state } = runtime.follower
  if (state.place.era >= last) {
    // Only its last step may be left to do.
    await rotation?.admit(state.place)
    if (options.json !== true) await print([`${options.realm}: era ${last} is open already`])
    return
  }
  // The first may only end what was interrupted.
  for (let left = last - state.place.era + 1; left > 0 && state.place.era < last; left -= 1) {
    const began = performance.now()
    const rotated = await withProgress((onProgress) =>
      rotate(runtime, author, rotation, { onProgress, resetsClock: options.resetClock === true }),
    )
    const ms = Math.round(performance.now() - began)
    if (options.json === true) await printJson(inCell({ ...rotated, ms }, cell))
    else await print(rotatedLines(rotated, ms, { options, cell }))
    // Of one log it is what was asked for.
    if (cell === null) return
  }
}

const unrooted =
  'its first change sets are not in this log: without the eras before, --root-key refuses era'

function rotatedLines(
  { sealed, snapshot, open }: Rotated,
  ms: number,
  { options, cell }: LogMeant<RotateCommandOptions>,
): Line[] {
  const hints = hintsFor(options, configuration())
  const of = cell === null ? '' : `${options.realm}: `
  const { era, facts, position, by } = sealed
  const { parts, bytes, digest, isRooted } = snapshot
  const next = era + 1
  return [
    toned('good', `${of}era ${era} is sealed at position ${position}, and era ${next} is open`),
    `  ${counted(facts, 'fact')} in era ${era}, sealed by ${by} and signed for by ${snapshot.by}`,
    `  era ${next} opened with ${counted(parts, 'chunk')} of ${sizeText(bytes)}, ${digest}`,
    ...(isRooted ? [] : [toned('warn', `  ${unrooted} ${next}`)]),
    `  ${counted(open, 'open intent')} went over; it took ${duration(ms)}`,
    `  workers and clients go on by themselves; look at the eras with ${hints('log --eras')}`,
  ]
}
