// The playground: what is edited is judged by a worker, which ends with a button or by itself where
// it takes too long. What others wrote is only ever shown as text.
import type { JudgedTexts, JudgingTexts } from '#cases/judged'
import { trustedScript } from '../../../../services/console/page/shell/trusted-script.ts'
import type { JudgingAnswer, JudgingAsked } from './judging-words.ts'
import { fragmentOf, partNames, textsIn, textsOf } from './link.ts'

const settleMs = 250
/** Nothing that a person waits for takes as long. */
const judgedMsMax = 20_000
const shownMax = 500

function found<T extends Element>(id: string, type: new () => T): T {
  const element = document.getElementById(id)
  if (!(element instanceof type)) throw new Error(`the page has no \`${id}\``)
  return element
}

const field = (id: (typeof partNames)[number]) => found(id, HTMLTextAreaElement)
const status = found('status', HTMLOutputElement)
const stop = found('stop', HTMLButtonElement)
const address = found('address', HTMLInputElement)
const script = trustedScript('warrant-playground', 'playground/worker.js')

type Timer = ReturnType<typeof setTimeout> | undefined

let worker: Worker | null = null
let number = 0
/** The one that the worker is at. */
let judging: { readonly number: number; readonly late: Timer } | null = null
let isDue = false
let settling: Timer

function textsHere(): JudgingTexts {
  return {
    catalog: field('catalog').value,
    graph: field('graph').value,
    request: field('request').value,
    history: field('history').value,
    cases: field('cases').value,
  }
}

function fill(texts: JudgingTexts): void {
  for (const id of partNames) field(id).value = texts[id]
}

function judge(): void {
  isDue = judging !== null
  if (judging !== null) return
  worker ??= started()
  number += 1
  const asked: JudgingAsked = { number, texts: textsHere() }
  judging = { number, late: setTimeout(() => end('It took too long'), judgedMsMax) }
  stop.hidden = false
  status.textContent = 'Judging …'
  worker.postMessage(asked)
}

function started(): Worker {
  const made = new Worker(script, { type: 'module' })
  made.addEventListener('message', ({ data }: MessageEvent<JudgingAnswer>) => taken(data))
  made.addEventListener('error', () => end('It could not be judged'))
  return made
}

function taken({ number: of, judged, failed, isLast, ...took }: JudgingAnswer): void {
  if (judging === null || of !== judging.number) return
  if (judged === null) status.textContent = `It could not be judged: ${failed ?? ''}`
  else show(judged, isLast)
  if (!isLast) {
    status.textContent = 'Judging the test cases …'
    return
  }
  // On a phone the verdict is far below what is edited.
  if (judged !== null) {
    const outcome = judged.asked?.outcome ?? 'nothing to judge'
    status.textContent = `Judged in ${Math.ceil(took.judgedMs)} ms: ${outcome}`
  }
  clearTimeout(judging.late)
  judging = null
  stop.hidden = true
  if (isDue) judge()
}

/** Whatever the worker is at. The next change begins another, and so does one made meanwhile. */
function end(why: string): void {
  worker?.terminate()
  worker = null
  if (judging !== null) clearTimeout(judging.late)
  judging = null
  stop.hidden = true
  status.textContent = `${why}, and was stopped. Change something, and it is judged again.`
  if (isDue) judge()
}

function show({ problems, asked, tried }: JudgedTexts, isLast: boolean): void {
  for (const id of partNames) {
    const place = found(`problem-${id}`, HTMLParagraphElement)
    const own = problems.filter(({ part }) => part === id)
    place.textContent = own.map(({ text }) => text).join('\n')
    place.hidden = own.length === 0
    const around = place.closest('details')
    if (own.length > 0 && around !== null) around.open = true
  }
  const outcome = found('outcome', HTMLElement)
  outcome.textContent = asked?.outcome ?? 'none'
  outcome.className = `outcome-${asked?.outcome ?? 'nothing'}`
  list('lines', asked?.lines ?? [], (line) => item(line.replace(/^ *- /, '')))
  found('known', HTMLPreElement).textContent = asked?.known ?? ''
  const help = asked?.help ?? []
  list('help', help.length === 0 ? ['Nothing that is written here'] : help, (text) => {
    const block = document.createElement('pre')
    block.tabIndex = 0
    block.textContent = text
    return block
  })
  if (isLast) showTried(tried)
}

function showTried(tried: JudgedTexts['tried']): void {
  const cases = tried?.cases ?? []
  const failed = cases.filter(({ differences }) => differences.length > 0).length
  found('passed', HTMLParagraphElement).textContent =
    tried === null
      ? 'None'
      : `${cases.length - failed} of ${cases.length} passed, coverage ${tried.coverage} %`
  list('tried', cases.slice(0, shownMax), ({ name, outcome, differences }) => {
    const isGood = differences.length === 0
    const line = item(`${isGood ? '✓' : '✗'} ${name}: ${outcome}`)
    line.className = isGood ? 'good' : 'bad'
    for (const difference of differences) line.append(paragraph(difference))
    return line
  })
}

function list<T>(id: string, all: readonly T[], element: (one: T) => HTMLElement): void {
  found(id, HTMLElement).replaceChildren(...all.map(element))
}

function item(text: string): HTMLLIElement {
  const line = document.createElement('li')
  line.textContent = text
  return line
}

function paragraph(text: string): HTMLParagraphElement {
  const block = document.createElement('p')
  block.textContent = text
  return block
}

async function link(): Promise<void> {
  const fragment = await fragmentOf(textsHere())
  const linked = found('linked', HTMLOutputElement)
  address.hidden = fragment === null
  if (fragment === null) {
    linked.textContent = 'It is too long for a link: pass the files on.'
    return
  }
  history.replaceState(null, '', `#${fragment}`)
  address.value = location.href
  address.select()
  linked.textContent = 'The link holds all of it: copy it.'
}

async function load(place: string): Promise<void> {
  const answer = await fetch(place)
  fill(textsOf(JSON.parse(await answer.text())))
  judge()
}

async function open(fragment: string): Promise<void> {
  try {
    fill(await textsIn(fragment))
    judge()
  } catch (error) {
    status.textContent = `The link cannot be opened: ${error instanceof Error ? error.message : ''}`
  }
}

function begin(): void {
  const example = found('example', HTMLSelectElement)
  const fragment = location.hash.slice(1)
  // It loads while the texts do.
  worker = started()
  void (fragment === '' ? load(example.value) : open(fragment))
  example.addEventListener('change', () => void load(example.value))
  found('link', HTMLButtonElement).addEventListener('click', () => void link())
  stop.addEventListener('click', () => {
    isDue = false
    end('It was at work')
  })
  addEventListener('hashchange', () => void open(location.hash.slice(1)))
  for (const id of partNames) {
    field(id).addEventListener('input', () => {
      clearTimeout(settling)
      settling = setTimeout(judge, settleMs)
    })
  }
}

begin()
