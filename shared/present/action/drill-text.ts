// Drills in words, for lines of the log: those of rules before version 7.
import type { DrillAnswerData, DrillData } from '#schemas/attention/drill'
import { listed, quoted } from '#record/quote'

export function drillText({ by, shownTo, asks, changed }: DrillData): string {
  const what = `${quoted(asks.terms.capability)} with another ${listed(changed, 'and')}`
  return `${quoted(by)} tests ${listed(shownTo, 'and')} by ${what}`
}

export function drillAnswerText(data: DrillAnswerData): string {
  const came = data.answers.includes(false)
    ? 'declines the test question'
    : 'agrees to the test question'
  return `${quoted(data.confirmer)} ${came}`
}
