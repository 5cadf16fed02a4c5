// One question of learning: what is missing, who met it, what would go on with an answer; and the
// answer, previewed before it is signed.
import { useSignal } from '@preact/signals'
import { authorLabels } from '#present/console/overseeing/author-labels'
import { questionTitle } from '#present/console/overseeing/question-title'
import { candidateLines } from '#present/proposal'
import { jsonText } from '#present/wording'
import type { Candidate, RulingWord } from '#schemas/learning'
import type { SuggestedAnswer } from '#schemas/console/turned'
import {
  answerFrom,
  candidateOf,
  changeFor,
  emptyAnswer,
  suggestionOf,
  type OpenQuestion,
} from '#present/console/overseeing/open-question'
import { Button } from '../../drawing/button.tsx'
import { Form } from '../../drawing/form-fields.tsx'
import { Pair, Section } from '../../drawing/texts.tsx'
import { BackLink } from '../../drawing/ways.tsx'
import { Hostile } from '../../drawing/hostile.tsx'
import { Empty } from '../../drawing/notice.tsx'
import { SignSheet } from '../../operating/sign-sheet.tsx'
import { goTo, linkTo } from '../../shell/address.ts'
import { WhatIf } from '../what-if.tsx'
import { AnswerForm, rulingContent, signRuling } from './answer-form.tsx'
import { MergeSheet } from './merge-sheet.tsx'

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
      <BackLink to={linkTo(['authoring', 'proposals'])} label={words.back} />
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
      <Hostile in="h2" class="title" text={questionTitle(data.template)} max={600} />
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
      <Pair name={words.met}>
        <Hostile text={met.map(({ agent }) => agent).join(', ')} max={400} />
      </Pair>
      {others.length > 0 && (
        <Pair name={words.around}>
          <Hostile text={others.join(', ')} max={400} />
        </Pair>
      )}
      {candidates.length > 0 && (
        <Pair name={words.isAlso}>
          <Hostile text={candidates.join(', ')} max={400} />{' '}
          {!isAgreed && <Button is="text" label={words.isOne} onPress={onMerge} />}
        </Pair>
      )}
      {round > 1 && <Pair name={words.round}>{round}</Pair>}
    </dl>
  )
}

function Releases({ question }: { readonly question: OpenQuestion }) {
  const releases = question.releases
  return (
    <Section title={words.releases}>
      {releases.length === 0 && <p class="quiet">{words.noReleases}</p>}
      {releases.length > 0 && (
        <ul class="framed lined plain-rows">
          {releases.map(({ intent: at, tool, safetyClass, args }) => (
            <li>
              <Hostile in="a" href={linkTo(['intents', at])} text={tool} max={80} isBrief />{' '}
              <span class="quiet small">{safetyClass}</span>
              <Hostile in="code" text={jsonText(args, 4_096)} max={600} />
            </li>
          ))}
        </ul>
      )}
    </Section>
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
      <Form
        class="framed panel panel-form"
        onSend={() => {
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
          <Button is="main" label={words.teach} isOff={candidate === null} />
          <Button
            label={words.preview}
            isOff={candidate === null}
            onPress={() => (previewed.value = candidate)}
          />
          {candidate === null && <span class="quiet small">{words.fill}</span>}
        </div>
      </Form>
      <div class="bunch below">
        <Button label={words.skip} onPress={() => onRule({ ruling: 'skipped' })} />
        <Button label={words.reject} onPress={() => onRule({ ruling: 'rejected' })} />
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
          <Hostile in="pre" class="code" text={candidateLines(put).join('\n')} max={2_000} />
          <WhatIf body={changeFor(template, put)} />
        </>
      )}
    </SignSheet>
  )
}

// What a model proposes for a question, to be accepted as it is or to start from.

interface SuggestionPanelProps {
  readonly suggestion: SuggestedAnswer
  readonly onAccept: () => void
  readonly onTake: () => void
}

function SuggestionPanel({ suggestion, onAccept, onTake }: SuggestionPanelProps) {
  return (
    <section class="framed panel">
      <h2>
        {words.suggestion} {words.suggestionBy} <Hostile text={suggestion.by} max={80} isBrief />
      </h2>
      <pre class="code">
        <Hostile text={candidateLines(suggestion.candidate).join('\n')} max={2_000} />
      </pre>
      <div class="bunch below">
        <Button is="main" label={words.accept} onPress={onAccept} />
        <Button label={words.take} onPress={onTake} />
      </div>
    </section>
  )
}
