// Merging questions that mean the same: which name stays, what becomes of the others, what all of
// it would turn, and then a signature for each.
import { useSignal, type Signal } from '@preact/signals'
import { authorLabels } from '#present/console/overseeing/author-labels'
import { mergedNote } from '#present/console/overseeing/merged-note'
import { workLabels } from '#present/console/overseeing/work-labels'
import { candidateLines } from '#present/proposal'
import type { Primitive } from '#schemas/graph'
import {
  askedName,
  candidateFor,
  mergeChange,
  mergeSteps,
  namesToKeep,
  type Fate,
  type Merging,
  type MergeStep,
  emptyAnswer,
  type AnswerDraft,
  type OpenQuestion,
} from '#present/console/overseeing/open-question'
import { Button } from '../../drawing/button.tsx'
import { Form, NoteField, SelectField } from '../../drawing/form-fields.tsx'
import { Hostile } from '../../drawing/hostile.tsx'
import { Notice } from '../../drawing/notice.tsx'
import { Sheet } from '../../drawing/sheet.tsx'
import { canSignHere } from '../../operating/acts.ts'
import { useReading, ProblemNote } from '../../operating/room.tsx'
import { askServer, codeOf } from '../../shell/requests.ts'
import { AnswerForm, signRuling } from './answer-form.tsx'
import { WhatIf } from '../what-if.tsx'
import { CameNote, ReleasesBrief } from './bulk-ruling.tsx'

const words = authorLabels.merge

interface MergeProps {
  readonly questions: readonly OpenQuestion[]
  readonly onClose: () => void
}

export function MergeSheet({ questions, onClose }: MergeProps) {
  const names = namesToKeep(questions)
  // A name that is known is no mistake: where there is one, it stays unless another is chosen.
  const asked = questions.map(({ data }) => askedName(data.template))
  const kept = useSignal(names.find((one) => !asked.includes(one)) ?? names[0] ?? '')
  const fates = useSignal<ReadonlyMap<string, Fate>>(new Map())
  const drafts = useSignal<ReadonlyMap<string, AnswerDraft>>(new Map())
  const steps = useSignal<readonly MergeStep[] | null>(null)
  const { value: name } = kept
  const question = questions.find(({ data }) => askedName(data.template) === name) ?? null
  const reading = useReading(`kept ${name}`, async (): Promise<readonly Primitive[]> => {
    if (question !== null) return []
    const found = await askServer('standingConcepts', '/graph/concepts', {
      body: { names: [name] },
    })
    return found.primitives
  })
  const draft = drafts.value.get(name) ?? emptyDraft(question)
  const known = question === null ? (reading.value?.[0] ?? null) : null
  const merging = { questions, kept: name, fates: fates.value, draft, known }
  const ready = question === null && known === null ? null : mergeSteps(merging)
  return (
    <Sheet title={words.title} onClose={onClose}>
      {steps.value !== null ? (
        <Signing steps={steps.value} kept={name} onBack={() => (steps.value = null)} />
      ) : (
        <Form onSend={() => (steps.value = ready)}>
          <p class="quiet">{words.lead}</p>
          <SelectField
            label={words.kept}
            value={name}
            options={names.map((one) => [one, asked.includes(one) ? one : `${one} ${words.known}`])}
            onChange={(next) => (kept.value = next)}
          />
          {question !== null && (
            <AnswerForm
              template={question.data.template}
              draft={draft}
              onChange={(next) => (drafts.value = new Map(drafts.value).set(name, next))}
            />
          )}
          {reading.problem !== null && (
            <ProblemNote code={reading.problem} onRetry={() => void reading.again()} />
          )}
          <Others merging={merging} fates={fates} />
          <Button is="main" label={words.look} isOff={ready === null} />
        </Form>
      )}
    </Sheet>
  )
}

function emptyDraft(question: OpenQuestion | null): AnswerDraft {
  return question === null ? { texts: new Map(), edge: null } : emptyAnswer(question.data.template)
}

interface OthersProps {
  readonly merging: Merging
  readonly fates: Signal<ReadonlyMap<string, Fate>>
}

function Others({ merging, fates }: OthersProps) {
  const others = merging.questions.filter(({ data }) => askedName(data.template) !== merging.kept)
  return (
    <ul class="stack bulk">
      {others.map((question) => {
        const { proposal: id, data } = question
        const canBeKnown = merging.known === null || candidateFor(data.template, merging) !== null
        return (
          <li class="framed bulk-item">
            <SelectField
              label={`${words.fate} “${askedName(data.template)}”`}
              value={fates.value.get(id) ?? 'refused'}
              options={[
                ['refused', words.fates.refused],
                ...(canBeKnown ? [['known', words.fates.known] as const] : []),
              ]}
              onChange={(text) => {
                const fate = text === 'known' ? 'known' : 'refused'
                fates.value = new Map(fates.value).set(id, fate)
              }}
            />
            <ReleasesBrief question={question} />
          </li>
        )
      })}
    </ul>
  )
}

interface SigningProps {
  readonly steps: readonly MergeStep[]
  readonly kept: string
  readonly onBack: () => void
}

function Signing({ steps, kept, onBack }: SigningProps) {
  const came = useSignal<ReadonlyMap<string, string>>(new Map())
  const note = useSignal('')
  const isBusy = useSignal(false)
  const change = mergeChange(steps)
  const noteOf = ({ ruling }: MergeStep): string => {
    const why = note.value.trim()
    return ruling === 'rejected' ? mergedNote(kept, why) : why
  }
  const left = steps.filter(({ question }) => came.value.get(question.proposal) !== 'done')
  const sign = async (): Promise<void> => {
    isBusy.value = true
    for (const step of left) {
      const outcome = await signRuling({ ...step, note: noteOf(step) }).then(() => 'done', codeOf)
      came.value = new Map(came.value).set(step.question.proposal, outcome)
      if (outcome !== 'done') break
    }
    isBusy.value = false
  }
  return (
    <>
      <ul class="stack bulk">
        {steps.map((step) => (
          <Step
            step={step}
            note={noteOf(step)}
            came={came.value.get(step.question.proposal) ?? null}
          />
        ))}
      </ul>
      {change === null ? <Notice tone="calm">{words.nothing}</Notice> : <WhatIf body={change} />}
      <NoteField label={workLabels.sign.note} typed={note} />
      {!canSignHere() && <Notice tone="warm">{workLabels.sign.noPasskey}</Notice>}
      <div class="answer-buttons bulk-buttons">
        <Button
          label={words.back}
          isOff={isBusy.value || left.length < steps.length}
          onPress={onBack}
        />
        <Button
          is="main"
          label={isBusy.value ? workLabels.sign.signing : words.sign}
          isOff={isBusy.value || !canSignHere() || left.length === 0}
          onPress={() => void sign()}
        />
      </div>
    </>
  )
}

interface StepProps {
  readonly step: MergeStep
  /** As it will be signed. */
  readonly note: string
  readonly came: string | null
}

function Step({ step: { question, ruling, candidate }, note, came }: StepProps) {
  return (
    <li class="framed bulk-item">
      <p>
        <Hostile in="strong" text={askedName(question.data.template)} max={120} isBrief />{' '}
        <span class={`state state-${ruling === 'rejected' ? 'warm' : 'good'}`}>
          {ruling === 'rejected' ? words.refused : words.becomesKnown}
        </span>
      </p>
      {candidate !== undefined && (
        <Hostile in="pre" class="code" text={candidateLines(candidate).join('\n')} max={1_200} />
      )}
      {ruling === 'rejected' && <Hostile in="p" class="small quiet" text={note} max={300} />}
      <ReleasesBrief question={question} />
      {came !== null && <CameNote came={came} />}
    </li>
  )
}
