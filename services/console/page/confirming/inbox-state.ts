// The open reviews that the person may answer, soonest expiry first, as far as they are loaded; and
// what was put aside in this browser, which no one else learns.
import { computed, signal } from '@preact/signals'
import type { InboxRow } from '#schemas/console/reviews'
import { inboxCountText } from '#present/console/row-text'
import { answersToday } from '../attending/answers-left.ts'
import { goTo, place } from '../shell/address.ts'
import { announce } from '../shell/announcer.tsx'
import { askServer, codeOf } from '../shell/requests.ts'
import { noteSignedOut } from '../shell/session.ts'

const pageRows = 100

const rows = signal<readonly InboxRow[]>([])
/** How many there are in all, loaded or not. */
export const openCount = signal(0)
export const isLoaded = signal(false)
export const inboxProblem = signal<string | null>(null)
const setAside = signal<ReadonlySet<string>>(new Set())

let next: string | null = null
let loading: Promise<void> | null = null
/** What is loaded for an inbox that has been read again since is not taken. */
let reading = 0

/** Those put aside come last, and each is there. */
export const inboxOrder = computed<readonly InboxRow[]>(() => {
  const aside = setAside.value
  if (aside.size === 0) return rows.value
  const isAside = ({ review }: InboxRow): boolean => aside.has(review)
  return [...rows.value.filter((row) => !isAside(row)), ...rows.value.filter(isAside)]
})

export function isSetAside({ review }: InboxRow): boolean {
  return setAside.value.has(review)
}

export function putAside(review: string): void {
  setAside.value = new Set([...setAside.value, review])
}

/** Reads it from its beginning, as far as it was loaded, at most some pages. */
export async function readInbox(): Promise<void> {
  reading += 1
  const mine = reading
  try {
    const answer = await askServer('inbox', '/inbox', { query: { limit: String(pageRows) } })
    if (mine !== reading) return
    if (isLoaded.value && answer.count !== openCount.value) announce(inboxCountText(answer.count))
    rows.value = answer.open
    openCount.value = answer.count
    answersToday.value = answer.answersLeft ?? []
    next = answer.next
    isLoaded.value = true
    inboxProblem.value = null
  } catch (error) {
    inboxProblem.value = codeOf(error)
    noteSignedOut(codeOf(error))
  }
}

/** Loads on until that row is there. */
export function loadTo(index: number): void {
  if (loading !== null || next === null || index < rows.value.length) return
  loading = loadMore(next).finally(() => {
    loading = null
  })
}

async function loadMore(after: string): Promise<void> {
  const mine = reading
  try {
    const query = { limit: String(pageRows), after }
    const answer = await askServer('inbox', '/inbox', { query })
    if (mine !== reading) return
    const known = new Set(rows.value.map(({ review }) => review))
    rows.value = [...rows.value, ...answer.open.filter(({ review }) => !known.has(review))]
    openCount.value = answer.count
    next = answer.next
  } catch (error) {
    inboxProblem.value = codeOf(error)
  }
}

/** Opens the request so many places after the present one. */
export function openNext(by: number): void {
  const all = inboxOrder.value
  const [, intent] = place.value.path
  const at = all.findIndex((row) => row.intent === intent)
  const found = all[at === -1 ? 0 : at + by]
  if (found !== undefined) goTo(['reviews', found.intent])
}
