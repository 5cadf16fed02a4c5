// `hook install` and `hook uninstall`: our hooks in the settings of a coding agent, and out again.
// What changes is shown; the file as it was is kept beside it, and comes back byte for byte where
// nothing else has changed since.
import { mkdir, rm, rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { digestOf } from '#record/digest'
import { parseJson } from '#record/json'
import { withHooks, withoutHooks } from '#shell/hooks/hook-settings'
import type { Host, HookWay } from '#shell/hooks/hosts/host'
import { readHookTables, shippedHookSeeds } from '#judging/hook-seed'
import { exitCodes } from '#schemas/faults/exit'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { packageRoot } from '#cli/terminal/opening/package-root'
import {
  editedOrRefused,
  realSettings,
  replaceSettings,
  settingsText,
} from '#cli/terminal/opening/settings-text'
import { usage } from '#cli/terminal/failure'
import { note, print } from '#cli/terminal/terminal'
import { ownTables, serverTables } from './own-tables.ts'
import { logNotes } from './log-notes.ts'
import { changedLines, linesIn } from '#shell/hooks/changed-lines'
import {
  obstaclesTo,
  settingsFile,
  wayOf,
  type SettingsPlace,
  type WayOptions,
} from './settings-place.ts'

interface InstallOptions extends GlobalOptions, SettingsPlace, WayOptions {
  /** Shows what would change, and changes nothing. */
  readonly dryRun?: boolean
}

/** What stood there before, and the digest of what was written over it. */
const Backup = z.strictObject({
  before: z.string().nullable(),
  written: z.string(),
  /** The first of the folders that were made for it. */
  made: z.string().optional(),
})
type Backup = z.infer<typeof Backup>

const backupOf = (file: string): string => `${file}.warrant-backup`

export async function installHooks(options: InstallOptions): Promise<number> {
  const { change, cautions, next } = await hooksPut(options)
  await print(change)
  for (const line of [...cautions, ...next, ...(await logNotes(options))]) note(`warrant: ${line}`)
  return exitCodes.yes
}

export interface HooksPut {
  readonly file: string
  /** The lines that go and those that come. */
  readonly change: readonly string[]
  /** What keeps them from being asked, or from blocking. */
  readonly cautions: readonly string[]
  readonly next: readonly string[]
}

/** Our hooks in the settings, once, whatever of them was there. */
export async function hooksPut(options: InstallOptions): Promise<HooksPut> {
  const { for: host, dryRun } = options
  await checkTables(options)
  const file = await realSettings(settingsFile(options))
  const before = await settingsText(file)
  const way = wayOf(options)
  const text = editedOrRefused(file, withHooks(before ?? '', host, way))
  if (text !== before && dryRun !== true) {
    await keep(file, { before: await original(file, before, host), written: digestOf(text) })
    await replaceSettings(file, text)
  }
  const unrun = (await obstaclesTo(host, file)).map((line) => {
    return `${host.title} DOES NOT RUN these hooks: ${line}`
  })
  const change = shownChange(file, before ?? '', text)
  return { file, change, ...closingNotes(host, way, unrun) }
}

/** What is known of the host where its hook fails, and what is to do next. */
function closingNotes(
  host: Host,
  way: HookWay,
  unrun: readonly string[],
): Pick<HooksPut, 'cautions' | 'next'> {
  const token = way.by === 'http' ? [`start the agent with the login in ${way.tokenVariable}`] : []
  const test = `\`warrant hook test --for ${host.name}\``
  if (way.observes === true) {
    const free =
      'NOTHING IS ENFORCED: each call is recorded with what would be decided, and none is stopped'
    const seen = 'see what would have been stopped: `warrant stats --observed`'
    const enforced = `to enforce, the same command without --observe; then ${test}`
    return { cautions: [free, ...unrun], next: [seen, enforced, ...token] }
  }
  const { failing, afterInstall } = host
  const more = afterInstall === undefined ? [] : [afterInstall]
  return { cautions: [failing.text, ...unrun], next: [...token, ...more, `try it: ${test}`] }
}

/** A hook whose tables cannot be read blocks all calls: better that it is not installed. */
async function checkTables({ add, url }: InstallOptions): Promise<void> {
  if (add === undefined) return
  if (url !== undefined) throw usage(serverTables)
  await readHookTables(shippedHookSeeds(packageRoot()), ownTables(add))
}

export async function uninstallHooks(options: InstallOptions): Promise<number> {
  await print(await hooksTakenOut(options))
  return exitCodes.yes
}

/** The settings without our hooks; the lines that go and come. */
export async function hooksTakenOut(options: InstallOptions): Promise<readonly string[]> {
  const { for: host, dryRun } = options
  const file = await realSettings(settingsFile(options))
  const before = await settingsText(file)
  if (before === null) return [`${file}: it is not there, so no hook is`]
  const after = await original(file, before, host)
  const kept = await keptBackup(file)
  const change = shownChange(file, before, after ?? '')
  if (dryRun === true || after === before) return change
  if (after === null) await rm(file)
  else await replaceSettings(file, after)
  await rm(backupOf(file), { force: true })
  await removeMade(file, kept?.made)
  return change
}

/** The file without ours: as it was kept, or with ours taken out where others have changed it. */
async function original(file: string, now: string | null, host: Host): Promise<string | null> {
  if (now === null) return null
  const kept = await keptBackup(file)
  if (kept !== null && kept.written === digestOf(now)) return kept.before
  return editedOrRefused(file, withoutHooks(now, host))
}

async function keptBackup(file: string): Promise<Backup | null> {
  const text = await settingsText(backupOf(file))
  if (text === null) return null
  try {
    return Backup.parse(parseJson(text))
  } catch {
    // Then ours are taken out by what they say.
    return null
  }
}

async function keep(file: string, backup: Backup): Promise<void> {
  const now = await mkdir(dirname(file), { recursive: true })
  const made = now ?? (await keptBackup(file))?.made
  const kept = { ...backup, ...(made !== undefined && { made }) }
  await replaceSettings(backupOf(file), `${JSON.stringify(kept)}\n`)
}

/** The folders that the installation made, as far as nothing else has come into them. */
async function removeMade(file: string, made: string | undefined): Promise<void> {
  if (made === undefined) return
  for (let at = dirname(file); at.startsWith(made); at = dirname(at)) {
    try {
      await rmdir(at)
    } catch {
      return
    }
  }
}

/** The lines that go and those that come, without those around them that stay. */
function shownChange(file: string, before: string, after: string): readonly string[] {
  if (before === after) return [`${file}: nothing to change`]
  const { gone, come } = changedLines(linesOf(before), linesOf(after))
  return [`${file}:`, ...gone.map((line) => `- ${line}`), ...come.map((line) => `+ ${line}`)]
}

function linesOf(text: string): readonly string[] {
  // A tab is shown as wide as it is read.
  return linesIn(text.replaceAll('\t', '    '))
}
