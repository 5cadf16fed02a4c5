// The fault for a variable whose value is not what it must be.
import { Fault } from '#record/fault'
import type { Setting } from '#schemas/settings/setting'

export function settingInvalid({ name, expects = 'another value' }: Setting, value: string): Fault {
  return new Fault('usage', `${name} is \`${value}\`: give ${expects}`)
}
