// What is said of a question to people in the story of an intent that waits for it: that it is
// asked, what a model made of it, and what became of it.
import type { RulingData } from '#schemas/learning'
import type { Kind } from '#schemas/kinds'
import { quoted } from '#core/kernel/quote'
import { suggestionFaultText } from '../candidate.ts'
import { candidateLines, wantedText } from '../proposal.ts'
import { said } from '../wording.ts'
import { plain, read, type Said } from './said.ts'
import type { Told } from './told.ts'

type QuestionKind = Extract<
  Kind,
  'proposal' | 'meeting' | 'suggestion' | 'ruling' | 'expiry' | 'reopening'
>

export function questionSaid(kind: QuestionKind, fact: Told): Said {
  switch (kind) {
    case 'proposal':
      return read('proposal', fact, ({ template }) =>
        plain(`People are asked ${wantedText(template)}`),
      )
    case 'meeting':
      return read('meeting', fact, ({ met }) =>
        plain(`${quoted(met.agent)} has met what is asked, too`),
      )
    case 'suggestion':
      return read('suggestion', fact, (data) => {
        const by = quoted(data.by)
        if ('candidate' in data) return plain(`${by} proposes`, candidateLines(data.candidate))
        return plain(`${by} had no usable answer`, [suggestionFaultText(data.failed)])
      })
    case 'ruling':
      return read('ruling', fact, rulingSaid)
    case 'expiry':
      return read('expiry', fact, () => plain('No one answered what was asked in time'))
    case 'reopening':
      return read('reopening', fact, ({ confirmer, note }) =>
        plain(`${quoted(confirmer)} has it asked again`, noteLines(note)),
      )
  }
}

function rulingSaid({ confirmer, ruling, byOwner, note }: RulingData): Said {
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

function noteLines(note: string | undefined): readonly string[] {
  return note === undefined ? [] : [`note: ${said(note)}`]
}
