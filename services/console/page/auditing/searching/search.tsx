// Searching the log: filters, what they found, and beside it the fact that the address names. On a
// phone the one takes the place of the other.
import { useEffect } from 'preact/hooks'
import { auditLabels } from '#present/auditing/audit-labels'
import { asRecordedText, newerText, unansweredText } from '#present/auditing/found-text'
import { queryOfFilters } from '#present/auditing/filters'
import { labels } from '#present/console/labels'
import { Empty, Failed, Notice } from '../../drawing/notice.tsx'
import { goTo } from '../../shell/address.ts'
import { FactView } from './fact-view.tsx'
import { Filtering } from './filtering.tsx'
import { FoundLine } from './found-line.tsx'
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
} from './search-state.ts'

function isTyping({ target }: KeyboardEvent): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, dialog') !== null
}

/** `j` and `k` as in the inbox; Enter goes on to the story of what is chosen. */
function followKeys(): () => void {
  const onKey = (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, altKey } = event
    if (isTyping(event) || ctrlKey || metaKey || altKey) return
    if (key === 'j') void step(1)
    if (key === 'k') void step(-1)
    if (key === 'Escape' && chosen.value !== null) goToFact(null)
    const isOnLink = event.target instanceof HTMLElement && event.target.closest('a, button')
    if (key !== 'Enter' || isOnLink) return
    const intent = facts.value?.find(({ moment }) => moment === chosen.value)?.intent ?? null
    if (intent !== null) goTo(['intents', intent], queryOfFilters(filters.value))
  }
  document.addEventListener('keydown', onKey)
  return () => document.removeEventListener('keydown', onKey)
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
        <button type="button" class="newer" onClick={() => void search()}>
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
      {!isWhole.value && (
        <Notice tone="calm">
          <p>{auditLabels.search.partly}</p>
        </Notice>
      )}
      {next.value === null ? (
        all.length > 0 && <p class="quiet small log-note">{auditLabels.search.begin}</p>
      ) : (
        <button
          type="button"
          class="button wide log-older"
          disabled={isSearching.value}
          onClick={() => void search(next.value)}
        >
          {auditLabels.search.older}
        </button>
      )}
    </>
  )
}
