// Addresses on the web: one with `http://`, with `https://` or without either is one address, its
// host has no case, and all after the host is exact.
import { withoutEnd } from '#record/reading/text-end'
import { lower } from './edges.ts'

const address = /^(?:https?:\/\/)?([^\s/?#@:]+)(?::([0-9]{1,5}))?([/?#].*)?$/i
const host = /^(?:[^\s.]+\.)+[^\s.]+$|^localhost$/i
const defaultPorts = ['80', '443']
/** What an address in a text cannot hold. */
const outside = '\\s<>"`{}|\\\\^\\[\\]“”„«»'
const leading = /^[('‘’*,;:.!?-]+/
const trailing = /[)'‘’*,;:.!?-]$/

/** The form in which addresses are compared; null for what is not one. */
export function urlIn(text: string): string | null {
  const [, name = '', port, rest = ''] = address.exec(text.trim()) ?? []
  if (!host.test(name) || /\s/.test(rest)) return null
  const at = port === undefined || defaultPorts.includes(port) ? '' : `:${port}`
  return `${lower(name)}${at}${rest === '/' ? '' : rest}`
}

const runs = new RegExp(`[^${outside}]+`, 'g')

export function isUrlIn(url: string, text: string): boolean {
  const [name = url] = url.split(/[:/?#]/, 1)
  // Nearly every text lacks it, and need not be taken apart.
  if (!lower(text).includes(name)) return false
  for (const form of urlFormsIn(text)) if (form === url) return true
  return false
}

/** Host and port of an address in its form. */
export function hostOf(url: string): string {
  return url.split(/[/?#]/, 1)[0] ?? url
}

/** The names with an owner of which the page is: `ann/notes` of `x.org/ann/notes/issues`. */
export function namesInPath(url: string): readonly string[] {
  const parts = lower(url.slice(hostOf(url).length).split(/[?#]/, 1)[0] ?? '').split('/')
  return parts.slice(1).flatMap((part, at, all) => {
    const next = all[at + 1] ?? ''
    return part === '' || next === '' ? [] : [`${part}/${next}`]
  })
}

/** Whether the text holds an address there. */
export function isHostIn(name: string, text: string): boolean {
  if (!lower(text).includes(name)) return false
  for (const form of urlFormsIn(text)) if (hostOf(form) === name) return true
  return false
}

/** The form of everything in a text that may be read as an address. */
export function* urlFormsIn(text: string): Generator<string> {
  for (const [run] of text.matchAll(runs)) {
    for (const candidate of trimmed(run)) {
      const form = urlIn(candidate)
      if (form !== null) yield form
    }
  }
}

const trimmedMax = 8

/** A run with less and less of the punctuation at its end: who knows what belongs to it. */
function* trimmed(run: string): Generator<string> {
  let candidate = run.replace(leading, '')
  for (let index = 0; index < trimmedMax; index += 1) {
    yield candidate
    if (!trailing.test(candidate)) return
    candidate = candidate.slice(0, -1)
  }
}

// What a program that shows the text would make a link of. Each begins where no other can have
// begun before it, so that a long text takes no longer than its length.
const links = new RegExp(
  `(?<![a-z0-9+.-])[a-z][a-z0-9+.-]*://[^${outside}]+` +
    `|(?<![a-z0-9@._-])(?:[a-z0-9-]+\\.)+([a-z]{2,24})(?![a-z0-9@_]|\\.[a-z0-9])(?::[0-9]+)?` +
    `(?:[/?#][^${outside}]*)?`,
  'gi',
)

/** Each address in a text, as it stands there. */
export function urlsOf(text: string): string[] {
  const found: string[] = []
  for (const { 0: link, 1: ending } of text.matchAll(links)) {
    // The end of a sentence without a space after it is no address.
    if (ending !== undefined && ending !== ending.toLowerCase() && ending !== ending.toUpperCase())
      continue
    found.push(withoutEnd(link, /[)'‘’*,;:.!?-]/))
  }
  return found
}
