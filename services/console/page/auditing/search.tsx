// Searching the log: filters, what they found, and beside it the fact that the address names. On a
// phone the one takes the place of the other.
import { useEffect } from 'preact/hooks'
import { auditLabels } from '#present/auditing/audit-labels'
import {
  asRecordedText,
  newerText,
  unansweredText,
  foundFact,
  kindText,
  type FoundFact,
} from '#present/auditing/found-text'
import {
  queryOfFilters,
  filterFor,
  filtersWith,
  filterLabel,
  filterNames,
  filtersWithout,
  type Filter,
  type FilterName,
} from '#present/auditing/filters'
import { labels } from '#present/console/labels'
import { canonical } from '#record/canonical'
import { leavesOf } from '#present/auditing/leaves'
import { contractOfFact, reinstatedIn } from '#present/work/contract-of-fact'
import { standingLabels } from '#present/work/standing-labels'
import { momentAfter, momentText, positionsIn } from '#schemas/console/positions'
import { Button } from '../drawing/button.tsx'
import { useInView } from '../drawing/in-view.ts'
import { Empty, Failed, Notice } from '../drawing/notice.tsx'
import { goTo, linkTo } from '../shell/address.ts'
import {
  asRecordedCount,
  chosen,
  facts,
  failedCount,
  filters,
  followNewer,
  goToFact,
  isSearching,
  isWhole,
  newer,
  next,
  search,
  searchProblem,
  step,
  linkToFact,
} from './search-state.ts'
import { BackToList } from '../drawing/ways.tsx'
import { Hostile, MarkedText } from '../drawing/hostile.tsx'
import { onKeys } from '../shell/keys.ts'
import { askServer, PageProblem } from '../shell/requests.ts'
import { session } from '../shell/session.ts'
import { linkToContract, linkToStanding } from '../standings/links.ts'
import { Exact } from '../drawing/moment.tsx'
import { useOnce } from '../operating/room.tsx'
import { NoteDown } from './story/note.tsx'
import { LeafShown, Details } from '../drawing/texts.tsx'
import { useSignal } from '@preact/signals'
import { Form } from '../drawing/form-fields.tsx'

// One fact that was found: what it says, when, and the values by which one narrows the search.

const phraseMax = 220

interface FoundLineProps {
  readonly fact: FoundFact
  readonly isHere: boolean
}

function FoundLine({ fact, isHere }: FoundLineProps) {
  const row = useInView<HTMLLIElement>(isHere, 'nearest')
  return (
    <li ref={row} class={`marked found-row found-${fact.tone}${isHere ? ' found-here' : ''}`}>
      <p class="bunch quiet small found-head">
        <Pick filter={{ name: 'kind', value: fact.kind }} text={kindText(fact.kind)} />
        <Exact at={fact.at} />
        <span class="found-position">{fact.moment}</span>
      </p>
      <a
        class="found-link"
        href={linkToFact(fact.moment)}
        aria-current={isHere ? 'true' : undefined}
      >
        <Phrase text={fact.phrase} />
      </a>
      <p class="bunch below">
        {fact.filters.map((filter) => (
          <Pick filter={filter} max={40} />
        ))}
      </p>
    </li>
  )
}

// A line has no room for a button that shows the rest.
function Phrase({ text }: { readonly text: string }) {
  const isLong = text.length > phraseMax
  return isLong ? (
    <Hostile text={text} max={phraseMax} isBrief />
  ) : (
    <MarkedText text={text} max={phraseMax} />
  )
}

/** `j` and `k` as in the inbox; Enter goes on to the story of what is chosen. */
function followKeys(): () => void {
  return onKeys((key, { target }) => {
    if (key === 'j') void step(1)
    if (key === 'k') void step(-1)
    if (key === 'Escape' && chosen.value !== null) goToFact(null)
    const isOnLink = target instanceof HTMLElement && target.closest('a, button')
    if (key !== 'Enter' || isOnLink) return
    const intent = facts.value?.find(({ moment }) => moment === chosen.value)?.intent ?? null
    if (intent !== null) goTo(['intents', intent], queryOfFilters(filters.value))
  })
}

export function LogSearch() {
  const key = JSON.stringify(queryOfFilters(filters.value))
  useEffect(() => void search(), [key])
  useEffect(followNewer, [])
  useEffect(followKeys, [])
  const at = chosen.value
  return (
    <div class={at === null ? 'split split-log' : 'split split-log split-open'}>
      <section class="column split-list" aria-labelledby="log-title">
        <div class="scroll log-scroll">
          <h1 id="log-title" class="unseen">
            {auditLabels.views.log}
          </h1>
          <Filtering key={key} />
          <Newer />
          {searchProblem.value !== null && (
            <Failed code={searchProblem.value} onRetry={() => void search()} />
          )}
          <Found />
        </div>
      </section>
      <section class="column split-detail">
        {at === null ? (
          <p class="choose">
            {auditLabels.search.choose}
            <br />
            <span class="small keys-hint">{auditLabels.search.keys}</span>
          </p>
        ) : (
          <FactView key={at} moment={at} />
        )}
      </section>
    </div>
  )
}

function Newer() {
  const { count, isMore } = newer.value
  return (
    <output>
      {count > 0 && (
        <button
          type="button"
          class="button button-small button-main newer"
          onClick={() => void search()}
        >
          <span aria-hidden="true">↑</span> {newerText(count, isMore)}
        </button>
      )}
    </output>
  )
}

function Found() {
  const all = facts.value
  if (all === null) return isSearching.value ? <p class="loading">{labels.loading}</p> : null
  return (
    <>
      {failedCount.value > 0 && (
        <p class="quiet small log-note">{unansweredText(failedCount.value)}</p>
      )}
      {asRecordedCount.value > 0 && (
        <p class="quiet small log-note">{asRecordedText(asRecordedCount.value)}</p>
      )}
      {all.length === 0 && next.value === null && (
        <Empty title={auditLabels.search.none} lead={auditLabels.search.noneLead} />
      )}
      <ol class="framed lined found" aria-label={auditLabels.search.found}>
        {all.map((fact) => (
          <FoundLine key={fact.moment} fact={fact} isHere={fact.moment === chosen.value} />
        ))}
      </ol>
      {!isWhole.value && <Notice tone="calm">{auditLabels.search.partly}</Notice>}
      {next.value === null ? (
        all.length > 0 && <p class="quiet small log-note">{auditLabels.search.begin}</p>
      ) : (
        <Button
          is="wide"
          label={auditLabels.search.older}
          isOff={isSearching.value}
          onPress={() => void search(next.value)}
        />
      )}
    </>
  )
}

// All that one fact says. Each of its values filters the search by what stands there.

/** From what was found already, else from the log: the newest one before the next position. */
async function factAt(moment: string): Promise<FoundFact> {
  const here = facts.value?.find((fact) => fact.moment === moment)
  if (here !== undefined) return here
  const query = { cursor: momentAfter(moment), content: 'true', limit: '1' }
  const { rows } = await askServer('facts', '/facts', { query })
  const [fact] = rows
  if (fact === undefined || momentText(fact) !== moment) throw new PageProblem('not_found')
  return foundFact(fact, session.value?.realm ?? '')
}

function FactView({ moment }: { readonly moment: string }) {
  const { value: fact, problem, again } = useOnce(moment, () => factAt(moment))
  if (problem !== null) return <Failed code={problem} onRetry={() => void again()} />
  if (fact === null) return <p class="loading">{labels.loading}</p>
  return (
    <article class="pane fact" aria-labelledby="fact-title">
      <div class="ends fact-bar">
        <BackToList to={linkToFact(null)} label={auditLabels.fact.back} />
        <span class="bunch">
          <Button is="small" label={auditLabels.fact.previous} onPress={() => void step(-1)} />
          <Button is="small" label={auditLabels.fact.next} onPress={() => void step(1)} />
        </span>
      </div>
      <header class="head">
        <p class="quiet">
          {kindText(fact.kind)} · {auditLabels.fact.at} {fact.moment}
        </p>
        <h1 id="fact-title">
          <MarkedText text={fact.phrase} max={600} />
        </h1>
        <p class="quiet small bunch">
          <Exact at={fact.at} />
          <Pick filter={{ name: 'since', value: fact.at }} text={auditLabels.fact.since} />
          <Pick filter={{ name: 'until', value: fact.at }} text={auditLabels.fact.until} />
        </p>
        <p class="bunch">
          {fact.intent !== null && (
            <a
              class="button button-main"
              href={linkTo(['intents', fact.intent], queryOfFilters(filters.value))}
            >
              {auditLabels.fact.story}
            </a>
          )}
          <WorkWays fact={fact} />
          <NoteThere moment={moment} />
        </p>
      </header>
      <Values fact={fact} />
    </article>
  )
}

/** To the contract that it is about, or to the standing that it moved. */
function WorkWays({ fact }: { readonly fact: FoundFact }) {
  const [contract, agent] = [contractOfFact(fact), reinstatedIn(fact)]
  if (contract === null && agent === null) return null
  return contract === null ? (
    <a class="button button-small" href={linkToStanding(agent ?? '', fact.moment)}>
      {standingLabels.ofAgent}
    </a>
  ) : (
    <a class="button button-small" href={linkToContract(contract)}>
      {standingLabels.chart.contract}
    </a>
  )
}

function NoteThere({ moment }: { readonly moment: string }) {
  const [at] = positionsIn(moment) ?? []
  if (at === undefined) return null
  const [cell, position] = at
  return <NoteDown about={{ position }} cell={cell} />
}

function Values({ fact }: { readonly fact: FoundFact }) {
  const { leaves, more } = leavesOf(fact.content)
  return (
    <>
      <h2>{auditLabels.fact.values}</h2>
      <dl class="framed lined leaves">
        {leaves.map(({ pointer, label, text, value }) => {
          const filter = filterFor(value, pointer, fact.isEvent)
          return (
            <LeafShown name={label}>
              {filter === null ? (
                <Hostile text={text} max={400} />
              ) : (
                <a
                  class="pick-value"
                  href={linkToFact(null, filtersWith(filters.value, filter))}
                  title={auditLabels.fact.narrow}
                >
                  <Hostile text={text} max={400} isBrief />
                </a>
              )}
            </LeafShown>
          )
        })}
      </dl>
      {more > 0 && <p class="quiet small">… {more}</p>}
      <Details label={auditLabels.fact.raw}>
        <Hostile in="p" class="quiet small" text={fact.name} max={800} />
        <Hostile in="p" class="code" text={canonical(fact.content)} max={4_000} />
      </Details>
    </>
  )
}

// A value that filters by itself when it is clicked.

interface PickProps {
  readonly filter: Filter
  /** What is drawn; the filter's value if absent. */
  readonly text?: string
  readonly max?: number
}

function Pick({ filter, text = filter.value, max = 60 }: PickProps) {
  const isOn = filters.value[filter.name] === filter.value
  const title = `${auditLabels.fact.narrow} (${filterLabel(filter.name)})`
  return (
    <a
      class={isOn ? 'pick pick-on' : 'pick'}
      href={linkToFact(null, filtersWith(filters.value, filter))}
      title={title}
    >
      <Hostile text={text} max={max} isBrief />
    </a>
  )
}

// The filters that are set, each with a way to remove it; a way to add one by hand; and the
// expression, for what no filter asks.

const isTime = (name: FilterName): boolean => name === 'since' || name === 'until'

const byHand = filterNames.filter((name) => name !== 'where')

function Filtering() {
  const isAdding = useSignal(false)
  return (
    <div class="stack filtering">
      <Expression />
      <div class="bunch">
        <ul class="bunch" aria-label={auditLabels.search.filters}>
          {filterNames.map((name) => {
            const value = filters.value[name]
            return value === undefined || name === 'where' ? null : (
              <li key={name}>
                <Chip name={name} value={value} />
              </li>
            )
          })}
        </ul>
        <button
          type="button"
          class="text-button"
          aria-expanded={isAdding.value}
          onClick={() => (isAdding.value = !isAdding.value)}
        >
          + {auditLabels.search.add}
        </button>
        {Object.keys(filters.value).length > 0 && (
          <a class="text-button" href={linkToFact(null, {})}>
            {auditLabels.search.clear}
          </a>
        )}
      </div>
      {isAdding.value && <Adding />}
    </div>
  )
}

function Chip({ name, value }: { readonly name: FilterName; readonly value: string }) {
  return (
    <span class="chip">
      <span class="chip-name">{filterLabel(name)}</span>
      {isTime(name) && /^\d{4}-.*T/.test(value) ? (
        <Exact at={value} />
      ) : (
        <Hostile text={value} max={60} isBrief />
      )}
      <a
        class="chip-remove"
        href={linkToFact(null, filtersWithout(filters.value, name))}
        aria-label={`${auditLabels.search.remove}: ${filterLabel(name)}`}
      >
        <span aria-hidden="true">✕</span>
      </a>
    </span>
  )
}

/** Neither words nor names: a browser corrects and offers nothing. */
const asWritten = { spellcheck: false, autoComplete: 'off', autoCapitalize: 'none' } as const

function Expression() {
  const text = useSignal(filters.value.where ?? '')
  const run = (): void => {
    const where = text.value.trim()
    const rest = filtersWithout(filters.value, 'where')
    goToFact(null, where === '' ? rest : { ...rest, where })
  }
  return (
    <search>
      <Form class="in-line" onSend={run}>
        <label class="unseen" for="where">
          {auditLabels.search.expression}
        </label>
        <input
          id="where"
          class="value"
          {...asWritten}
          maxLength={2_000}
          placeholder={auditLabels.search.expressionHint}
          value={text.value}
          onInput={(event) => (text.value = event.currentTarget.value)}
        />
        <Button label={auditLabels.search.run} />
      </Form>
    </search>
  )
}

function Adding() {
  const name = useSignal<FilterName>('agent')
  const value = useSignal('')
  const add = (): void => {
    const text = value.value.trim()
    if (text !== '') goToFact(null, filtersWith(filters.value, { name: name.value, value: text }))
  }
  return (
    <Form class="in-line" onSend={add}>
      <select
        aria-label={auditLabels.search.addWhich}
        onChange={({ currentTarget }) => {
          name.value = byHand.find((one) => one === currentTarget.value) ?? 'agent'
        }}
      >
        {byHand.map((one) => (
          <option value={one} selected={one === name.value}>
            {filterLabel(one)}
          </option>
        ))}
      </select>
      <input
        aria-label={auditLabels.search.addValue}
        {...asWritten}
        maxLength={1_000}
        placeholder={isTime(name.value) ? '24h' : name.value === 'decisions' ? 'true' : ''}
        value={value.value}
        onInput={(event) => (value.value = event.currentTarget.value)}
      />
      <Button label={auditLabels.search.add} />
    </Form>
  )
}
