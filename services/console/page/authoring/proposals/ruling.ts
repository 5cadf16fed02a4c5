// A ruling on a question: what the person was shown, the word, and what it puts there, signed.
import { jsonOf, type JsonMap } from '#record/canonical'
import type { BoundAnswer } from '#schemas/console/signing'
import type { Candidate, RulingWord } from '#schemas/learning'
import { signAct, signer } from '../../operating/acts.ts'
import { askServer } from '../../shell/requests.ts'
import { releasedWith, suggestionOf, type OpenQuestion } from './question.ts'

export interface RulingDraft {
  readonly question: OpenQuestion
  readonly ruling: RulingWord
  /** Of `modified`. */
  readonly candidate?: Candidate
  readonly note: string
}

/** All that is signed but whether the signer is an owner, which the log knows. */
export function rulingContent({ question, ruling, candidate, note }: RulingDraft): JsonMap {
  const { data, name } = question
  const suggestion = ruling === 'accepted' ? suggestionOf(question) : null
  return {
    confirmer: signer(),
    digest: data.digest,
    proposal: name,
    releases: releasesIn(question, ruling),
    ruling,
    ...(candidate !== undefined && { candidate: jsonOf(candidate) }),
    ...(suggestion !== null && {
      suggestion: { name: suggestion.name, digest: suggestion.digest },
    }),
    ...(note !== '' && { note }),
  }
}

/** Only what puts something there lets anything go on. */
function releasesIn(question: OpenQuestion, ruling: RulingWord) {
  if (ruling === 'skipped' || ruling === 'rejected') return []
  return releasedWith(question).map(({ intent, digest }) => ({ intent, digest }))
}

export function signRuling(draft: RulingDraft): Promise<BoundAnswer> {
  const { question, ruling, candidate, note } = draft
  const suggestion = ruling === 'accepted' ? suggestionOf(question) : null
  const body: JsonMap = {
    ruling,
    digest: question.data.digest,
    releases: releasesIn(question, ruling),
    ...(candidate !== undefined && { candidate: jsonOf(candidate) }),
    ...(suggestion !== null && { suggestion: suggestion.name }),
    ...(note !== '' && { note }),
  }
  const at = { in: { proposal: question.proposal } }
  return signAct({
    kind: 'ruling',
    ofLog: ['byOwner'],
    content: () => rulingContent(draft),
    prepare: () => askServer('rulingPrepare', '/proposals/{proposal}/prepare', { ...at, body }),
    submit: (signed) =>
      askServer('rulingSubmit', '/proposals/{proposal}/submit', {
        ...at,
        body: { ...body, signed },
      }),
  })
}
