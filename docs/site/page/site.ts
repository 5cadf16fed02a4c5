// What a page of the site does by itself: it keeps light or dark, closes the list of pages on a
// phone, and searches. Without it all pages can be read.
import MiniSearch, { type SearchResult } from 'minisearch'
import { searching } from './searching.ts'

const root = document.documentElement
const up = root.dataset['up'] ?? ''
const themeKey = 'theme'
const foundMax = 12
const shownBefore = 40
const shownMax = 160

// Before anything is drawn.
const kept = localStorage.getItem(themeKey)
if (kept === 'light' || kept === 'dark') root.dataset['theme'] = kept

function turnTheme(): void {
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches
  const now = root.dataset['theme'] ?? (isDark ? 'dark' : 'light')
  const next = now === 'dark' ? 'light' : 'dark'
  root.dataset['theme'] = next
  localStorage.setItem(themeKey, next)
}

let index: Promise<MiniSearch> | undefined

async function loaded(): Promise<MiniSearch> {
  const answer = await fetch(`${up}search.json`)
  return MiniSearch.loadJSON(await answer.text(), searching)
}

const textIn = (found: SearchResult, field: string): string => {
  const value: unknown = found[field]
  return typeof value === 'string' ? value : ''
}

function lineOf(found: SearchResult, at: number): HTMLLIElement {
  const line = document.createElement('li')
  line.id = `found-${at}`
  line.role = 'option'
  const link = document.createElement('a')
  link.href = `${up}${String(found.id)}`
  link.tabIndex = -1
  const title = document.createElement('b')
  title.textContent = textIn(found, 'title')
  const above = document.createElement('i')
  above.textContent = textIn(found, 'above')
  const excerpt = document.createElement('span')
  excerpt.textContent = excerptOf(textIn(found, 'text'), found.terms)
  link.append(title, above, excerpt)
  line.append(link)
  return line
}

/** What stands around the first word that was found. */
function excerptOf(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase()
  const places = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0)
  const from = places.length === 0 ? 0 : Math.max(0, Math.min(...places) - shownBefore)
  const start = from === 0 ? 0 : text.indexOf(' ', from) + 1
  return `${start === 0 ? '' : '…'}${text.slice(start, start + shownMax)}`
}

function searchBy(input: HTMLInputElement, list: HTMLElement): void {
  let chosen = -1
  const show = (lines: readonly HTMLLIElement[]): void => {
    list.replaceChildren(...lines)
    list.hidden = lines.length === 0
    input.ariaExpanded = String(lines.length > 0)
    choose(-1)
  }
  const choose = (next: number): void => {
    const lines = [...list.children]
    chosen = Math.max(-1, Math.min(next, lines.length - 1))
    for (const [at, line] of lines.entries()) line.ariaSelected = String(at === chosen)
    lines[chosen]?.scrollIntoView({ block: 'nearest' })
    if (chosen === -1) input.removeAttribute('aria-activedescendant')
    else input.setAttribute('aria-activedescendant', `found-${chosen}`)
  }
  const search = async (): Promise<void> => {
    index ??= loaded()
    const asked = input.value
    const of = await index
    // Someone may have typed on meanwhile.
    if (asked !== input.value) return
    const found = of.search(asked).slice(0, foundMax)
    show(found.map(lineOf))
    if (found.length > 0 || asked.trim() === '') return
    const nothing = document.createElement('li')
    nothing.textContent = 'Nothing found'
    show([nothing])
  }
  input.addEventListener('input', () => void search())
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') show([])
    if (event.key === 'ArrowDown') choose(chosen + 1)
    if (event.key === 'ArrowUp') choose(chosen - 1)
    if (event.key === 'Enter') list.children[Math.max(chosen, 0)]?.querySelector('a')?.click()
    if (['ArrowDown', 'ArrowUp', 'Enter'].includes(event.key)) event.preventDefault()
  })
  list.addEventListener('click', () => show([]))
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Node && !list.contains(target) && target !== input) show([])
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea')
    if (event.key !== '/' || isTyping) return
    event.preventDefault()
    input.focus()
  })
}

document.addEventListener('DOMContentLoaded', () => {
  document.querySelector('#theme')?.addEventListener('click', turnTheme)
  const ways = document.querySelector<HTMLDetailsElement>('#ways')
  if (ways !== null) ways.open = matchMedia('(min-width: 60rem)').matches
  const input = document.querySelector<HTMLInputElement>('#search')
  const list = document.querySelector<HTMLElement>('#found')
  if (input !== null && list !== null) searchBy(input, list)
})
