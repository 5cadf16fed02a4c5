// Writes a sealed era to a file of its own, and derives it again from there: what is archived is
// known to be whole. It gets its name last, so a file of that name was checked.
import { existsSync } from 'node:fs'
import { link, mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileProblem } from '#system/file-problem'
import { assert, Fault } from '#record/fault'
import type { Place } from '#record/names'
import type { LogReader } from '#ports/log'
import type { State } from '#state/state'
import { snapshotOf } from '../eras/beginning.ts'
import type { Archived } from '../eras/era-keeper.ts'
import { firstOf } from '../eras/last-era.ts'
import type { BundleHeader } from './format.ts'
import { proven, type ProvingOptions } from './prove.ts'
import { unpacked } from './restore.ts'
import { writeBundle, type BundledLog } from './write.ts'

export interface Archiving extends ProvingOptions {
  readonly folder: string
  readonly header: BundleHeader
  /** The source of the module of that digest; null where it is not here. */
  readonly module: (digest: string) => Promise<string | null>
}

/** How the file of an archived era is called. */
export function archiveName({ realm, era }: Place): string {
  return `${realm}-era-${era}.backup`
}

/** Null where it is archived already, or no longer in the log. */
export async function archiveEra(
  log: LogReader,
  { state, era }: { readonly state: Pick<State, 'place' | 'eras'>; readonly era: number },
  archiving: Archiving,
): Promise<Archived | null> {
  const place = { ...state.place, era }
  const file = join(archiving.folder, archiveName(place))
  if (existsSync(file)) return null
  const span = spanOf(state, era)
  const first = await firstOf(log)
  if (first === undefined || first.position > span.from) return null
  await made(archiving.folder)
  const part = `${file}.${process.pid}-${Date.now()}.part`
  try {
    const opened = era === 1 ? null : await snapshotOf(log, place, archiving.rootKey)
    const module = opened?.state.catalog.callbacks ?? null
    const bundled = { realm: place.realm, facts: log.read(span), ...openingAt(span, module) }
    const { header, module: source } = archiving
    await writeBundle(part, { header, logs: only(bundled), module: source })
    const found = await unpacked([part], part, async (restored) => {
      const [[one, report] = []] = [...(await proven(restored, archiving))]
      assert(one !== undefined && report !== undefined, 'an archive has one log')
      const { derived, differences, unchecked } = report
      return { facts: one.facts, derived, differences, unchecked }
    })
    const { size: bytes } = await stat(part)
    await named(part, file)
    return { file, bytes, ...found }
  } finally {
    await rm(part, { force: true })
  }
}

/** From the seal of the era before it up to before its own. */
function spanOf({ eras }: Pick<State, 'eras'>, era: number) {
  const end = eras[era - 1]?.to
  assert(typeof end === 'number', 'only a sealed era is archived')
  return { from: eras[era - 2]?.to ?? 1, to: end - 1 }
}

function openingAt({ from }: { readonly from: number }, module: string | null) {
  return from === 1 ? {} : { opening: { from, module } }
}

async function* only(log: BundledLog): AsyncGenerator<BundledLog, void, void> {
  yield await Promise.resolve(log)
}

async function made(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
  } catch (cause) {
    const why = fileProblem(cause, 'it cannot be made')
    throw new Fault('file_unwritable', `the folder \`${folder}\`: ${why}`, { cause })
  }
}

/** Where another process was first, its file stays. */
async function named(part: string, file: string): Promise<void> {
  try {
    await link(part, file)
  } catch (cause) {
    if (existsSync(file)) return
    const why = fileProblem(cause, 'it cannot be named')
    throw new Fault('file_unwritable', `\`${file}\`: ${why}`, { cause })
  }
}
