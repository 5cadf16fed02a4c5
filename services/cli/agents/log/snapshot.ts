// A snapshot of the fold by hand: writes one now, compares the newest with the log, or removes
// them. Nothing is decided or proven by one.
import { configuration } from '#wiring/config'
import { counted, duration } from '#present/wording'
import { Fault } from '#record/fault'
import { checkSnapshot, type Checked } from '#replay/cache/verify'
import { removeSnapshots, snapshotsFolder } from '#replay/cache/store'
import type { WrittenSnapshot } from '#runtime/engine/runtime'
import { findLog } from '#runtime/logs/log-url'
import { silentLogger } from '#runtime/reporting/logger'
import { exitCodes } from '#schemas/faults/exit'
import { usage } from '#cli/terminal/failure'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { print, printJson } from '#cli/terminal/terminal'
import { hintsFor } from '#cli/terminal/hint'
import { toned, type Line } from '#cli/terminal/line'
import { sizeText } from '#cli/terminal/size'
import { inCell, inTurn, logsMeant, type LogMeant } from '#cli/terminal/opening/cells/logs'
import { rootKeyFor, withOneLog, withRuntime } from '#cli/terminal/opening/opened'

interface SnapshotOptions extends GlobalOptions {
  readonly check?: boolean
  readonly remove?: boolean
}

export async function snapshotLog(options: SnapshotOptions): Promise<number> {
  if (options.check === true && options.remove === true) {
    throw usage('use --check or --remove, not both')
  }
  const folder = snapshotsFolder(findLog(options.log, configuration()))
  if (folder === null) {
    throw new Fault('no_folder', 'a log in memory is gone with its process: nothing to keep')
  }
  if (options.remove === true) return remove(options, folder)
  return options.check === true ? check(options, folder) : write(options)
}

async function write(options: SnapshotOptions): Promise<number> {
  await inTurn(await logsMeant(options), (meant) =>
    withRuntime(meant.options, { reads: true }, async ({ snapshots, follower }) => {
      const began = performance.now()
      const written = (await snapshots?.write()) ?? null
      if (written === null) throw notWritten(follower.state.position)
      const ms = Math.round(performance.now() - began)
      if (options.json === true) await printJson(inCell({ ...written, ms }, meant.cell))
      else await print(writtenLines(written, ms, meant))
    }),
  )
  return exitCodes.yes
}

function notWritten(position: number): Fault {
  const why =
    position === 0
      ? 'the log has no facts'
      : 'another process writes one, or an era is sealed and the next is not open'
  return new Fault('snapshot_not_written', `no snapshot was written: ${why}`)
}

function writtenLines(
  { path, position, bytes }: WrittenSnapshot,
  ms: number,
  meant: LogMeant,
): readonly Line[] {
  const what = `the fold at position ${position} is kept: ${sizeText(bytes)} in ${duration(ms)}`
  return [toned('good', `${ofCell(meant)}${what}`), `  ${path}`]
}

async function check(options: SnapshotOptions, folder: string): Promise<number> {
  const all = await logsMeant(options)
  const found = await inTurn(all, (meant) => checkOne(meant, folder))
  return found.every(({ difference }) => difference === null) ? exitCodes.yes : exitCodes.differs
}

async function checkOne(meant: LogMeant<SnapshotOptions>, folder: string): Promise<Checked> {
  const { options, cell } = meant
  return withOneLog(options, async (log, { realm }) => {
    const began = performance.now()
    const of = { log, realm, rootKey: rootKeyFor(options), folder, logger: silentLogger }
    const checked = await checkSnapshot(of)
    const hints = hintsFor(options, configuration())
    const removing = hints('log snapshot --remove')
    if (checked === null) {
      const fix = `write one with \`${hints('log snapshot')}\``
      throw new Fault('no_snapshot', `no snapshot here is of this log: ${fix}`)
    }
    const ms = Math.round(performance.now() - began)
    if (options.json === true) await printJson(inCell({ ...checked, ms }, cell))
    else await print(checkedLines(checked, ms, { meant, removing }))
    return checked
  })
}

/** Names the cell where there are several. */
function ofCell({ options, cell }: LogMeant): string {
  return cell === null ? '' : `${options.realm}: `
}

function checkedLines(
  checked: Checked,
  ms: number,
  { meant, removing }: { readonly meant: LogMeant; readonly removing: string },
): readonly Line[] {
  const { path, position, facts, difference } = checked
  const which = `${ofCell(meant)}the snapshot at position ${position}`
  const folded = `  ${counted(facts, 'fact')} folded in ${duration(ms)}; ${path}`
  if (difference === null) {
    const what = `${which} matches the log, byte for byte`
    return [toned('good', what), folded]
  }
  const { line, kind } = difference
  const what = `${which} does not match the log`
  const fix = `  its line ${line} (${kind}) differs: remove it with ${removing}, and start again`
  return [toned('bad', what), fix, folded]
}

async function remove({ realm, json }: SnapshotOptions, folder: string): Promise<number> {
  const removed = await removeSnapshots({ realm, folder })
  if (json === true) await printJson({ removed })
  else await print([`${counted(removed, 'snapshot')} removed`])
  return exitCodes.yes
}
