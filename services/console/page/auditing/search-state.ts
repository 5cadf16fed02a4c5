// What a search found, as far as it is loaded, and how many facts came since that would be found
// too.
import { batch, computed, signal } from '@preact/signals'
import { filtersIn, queryOfFilters, type Filters } from '#present/auditing/filters'
import { foundFact, type FoundFact } from '#present/auditing/found-text'
import { isNewer, positionsIn, type LogPositions } from '#schemas/console/positions'
import type { OperationAnswer } from '#schemas/operations/table'
import { goTo, linkTo, place } from '../shell/address.ts'
import { onGathered } from '../shell/live.ts'
import { askServer, codeOf } from '../shell/requests.ts'
import { noteSignedOut, session } from '../shell/session.ts'

const pageFacts = 50
const gatherMs = 400

export const filters = computed<Filters>(() => filtersIn(place.value.query))
/** The moment of the fact that the address names; null where it names none. */
export const chosen = computed<string | null>(() => {
  const [, at = ''] = place.value.path
  return positionsIn(at) === null ? null : at
})

export const facts = signal<readonly FoundFact[] | null>(null)
export const next = signal<LogPositions | null>(null)
export const isWhole = signal(true)
export const failedCount = signal(0)
export const asRecordedCount = signal(0)
export const searchProblem = signal<string | null>(null)
export const isSearching = signal(false)
/** What came since, newest first, and whether that is not all. */
export const newer = signal<{ readonly count: number; readonly isMore: boolean }>({
  count: 0,
  isMore: false,
})

let upTo: LogPositions = 0
let turn = 0

export function linkToFact(moment: string | null, with_: Filters = filters.value): string {
  const at = moment === null ? [] : [moment]
  return linkTo(['log', ...at], queryOfFilters(with_))
}

export function goToFact(moment: string | null, with_: Filters = filters.value): void {
  goTo(['log', ...(moment === null ? [] : [moment])], queryOfFilters(with_))
}

function found({ rows }: OperationAnswer<'facts'>): readonly FoundFact[] {
  return rows.map((fact) => foundFact(fact, session.value?.realm ?? ''))
}

function asked(more: Readonly<Record<string, string>>): Promise<OperationAnswer<'facts'>> {
  const all = { content: 'true', limit: String(pageFacts) }
  return askServer('facts', '/facts', {
    query: { ...queryOfFilters(filters.value), ...all, ...more },
  })
}

/** Searches from the newest fact, or goes on behind what is there. */
export async function search(before: LogPositions | null = null): Promise<void> {
  turn += 1
  const mine = turn
  isSearching.value = true
  try {
    const answer = await asked(before === null ? {} : { cursor: String(before) })
    if (mine !== turn) return
    batch(() => {
      const kept = before === null ? [] : (facts.value ?? [])
      facts.value = [...kept, ...found(answer)]
      next.value = answer.next
      isWhole.value = answer.isWhole
      failedCount.value = answer.unclear + (before === null ? 0 : failedCount.value)
      asRecordedCount.value = answer.asRecorded + (before === null ? 0 : asRecordedCount.value)
      searchProblem.value = null
      if (before !== null) return
      upTo = answer.position
      newer.value = { count: 0, isMore: false }
    })
  } catch (error) {
    if (mine !== turn) return
    searchProblem.value = codeOf(error)
    noteSignedOut(codeOf(error))
    if (before === null) facts.value = null
  }
  if (mine === turn) isSearching.value = false
}

async function countNewer(): Promise<void> {
  const mine = turn
  const answer = await asked({}).catch(() => null)
  if (answer === null || mine !== turn) return
  const fresh = answer.rows.filter((fact) => isNewer(fact, upTo))
  newer.value = { count: fresh.length, isMore: fresh.length === pageFacts }
}

/** Counts what is appended while someone looks; nothing moves under their eyes. */
export function followNewer(): () => void {
  return onGathered(gatherMs, countNewer, (event) => event === null || isNewer(event, upTo))
}

/** The fact so many places after the chosen one, within what the filters let through. */
export async function step(by: 1 | -1): Promise<void> {
  const all = facts.value ?? []
  const at = all.findIndex(({ moment }) => moment === chosen.value)
  const to = at === -1 ? 0 : at + by
  if (to >= all.length && next.value !== null && !isSearching.value) {
    await search(next.value)
    const more = facts.value?.[to]
    if (more !== undefined) goToFact(more.moment)
    return
  }
  const wanted = all[to]
  if (wanted !== undefined) goToFact(wanted.moment)
}
