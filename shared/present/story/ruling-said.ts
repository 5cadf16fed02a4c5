// How a person ruled on a question about what is known, in a sentence.
import type { RulingData } from '#schemas/learning'
import { quoted } from '#record/quote'
import { noteLines, type Phrase } from './said.ts'

/** How a person's ruling on a question is put into words. */
export function rulingSaid({ confirmer, ruling, byOwner, note }: RulingData): Phrase {
  const title = {
    accepted: 'agrees to what was proposed',
    modified: 'says what is to be known',
    skipped: 'leaves it open',
    rejected: 'will not have it in the graph',
  }
  const who = `${quoted(confirmer)}${byOwner ? ', by the owner,' : ''}`
  const tone = ruling === 'accepted' || ruling === 'modified' ? 'good' : 'bad'
  return { title: `${who} ${title[ruling]}`, details: noteLines(note), tone }
}
