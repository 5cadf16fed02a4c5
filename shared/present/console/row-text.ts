// One line of the inbox in words.
import { jsonOf } from '#record/canonical'
import type { InboxRow } from '#schemas/console/reviews'
import { counted, jsonText } from '../wording.ts'
import { argumentRows } from './argument-rows.ts'

const lineCharactersMax = 240

/** The arguments, as far as a line takes them. */
export function lineArguments({
  args,
  argsBytes,
}: {
  readonly args: unknown
  readonly argsBytes: number
}): string {
  if (args === null) return `${argsBytes} bytes of arguments`
  const rows = argumentRows(args, [], [])
  if (rows.length === 0) return jsonText(jsonOf(args))
  const text = rows.map(({ group, label, text: value }) => {
    const name = [group, label].filter((part) => part !== '').join(' ')
    return name === '' ? value : `${name}: ${value}`
  })
  return text.join(' · ').slice(0, lineCharactersMax).toWellFormed()
}

type State = Pick<InboxRow, 'agreed' | 'needed' | 'tier' | 'demands'>

/** Who has agreed, of how many; null where one answer decides. */
export function lineState({ agreed, needed, tier, demands }: State): string | null {
  const parts = [
    ...(tier === 'four_eyes' ? [`${agreed.length} of ${needed} agreed`] : []),
    ...(demands.reason.approving > 0 ? ['needs a reason'] : []),
  ]
  return parts.length === 0 ? null : parts.join(' · ')
}

/** How many wait for an answer. */
export function inboxCountText(count: number): string {
  return count === 0 ? 'No review waits for you' : `${counted(count, 'review')} waiting`
}
