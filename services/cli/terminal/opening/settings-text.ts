// Files of settings that others own: read strictly, followed where they are links, and replaced at
// once or not at all.
import { readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { hasCode } from '#system/file-problem'
import { Fault } from '#record/fault'
import type { SettingsEdit } from '#shell/hooks/hook-settings'

/** Null where it is not there. */
export async function settingsText(file: string): Promise<string | null> {
  let bytes: Uint8Array
  try {
    bytes = await readFile(file)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Fault('settings_unreadable', `\`${file}\` is no UTF-8: fix it there`)
  }
}

/** A link stays one: what it leads to is replaced. */
export async function realSettings(file: string): Promise<string> {
  try {
    return await realpath(file)
  } catch {
    return file
  }
}

/** At once, or not at all. */
export async function replaceSettings(file: string, text: string): Promise<void> {
  const beside = `${file}.${process.pid}.tmp`
  const mode = await stat(file).then(
    (found) => found.mode & 0o777,
    () => 0o600,
  )
  try {
    await writeFile(beside, text, { mode, flag: 'wx', flush: true })
    await rename(beside, file)
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  }
}

export function editedOrRefused(file: string, edit: SettingsEdit): string {
  if ('text' in edit) return edit.text
  const fix = 'fix it there, or write it by hand'
  throw new Fault('settings_unreadable', `\`${file}\`: ${edit.refused}; ${fix}`)
}
