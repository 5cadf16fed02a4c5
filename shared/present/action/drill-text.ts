// Drills in words, for lines of the log: unlike what people are shown, the log says what they are.
import type { DrillAnswerData, DrillData } from '#schemas/attention/drill'
import { isCaught } from '#core/attention/drills'
import { listed, quoted } from '#core/kernel/quote'

export function drillText({ by, shownTo, asks, changed }: DrillData): string {
  const what = `${quoted(asks.terms.capability)} with another ${listed(changed, 'and')}`
  return `${quoted(by)} tests ${listed(shownTo, 'and')} by ${what}`
}

export function drillAnswerText(data: DrillAnswerData): string {
  const came = isCaught(data) ? 'declines the test question' : 'agrees to the test question'
  return `${quoted(data.confirmer)} ${came}`
}
