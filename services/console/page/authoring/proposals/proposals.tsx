// The open questions of learning: what is missing, who met it and what waits for it; several can
// be ruled on in one go, each of them shown.
import { useSignal } from '@preact/signals'
import { authorLabels } from '#present/console/overseeing/author-labels'
import { askedAbout, questionTitle } from '#present/console/overseeing/question-title'
import {
  alikeIn,
  canMerge,
  suggestionOf,
  type OpenQuestion,
} from '#present/console/overseeing/open-question'
import { Button } from '../../drawing/button.tsx'
import { toggled } from '../../drawing/form-fields.tsx'
import { Hostile } from '../../drawing/hostile.tsx'
import { Empty } from '../../drawing/notice.tsx'
import { useReading, Read } from '../../operating/room.tsx'
import { linkTo, place } from '../../shell/address.ts'
import { askServer } from '../../shell/requests.ts'
import { BulkRuling } from './bulk-ruling.tsx'
import { MergeSheet } from './merge-sheet.tsx'
import { QuestionView } from './question-view.tsx'

const words = authorLabels.proposals
const bulkMax = 50

export function Proposals() {
  const [, , id] = place.value.path
  return id === undefined ? <AllQuestions /> : <OneQuestion key={id} id={id} />
}

function AllQuestions() {
  const reading = useReading('proposals', () =>
    askServer('proposals', '/proposals', { query: { limit: '1000' } }),
  )
  return (
    <Read reading={reading}>{({ rows }) => <Questions all={rows} onChange={reading.again} />}</Read>
  )
}

const ended = new Set<OpenQuestion['state']>(['applied', 'skipped', 'rejected', 'expired'])

function OneQuestion({ id }: { readonly id: string }) {
  const reading = useReading(`proposal ${id}`, () =>
    askServer('proposal', '/proposals/{proposal}', { in: { proposal: id } }),
  )
  return (
    <Read reading={reading}>
      {({ proposal }) => (
        <QuestionView
          question={ended.has(proposal.state) ? null : proposal}
          onChange={reading.again}
        />
      )}
    </Read>
  )
}

interface QuestionsProps {
  readonly all: readonly OpenQuestion[]
  readonly onChange: () => Promise<void>
}

function Questions({ all, onChange }: QuestionsProps) {
  const chosen = useSignal<ReadonlySet<string> | null>(null)
  const ruling = useSignal<readonly OpenQuestion[] | null>(null)
  const isTogether = useSignal(false)
  const merging = useSignal<readonly OpenQuestion[] | null>(null)
  const open = (questions: readonly OpenQuestion[], together: boolean): void => {
    isTogether.value = together
    ruling.value = questions
  }
  const close = (): void => {
    ruling.value = null
    merging.value = null
    chosen.value = null
    void onChange()
  }
  const isRuling = ruling.value !== null || merging.value !== null
  if (all.length === 0 && !isRuling) return <Empty title={words.empty} lead={words.emptyLead} />
  const ticked = all.filter(({ proposal }) => chosen.value?.has(proposal) === true)
  return (
    <>
      <div class="bunch list-acts">
        {ticked.length > 0 && (
          <Button
            is="smallMain"
            label={`${words.selectedLook} (${ticked.length})`}
            onPress={() => open(ticked, false)}
          />
        )}
        {all.length > 1 && (
          <Button
            is="text"
            label={chosen.value === null ? words.select : words.selectNone}
            onPress={() => (chosen.value = chosen.value === null ? new Set() : null)}
          />
        )}
      </div>
      {alikeIn(all).map((group) => (
        <Alike
          group={group}
          onTogether={() => open(group, true)}
          onMerge={() => (merging.value = group)}
        />
      ))}
      <ul class="stack">
        {all.map((question) => (
          <QuestionRow
            key={question.proposal}
            question={question}
            isChosen={chosen.value === null ? null : chosen.value.has(question.proposal)}
            onToggle={() => (chosen.value = toggled(chosen.value, question.proposal, bulkMax))}
          />
        ))}
      </ul>
      {ruling.value !== null && (
        <BulkRuling questions={ruling.value} isTogether={isTogether.value} onClose={close} />
      )}
      {merging.value !== null && <MergeSheet questions={merging.value} onClose={close} />}
    </>
  )
}

interface AlikeProps {
  readonly group: readonly OpenQuestion[]
  readonly onTogether: () => void
  readonly onMerge: () => void
}

function Alike({ group, onTogether, onMerge }: AlikeProps) {
  const names = group.map(({ data }) => askedAbout(data.template)).join(', ')
  return (
    <div class="notice">
      <p>
        {words.alike} <Hostile in="strong" text={names} max={200} isBrief />
      </p>
      <div class="bunch below">
        {canMerge(group) && <Button is="small" label={words.alikeMerge} onPress={onMerge} />}
        <Button is="small" label={words.alikeLook} onPress={onTogether} />
      </div>
    </div>
  )
}

interface QuestionRowProps {
  readonly question: OpenQuestion
  /** Null where none is being chosen. */
  readonly isChosen: boolean | null
  readonly onToggle: () => void
}

function QuestionRow({ question, isChosen, onToggle }: QuestionRowProps) {
  const { proposal: id, data, state } = question
  const isAgreed = state === 'agreed'
  const { length: waiting } = question.releases
  return (
    <li class={isAgreed ? 'framed marked row marked-good' : 'framed marked row'}>
      <div class="ends">
        {isChosen !== null && !isAgreed && (
          <label class="choose-one">
            <input type="checkbox" checked={isChosen} onChange={onToggle} />
            <span class="unseen">{questionTitle(data.template)}</span>
          </label>
        )}
        <div class="grow">
          <a class="row-title" href={linkTo(['authoring', 'proposals', id])}>
            <Hostile text={questionTitle(data.template)} max={240} isBrief />
          </a>
          <p class="quiet small">
            <Hostile text={data.met.map(({ agent }) => agent).join(', ')} max={120} isBrief />
            {waiting > 0 && ` · ${waiting} ${waiting === 1 ? words.waits.one : words.waits.many}`}
            {suggestionOf(question) !== null && ` · ${words.suggested}`}
          </p>
        </div>
        {isAgreed && <span class="state state-good">{words.agreed}</span>}
      </div>
    </li>
  )
}
