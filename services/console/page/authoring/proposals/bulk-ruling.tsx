// Several questions ruled on in one go: each is shown with what would go on, and each is signed by
// itself. Those that look alike can be given one answer.
import { useSignal } from '@preact/signals'
import { authorLabels } from '#present/console/overseeing/author-labels'
import { overseeingProblemText } from '#present/console/overseeing/overseeing-text'
import { workLabels } from '#present/console/overseeing/work-labels'
import { questionTitle } from '#present/console/overseeing/question-title'
import { candidateLines } from '#present/proposal'
import { jsonText } from '#present/wording'
import type { RulingWord } from '#schemas/learning'
import {
  candidateOf,
  emptyAnswer,
  suggestionOf,
  type AnswerDraft,
  type OpenQuestion,
} from '#present/console/overseeing/open-question'
import { NoteField, toggled } from '../../drawing/form-fields.tsx'
import { Hostile } from '../../drawing/hostile.tsx'
import { Notice } from '../../drawing/notice.tsx'
import { Sheet } from '../../drawing/sheet.tsx'
import { canSignHere } from '../../operating/acts.ts'
import { codeOf } from '../../shell/requests.ts'
import { AnswerForm, signRuling } from './answer-form.tsx'

const words = authorLabels.bulk

interface BulkRulingProps {
  readonly questions: readonly OpenQuestion[]
  /** Whether one answer is given to all of them. */
  readonly isTogether: boolean
  readonly onClose: () => void
}

/** What came of each: a code of what went wrong, or `done`. */
type Outcomes = ReadonlyMap<string, string>

export function BulkRuling({ questions, isTogether, onClose }: BulkRulingProps) {
  const left = useSignal<ReadonlySet<string>>(new Set(questions.map(({ proposal }) => proposal)))
  const came = useSignal<Outcomes>(new Map())
  const note = useSignal('')
  const isBusy = useSignal(false)
  const [first] = questions
  const draft = useSignal<AnswerDraft>(
    first === undefined ? { texts: new Map(), edge: null } : emptyAnswer(first.data.template),
  )
  const toggle = (id: string): void => void (left.value = toggled(left.value, id))
  const rule = async (ruling: RulingWord): Promise<void> => {
    isBusy.value = true
    for (const question of questions) {
      if (!left.value.has(question.proposal)) continue
      const outcome = await ruled(question, { ruling, note: note.value.trim(), draft: draft.value })
      const hasSigned = [...came.value.values()].includes('done')
      const isCovered = isTogether && hasSigned && outcome === 'ruling_void'
      came.value = new Map(came.value).set(question.proposal, isCovered ? 'covered' : outcome)
      if (outcome !== 'done' && !isCovered) break
      toggle(question.proposal)
    }
    isBusy.value = false
  }
  const isFilled = first !== undefined && candidateOf(first.data.template, draft.value) !== null
  const offered: readonly RulingWord[] = isTogether ? ['modified'] : offeredFor(questions)
  return (
    <Sheet title={isTogether ? words.together : words.title} onClose={onClose}>
      <p class="quiet">{isTogether ? words.togetherLead : words.lead}</p>
      {isTogether && first !== undefined && (
        <AnswerForm
          template={first.data.template}
          draft={draft.value}
          onChange={(next) => (draft.value = next)}
        />
      )}
      <ul class="stack bulk">
        {questions.map((question) => (
          <Item
            key={question.proposal}
            question={question}
            answer={isTogether ? draft.value : null}
            isTicked={left.value.has(question.proposal)}
            came={came.value.get(question.proposal) ?? null}
            onTick={() => toggle(question.proposal)}
          />
        ))}
      </ul>
      <NoteField label={workLabels.sign.note} typed={note} />
      {!canSignHere() && <Notice tone="warm">{workLabels.sign.noPasskey}</Notice>}
      <div class="answer-buttons bulk-buttons">
        {offered.map((ruling, index) => (
          <button
            type="button"
            class={index === offered.length - 1 ? 'button button-main' : 'button'}
            disabled={isBusy.value || !canSignHere() || (isTogether && !isFilled)}
            onClick={() => void rule(ruling)}
          >
            {isBusy.value ? workLabels.sign.signing : words.sign[ruling]}
          </button>
        ))}
      </div>
    </Sheet>
  )
}

function offeredFor(questions: readonly OpenQuestion[]): readonly RulingWord[] {
  const canAccept = questions.some((one) => suggestionOf(one) !== null)
  return canAccept ? ['rejected', 'skipped', 'accepted'] : ['rejected', 'skipped']
}

interface Ruled {
  readonly ruling: RulingWord
  readonly note: string
  readonly draft: AnswerDraft
}

async function ruled(question: OpenQuestion, { ruling, note, draft }: Ruled): Promise<string> {
  const candidate = ruling === 'modified' ? candidateOf(question.data.template, draft) : null
  if (ruling === 'accepted' && suggestionOf(question) === null) return 'no_suggestion'
  try {
    await signRuling({ question, ruling, note, ...(candidate !== null && { candidate }) })
    return 'done'
  } catch (error) {
    return codeOf(error)
  }
}

function cameText(came: string): string {
  if (came === 'done') return words.done
  if (came === 'covered') return words.covered
  return came === 'no_suggestion' ? words.noSuggestion : overseeingProblemText(came)
}

interface ItemProps {
  readonly question: OpenQuestion
  /** What would become known of it; null where each has its own. */
  readonly answer: AnswerDraft | null
  readonly isTicked: boolean
  readonly came: string | null
  readonly onTick: () => void
}

function Item({ question, answer, isTicked, came, onTick }: ItemProps) {
  const { template, met } = question.data
  const given = answer === null ? null : candidateOf(template, answer)
  const candidate = answer === null ? (suggestionOf(question)?.candidate ?? null) : given
  return (
    <li class="framed bulk-item">
      <label class="bulk-head">
        <input
          type="checkbox"
          aria-label={questionTitle(template)}
          checked={isTicked}
          disabled={came === 'done'}
          onChange={onTick}
        />
        <span class="grow tight">
          <Hostile in="strong" text={questionTitle(template)} max={300} />
          <span class="quiet small">
            <Hostile text={met.map(({ agent }) => agent).join(', ')} max={200} isBrief />
          </span>
        </span>
      </label>
      {candidate !== null && (
        <Hostile in="pre" class="code" text={candidateLines(candidate).join('\n')} max={1_200} />
      )}
      <ReleasesBrief question={question} />
      {came !== null && <CameNote came={came} />}
    </li>
  )
}

/** The held intents that wait for it. */
export function ReleasesBrief({ question }: { readonly question: OpenQuestion }) {
  return (
    <>
      {question.releases.map(({ tool, safetyClass, args }) => (
        <p class="small">
          <Hostile text={tool} max={80} isBrief /> <span class="quiet">{safetyClass}</span>{' '}
          <Hostile in="code" text={jsonText(args, 4_096)} max={300} />
        </p>
      ))}
    </>
  )
}

/** What came of one: a code, or `done`. */
export function CameNote({ came }: { readonly came: string }) {
  return <output class={came === 'done' ? 'field-good' : 'field-problem'}>{cameText(came)}</output>
}
