// A grant that a person draws up on a card: the condition that keeps the values they ticked, and
// what it says in words.
import { canonical, isList, jsonOf, type Json } from '#record/canonical'
import { counted } from '../wording.ts'

export interface Keepable {
  /** In CEL. */
  readonly path: string
  readonly label: string
  readonly value: Json
}

const keepableMax = 40
const identifier = /^[A-Za-z_][A-Za-z0-9_]*$/

/** The values that a condition can hold fast: texts, numbers that are whole, and yes or no. */
export function keepables(args: unknown): readonly Keepable[] {
  return below(jsonOf(args), { path: 'args', label: '' }).slice(0, keepableMax)
}

interface At {
  readonly path: string
  readonly label: string
}

function below(value: Json, { path, label }: At): readonly Keepable[] {
  if (typeof value === 'object' && value !== null) {
    const members = isList(value)
      ? value.map((item, index) => [`[${index}]`, String(index), item] as const)
      : Object.entries(value).map(([key, item]) => [memberOf(key), key, item ?? null] as const)
    return members.flatMap(([step, name, item]) => {
      return below(item, {
        path: `${path}${step}`,
        label: label === '' ? name : `${label}.${name}`,
      })
    })
  }
  const isKept = typeof value !== 'number' || Number.isSafeInteger(value)
  return isKept && value !== null ? [{ path, label, value }] : []
}

function memberOf(key: string): string {
  return identifier.test(key) ? `.${key}` : `[${canonical(key)}]`
}

/** The condition that keeps each of these values; `true` keeps none. */
export function keepingAll(kept: readonly Keepable[]): string {
  if (kept.length === 0) return 'true'
  return kept.map(({ path, value }) => `${path} == ${canonical(value)}`).join(' && ')
}

interface Granted {
  readonly kept: readonly Keepable[] | null
  readonly uses: number
  /** Whether the page of `warrant dev` signs it, by a key that ends with that. */
  readonly isDev: boolean
}

/** What a grant answers, in one sentence; null is kept of a routine, whose condition says it. */
export function grantSentence(capability: string, { kept, uses, isDev }: Granted): string {
  const calls = `Calls of ${capability} ${keptText(kept)}`
  const ends = isDev ? ` ${devEnds}` : ''
  return `${calls}, ${counted(uses, 'time')} at most, without asking you.${ends}`
}

// It counts while the key that signed it does.
const devEnds =
  'It ends with warrant dev, as the key of this page does, even where a later day is chosen.'

function keptText(kept: readonly Keepable[] | null): string {
  if (kept === null) return 'that do no more than this one'
  if (kept.length === 0) return 'whatever its arguments'
  return `with the same ${kept.map(({ label }) => label).join(', ')}`
}
