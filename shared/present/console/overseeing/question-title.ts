// A question of learning as a title.
import type { Template } from '#schemas/learning'
import { wantedText } from '../../proposal.ts'

/** What is asked, which goes on after `asks people` elsewhere. */
export function questionTitle(template: Template): string {
  const text = wantedText(template).replaceAll('`', '')
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

/** What it is about: one primitive, or several. */
export function askedAbout(template: Template): string {
  return 'primitive' in template ? template.primitive : template.primitives.join(', ')
}
