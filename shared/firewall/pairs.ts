// Names and values that stand beside each other in data: `{"name": …, "value": …}`, a list of two,
// and the arguments of a command. What the name says holds for the value.
import { flaggedIn } from './detect/named/flags.ts'
import { isNameOfPair, isTypeOfPair, isValueOfPair } from './detect/named/pair-names.ts'
import { secretNameOf, type SecretName } from './detect/named/secret-names.ts'
import { isMethod, isNameOfSecret, isPlaceholder, isQuotedSecret } from './detect/named/values.ts'

/** The keys of the members whose value another member says to be secret. */
export function pairedKeys(members: readonly (readonly [string, unknown])[]): readonly string[] {
  if (members.length < 2) return []
  const naming = members.flatMap(([key, member]) => {
    if (typeof member !== 'string') return []
    return isTypeOfPair(key, member) || isNaming(key, member) ? [member] : []
  })
  const [name] = naming
  if (name === undefined) return []
  return members.flatMap(([key, member]) => {
    if (!isValueOfPair(key) || !isSecretValue(member)) return []
    return typeof member === 'string' && isShown(key, member, name) ? [] : [key]
  })
}

function isNaming(key: string, name: string): boolean {
  return isNameOfPair(key) && secretNameOf(name) !== null
}

/** What a page shows beside a title: `{"label": "Password", "text": "Forgot?"}`. */
function isShown(key: string, value: string, name: string): boolean {
  if (!/^(?:text|content)$/i.test(key)) return false
  return /^[A-Z][a-z]+[?!.…]?$/.test(value) || (/\s/.test(name) && /\s/.test(value))
}

/** Whether what a name says to be secret is a value, and neither empty nor a reference to one. */
export function isSecretValue(value: unknown, kind: SecretName = 'pass'): boolean {
  if (typeof value === 'number') return kind !== 'short'
  if (typeof value === 'string') {
    if (kind === 'key' && isNameOfSecret(value)) return false
    return isQuotedSecret(value, kind === 'short' ? kind : 'pass')
  }
  if (typeof value !== 'object' || value === null) return false
  const inside: readonly unknown[] = Object.values(value)
  return inside.length > 0 && inside.every((one) => typeof one === 'string' && isSecretValue(one))
}

const itemsMax = 256

/** Which items of a list are secret by what stands before them; `isPair` in a list of pairs. */
export function secretItems(items: readonly unknown[], isPair: boolean): ReadonlySet<number> {
  const found = new Set<number>()
  if (items.length < 2 || items.length > itemsMax) return found
  for (const [index, item] of items.entries()) {
    const name = items[index - 1]
    if (typeof name !== 'string' || typeof item !== 'string') continue
    const kind = secretNameOf(name)
    if (kind === null) continue
    const isHeader = kind === 'header' || kind === 'cookie'
    const isSecret = isHeader ? isQuotedSecret(item, kind) : isBehind({ name, kind, item, isPair })
    if (isSecret) found.add(index)
  }
  for (const index of argumentsIn(items)) found.add(index)
  return found
}

/** In a list of names each may stand behind another. */
interface Behind {
  readonly name: string
  readonly kind: SecretName
  readonly item: string
  readonly isPair: boolean
}

const constant = /^[A-Z]+(?:_[A-Z0-9]+)+$/

function isBehind({ name, kind, item, isPair }: Behind): boolean {
  if (isPlaceholder(item) || item.startsWith('-') || constant.test(item)) return false
  if (isPair || name.startsWith('--')) return isQuotedSecret(item, 'pass')
  if (!/[0-9]/.test(item) || !/[A-Za-z]/.test(item) || item.length < 6) return false
  return kind === 'key' ? item.length >= 12 && /[0-9].*[0-9].*[0-9]/.test(item) : !isMethod(item)
}

/** Of a command in parts, those that it gives a program as secrets. */
function argumentsIn(items: readonly unknown[]): readonly number[] {
  const words = items.map((item) => (typeof item === 'string' && !/\s/.test(item) ? item : '""'))
  if (!words.some((word) => word.startsWith('-'))) return []
  let at = 0
  const starts = words.map((word) => {
    const start = at
    at += word.length + 1
    return start
  })
  return flaggedIn(words.join(' ')).flatMap(({ start }) => {
    const index = starts.findLastIndex((one) => one <= start)
    // Behind `=` it is found in the item by itself, and the option stays.
    return /^--?[\w.-]+=/.test(words[index] ?? '') ? [] : [index]
  })
}

/** Whether each item is a name with its value. */
export function isListOfPairs(items: readonly unknown[]): boolean {
  return (
    items.length > 0 &&
    items.every((item) => {
      return Array.isArray(item) && item.length === 2 && typeof item[0] === 'string'
    })
  )
}
