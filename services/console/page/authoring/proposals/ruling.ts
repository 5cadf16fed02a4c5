// A ruling on a question: what the person was shown, the word, and what it puts there, signed.
import { jsonOf, type JsonMap } from '#record/canonical'
import type { RulingWord } from '#schemas/learning'
import {
  suggestionOf,
  type OpenQuestion,
  type RulingDraft,
} from '#present/console/overseeing/open-question'
import { withNote, signAct, signer } from '../../operating/acts.ts'

/** All that is signed but whether the signer is an owner, which the log knows. */
export function rulingContent(draft: RulingDraft): JsonMap {
  const { question, ruling } = draft
  const { suggestion: _, ...body } = bodyOf(draft)
  const accepted = ruling === 'accepted' ? suggestionOf(question) : null
  return {
    ...body,
    confirmer: signer(),
    proposal: question.name,
    ...(accepted !== null && { suggestion: { name: accepted.name, digest: accepted.digest } }),
  }
}

function bodyOf({ question, ruling, candidate, note }: RulingDraft): JsonMap {
  const suggestion = ruling === 'accepted' ? suggestionOf(question) : null
  return {
    ruling,
    digest: question.data.digest,
    releases: releasesIn(question, ruling),
    ...(candidate !== undefined && { candidate: jsonOf(candidate) }),
    ...(suggestion !== null && { suggestion: suggestion.name }),
    ...withNote(note),
  }
}

/** Only what puts something there lets anything go on. */
function releasesIn(question: OpenQuestion, ruling: RulingWord) {
  if (ruling === 'skipped' || ruling === 'rejected') return []
  return question.releases.map(({ intent, digest }) => ({ intent, digest }))
}

export function signRuling(draft: RulingDraft): Promise<void> {
  return signAct('ruling', {
    kind: 'ruling',
    path: '/proposals/{proposal}',
    in: { proposal: draft.question.proposal },
    body: bodyOf(draft),
    content: rulingContent(draft),
    ofLog: ['byOwner'],
  })
}
