// What the environment configures, as values that were checked. It is read again at each call, so
// that a process that changes its environment is not left with an old value.
import { Settings } from '#schemas/settings/settings'
import type { Setting } from '#schemas/settings/setting'
import { settingTable } from '#schemas/settings/table'
import { settingInvalid } from '#runtime/reporting/setting-invalid'
import { environment, type Environment } from './environment.ts'

const known = Object.entries<Setting>(settingTable)

/** What is set. Throws a Fault `usage` for a value that is not valid. */
export function configuration(variables: Environment = environment()): Settings {
  const given = known.flatMap(([key, { name }]) => {
    const value = variables[name]
    return value === undefined || value === '' ? [] : [[key, value] as const]
  })
  const parsed = Settings.safeParse(Object.fromEntries(given))
  if (parsed.success) return parsed.data
  const wrong = parsed.error.issues[0]?.path[0]
  const [, value = ''] = given.find(([key]) => key === wrong) ?? []
  const [, setting] = known.find(([key]) => key === wrong) ?? []
  throw settingInvalid(setting ?? settingTable.log, value)
}
