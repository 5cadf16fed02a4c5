// Counts what redaction finds in texts that others wrote and marked, and what it changes in texts
// that hold nothing secret. It judges no speed: that is `redact-speed`.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, extname, join, relative } from 'node:path'
import { z } from 'zod'
import { redact, redactedMark } from '#core/firewall/redact'
import { packageRoot } from '#services/cli/opening/package-root'
import { whole, type Report, type Target } from '../figures.ts'

interface Counted {
  readonly rows: Report['rows']
  readonly notes: readonly string[]
  readonly targets: readonly Target[]
}

/** Over the folders given, else over texts of the packages that are installed here. */
export function benchRedaction(folders: readonly string[]): Promise<Report> {
  const named = folders.length > 0 ? folders : [join(packageRoot(), 'node_modules')]
  const counted = named.map((folder) => countedIn(folder))
  return Promise.resolve({
    title: 'redaction: what it finds, and what it changes',
    head: ['texts', 'counted', 'of', 'share'],
    rows: counted.flatMap(({ rows }) => rows),
    notes: [...counted.flatMap(({ notes }) => notes), ...sources],
    targets: counted.flatMap(({ targets }) => targets),
  })
}

const sources = [
  '`--corpus FOLDER` counts in others: a clone of github.com/Plazmaz/leaky-repo; `data` of one',
  'of github.com/microsoft/presidio-research (texts with `full_text` and `spans`); any other',
  'folder as harmless texts. None of them is a part of this project.',
]

const marks = join('.leaky-meta', 'secrets.csv')

function countedIn(folder: string): Counted {
  if (existsSync(join(folder, marks))) return countedLines(folder)
  const marked = filesBelow(folder).filter((path) => hasSpans(path))
  return marked.length > 0 ? countedSpans(marked) : countedHarmless(folder)
}

function shown(text: string): string {
  const { value } = redact(text, { maxDepth: 64 })
  return typeof value === 'string' ? value : redactedMark
}

function row(name: string, counted: number, of: number): (number | string)[] {
  return [name, whole(counted), whole(of), `${((100 * counted) / of).toFixed(2)} %`]
}

function target(claim: string, met: boolean, counted: number, of: number): Target {
  return { claim, met, figures: `${whole(counted)} of ${whole(of)}` }
}

/** Each file of that repository states how many of its lines are a risk, and how many say less. */
function countedLines(folder: string): Counted {
  const lines = readFileSync(join(folder, marks), 'utf8').split('\n')
  let [found, risky, foundOfAll, all] = [0, 0, 0, 0]
  for (const line of lines) {
    const [path = '', risk = '', less = ''] = line.split(',')
    if (line.trim() === '' || line.startsWith('#')) continue
    const text = readFileSync(join(folder, path), 'latin1')
    const left = new Set(shown(text).split('\n'))
    const changed = text.split('\n').filter((one) => one.trim() !== '' && !left.has(one)).length
    risky += Number(risk)
    all += Number(risk) + Number(less)
    found += Math.min(changed, Number(risk))
    foundOfAll += Math.min(changed, Number(risk) + Number(less))
  }
  return {
    rows: [
      row('leaky-repo: risky lines', found, risky),
      row('leaky-repo: all marked lines', foundOfAll, all),
    ],
    notes: ['of leaky-repo a file counts as many changed lines as it has marked ones, and no more'],
    targets: [target('at least 90 % of its risky lines', found >= 0.9 * risky, found, risky)],
  }
}

const Marked = z.array(
  z.looseObject({
    full_text: z.string(),
    spans: z.array(z.looseObject({ entity_type: z.string(), entity_value: z.string() })),
  }),
)
/** What redaction is to find; names, places and dates have no form. */
const looked: ReadonlySet<string> = new Set([
  'CREDIT_CARD',
  'EMAIL_ADDRESS',
  'IBAN_CODE',
  'PHONE_NUMBER',
  'US_SSN',
])

function hasSpans(path: string): boolean {
  if (extname(path) !== '.json') return false
  const begins = readFileSync(path, 'utf8').slice(0, 4_096)
  return begins.includes('"full_text"') && begins.includes('"spans"')
}

function countedSpans(paths: readonly string[]): Counted {
  const kinds = new Map<string, { found: number; of: number }>()
  let [changed, without] = [0, 0]
  for (const path of paths) {
    for (const { full_text: text, spans } of Marked.parse(JSON.parse(readFileSync(path, 'utf8')))) {
      const left = shown(text)
      const sought = spans.filter((span) => looked.has(span.entity_type))
      for (const { entity_type: kind, entity_value: value } of sought) {
        const { found, of } = kinds.get(kind) ?? { found: 0, of: 0 }
        kinds.set(kind, { found: found + (left.includes(value) ? 0 : 1), of: of + 1 })
      }
      if (sought.length > 0) continue
      without += 1
      if (left !== text) changed += 1
    }
  }
  const phones = kinds.get('PHONE_NUMBER') ?? { found: 0, of: 0 }
  const claim = "at least 95 % of Presidio's telephone numbers"
  return {
    rows: [
      ...[...kinds].map(([kind, { found, of }]) => row(`Presidio: ${kind}`, found, of)),
      row('Presidio: texts without any, changed', changed, without),
    ],
    notes: [],
    targets: [target(claim, phones.found >= 0.95 * phones.of, phones.found, phones.of)],
  }
}

const harmlessTexts = 2_000
const sizes = { min: 200, max: 200_000 }
const kinds = [
  'bash c cfg cjs conf cpp cs css csv geojson go h htm html ini ipynb java js json jsx kt less',
  'lock map md mjs mod php proto ps1 py rb rs rst scss sh sql sum svg tf toml topojson ts tsv',
  'tsx txt vue xml yaml yml',
].flatMap((line) => line.split(' '))
const address = /[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/i
const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY/

/**
 * Of each kind of file as many as there are, in turns, in the order of what their paths are hashed
 * to: the same ones in every run. Those with an address or a private key are not harmless.
 */
function countedHarmless(folder: string): Counted {
  let [texts, without] = [0, 0]
  const changed: string[] = []
  for (const path of inTurns(folder)) {
    if (texts >= harmlessTexts) break
    const text = readFileSync(path, 'utf8')
    if (address.test(text) || privateKey.test(text)) {
      without += 1
      continue
    }
    texts += 1
    if (shown(text) !== text) changed.push(relative(folder, path))
  }
  return {
    rows: [row(`${basename(folder)}: texts changed`, changed.length, texts)],
    notes: [
      `${whole(without)} more of ${basename(folder)} hold an address or a private key`,
      'not each of the texts that are changed is harmless: some show a password or a telephone',
      ...changed.map((path) => `changed: ${path}`),
    ],
    targets: [],
  }
}

function* inTurns(folder: string): Generator<string> {
  const ofKinds = new Map(kinds.map((kind): [string, [string, string][]] => [kind, []]))
  for (const path of filesBelow(folder)) {
    const hash = createHash('sha256').update(relative(folder, path)).digest('hex')
    ofKinds.get(extname(path).slice(1).toLowerCase())?.push([hash, path])
  }
  const ordered = [...ofKinds.values()].map((files) => {
    return files.toSorted(([one], [other]) => (one < other ? -1 : 1))
  })
  const most = Math.max(...ordered.map(({ length }) => length))
  for (let at = 0; at < most; at += 1) {
    for (const files of ordered) {
      const [, path = ''] = files[at] ?? []
      const size = path === '' ? 0 : statSync(path).size
      if (size >= sizes.min && size <= sizes.max) yield path
    }
  }
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/[/\\]\.(?:git|cache)[/\\]/.test(path))
    .toSorted()
}
