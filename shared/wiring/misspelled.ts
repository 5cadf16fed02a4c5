// Variables that look like a setting and are none: most likely a name was misspelled.
import { settingTable } from '#schemas/settings/table'
import type { Environment } from './environment.ts'

const prefix = 'WARRANT_'
/** What begins so is a secret of the user's own naming. */
const secretPrefix = 'WARRANT_SECRET_'
const known = Object.values(settingTable).flatMap(({ name }) => {
  return name.startsWith(prefix) ? [name.slice(prefix.length)] : []
})

/** A variable that is not read, with the settings that are a few keystrokes away. */
export interface Misspelled {
  readonly name: string
  readonly meant: readonly string[]
}

export async function misspelled(variables: Environment): Promise<readonly Misspelled[]> {
  const unknown = Object.keys(variables).filter((name) => {
    if (!name.startsWith(prefix) || name.startsWith(secretPrefix)) return false
    return !known.includes(name.slice(prefix.length))
  })
  if (unknown.length === 0) return []
  const { nearest } = await import('#record/quote')
  return unknown.flatMap((name) => {
    const meant = nearest(known, name.slice(prefix.length)).map((each) => `${prefix}${each}`)
    return meant.length === 0 ? [] : [{ name, meant }]
  })
}
