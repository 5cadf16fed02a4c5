// One question of learning: what is missing, who met it, what would go on with an answer; and the
// answer, previewed before it is signed.
import { useSignal } from '@preact/signals'
import { authorLabels } from '#present/console/overseeing/author-labels'
import { questionTitle } from '#present/console/overseeing/question-title'
import { candidateLines } from '#present/proposal'
import { jsonText } from '#present/wording'
import type { Candidate, RulingWord } from '#schemas/learning'
import { Hostile } from '../../drawing/hostile.tsx'
import { Empty } from '../../drawing/notice.tsx'
import { SignSheet } from '../../operating/sign-sheet.tsx'
import { goTo, linkTo } from '../../shell/address.ts'
import { WhatIf } from '../what-if.tsx'
import { AnswerForm } from './answer-form.tsx'
import { MergeSheet } from './merge-sheet.tsx'
import { rulingContent, signRuling } from './ruling.ts'
import { SuggestionPanel } from './suggestion-panel.tsx'
import {
  answerFrom,
  candidateOf,
  changeFor,
  emptyAnswer,
  releasedWith,
  suggestionOf,
  type OpenQuestion,
} from './question.ts'

const words = authorLabels.proposals

interface QuestionProps {
  readonly question: OpenQuestion | null
  readonly onChange: () => Promise<void>
}

interface Ruling {
  readonly ruling: RulingWord
  readonly candidate?: Candidate
}

export function QuestionView({ question, onChange }: QuestionProps) {
  return (
    <>
      <a class="back-link" href={linkTo(['authoring', 'proposals'])}>
        ‹ {words.back}
      </a>
      {question === null ? (
        <Empty title={words.gone} lead={words.goneLead} />
      ) : (
        <Shown key={question.proposal} question={question} onChange={onChange} />
      )}
    </>
  )
}

function Shown({ question, onChange }: QuestionProps & { readonly question: OpenQuestion }) {
  const { data } = question
  const isAgreed = question.state === 'agreed'
  const ruling = useSignal<Ruling | null>(null)
  const isMerging = useSignal(false)
  return (
    <article class="spaced question">
      <h2 class="title">
        <Hostile text={questionTitle(data.template)} max={600} />
      </h2>
      <About question={question} onMerge={() => (isMerging.value = true)} />
      <Releases question={question} />
      {isAgreed ? (
        <p class="notice notice-good">{words.agreed}</p>
      ) : (
        <Answering question={question} onRule={(next) => (ruling.value = next)} />
      )}
      {isMerging.value && (
        <MergeSheet
          questions={[question]}
          onClose={() => {
            isMerging.value = false
            void onChange()
          }}
        />
      )}
      {ruling.value !== null && (
        <RulingSheet
          question={question}
          of={ruling.value}
          onClose={() => {
            ruling.value = null
            void onChange()
          }}
        />
      )}
    </article>
  )
}

interface AboutProps {
  readonly question: OpenQuestion
  readonly onMerge: () => void
}

/** Who met it, what lies around it, and what it may be the same as. */
function About({ question, onMerge }: AboutProps) {
  const { data } = question
  const isAgreed = question.state === 'agreed'
  const { template, query, met, round } = data
  const candidates = template.kind === 'EXISTENCE' ? (template.candidates ?? []) : []
  const others = query.concepts.filter(
    (one) => !('primitive' in template) || one !== template.primitive,
  )
  return (
    <dl class="pairs">
      <dt>{words.met}</dt>
      <dd>
        <Hostile text={met.map(({ agent }) => agent).join(', ')} max={400} />
      </dd>
      {others.length > 0 && (
        <>
          <dt>{words.around}</dt>
          <dd>
            <Hostile text={others.join(', ')} max={400} />
          </dd>
        </>
      )}
      {candidates.length > 0 && (
        <>
          <dt>{words.isAlso}</dt>
          <dd>
            <Hostile text={candidates.join(', ')} max={400} />{' '}
            {!isAgreed && (
              <button type="button" class="text-button" onClick={onMerge}>
                {words.isOne}
              </button>
            )}
          </dd>
        </>
      )}
      {round > 1 && (
        <>
          <dt>{words.round}</dt>
          <dd>{round}</dd>
        </>
      )}
    </dl>
  )
}

function Releases({ question }: { readonly question: OpenQuestion }) {
  const releases = releasedWith(question)
  return (
    <section class="block">
      <h2>{words.releases}</h2>
      {releases.length === 0 && <p class="quiet">{words.noReleases}</p>}
      {releases.length > 0 && (
        <ul class="framed lined plain-rows">
          {releases.map(({ intent, tool, safetyClass, args }) => (
            <li>
              <a href={linkTo(['intents', intent])}>
                <Hostile text={tool} max={80} isBrief />
              </a>{' '}
              <span class="quiet small">{safetyClass}</span>
              <code>
                <Hostile text={jsonText(args, 4_096)} max={600} />
              </code>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

interface AnsweringProps {
  readonly question: OpenQuestion
  readonly onRule: (ruling: Ruling) => void
}

function Answering({ question, onRule }: AnsweringProps) {
  const { template } = question.data
  const draft = useSignal(emptyAnswer(template))
  const previewed = useSignal<Candidate | null>(null)
  const candidate = candidateOf(template, draft.value)
  const suggestion = suggestionOf(question)
  return (
    <>
      {suggestion !== null && (
        <SuggestionPanel
          suggestion={suggestion}
          onAccept={() => onRule({ ruling: 'accepted' })}
          onTake={() => (draft.value = answerFrom(suggestion.candidate))}
        />
      )}
      <form
        class="framed panel panel-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (candidate !== null) onRule({ ruling: 'modified', candidate })
        }}
      >
        <h2>{words.answer}</h2>
        <AnswerForm
          template={template}
          draft={draft.value}
          onChange={(next) => (draft.value = next)}
        />
        {previewed.value !== null && (
          <WhatIf
            key={JSON.stringify(previewed.value)}
            body={changeFor(template, previewed.value)}
          />
        )}
        <div class="bunch below">
          <button type="submit" class="button button-main" disabled={candidate === null}>
            {words.teach}
          </button>
          <button
            type="button"
            class="button"
            disabled={candidate === null}
            onClick={() => (previewed.value = candidate)}
          >
            {words.preview}
          </button>
          {candidate === null && <span class="quiet small">{words.fill}</span>}
        </div>
      </form>
      <div class="bunch below">
        <button type="button" class="button" onClick={() => onRule({ ruling: 'skipped' })}>
          {words.skip}
        </button>
        <button type="button" class="button" onClick={() => onRule({ ruling: 'rejected' })}>
          {words.reject}
        </button>
      </div>
    </>
  )
}

const leads = {
  accepted: words.acceptLead,
  modified: words.teachLead,
  skipped: words.skipLead,
  rejected: words.rejectLead,
} as const

const signs = {
  accepted: words.accept,
  modified: words.teach,
  skipped: words.skip,
  rejected: words.reject,
} as const

interface RulingSheetProps {
  readonly question: OpenQuestion
  readonly of: Ruling
  readonly onClose: () => void
}

function RulingSheet({ question, of, onClose }: RulingSheetProps) {
  const { ruling, candidate } = of
  const { template } = question.data
  const draftFor = (note: string) => ({
    question,
    ruling,
    note,
    ...(candidate !== undefined && { candidate }),
  })
  const put = candidate ?? (ruling === 'accepted' ? suggestionOf(question)?.candidate : undefined)
  return (
    <SignSheet
      title={questionTitle(template)}
      lead={leads[ruling]}
      sign={signs[ruling]}
      isGrave={ruling === 'rejected'}
      done={words.done[ruling]}
      content={(note) => rulingContent(draftFor(note))}
      act={async (note) => {
        await signRuling(draftFor(note))
        goTo(['authoring', 'proposals'])
      }}
      onClose={onClose}
    >
      {put !== undefined && (
        <>
          <pre class="code">
            <Hostile text={candidateLines(put).join('\n')} max={2_000} />
          </pre>
          <WhatIf body={changeFor(template, put)} />
        </>
      )}
    </SignSheet>
  )
}
