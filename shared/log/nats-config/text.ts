// How a nats-server's configuration is written. Every text from outside is quoted, so that none of
// it can become configuration.
import { assert } from '#record/fault'

/** The text as a value. A server's quotes know fewer escapes than JSON's. */
export function configText(text: string): string {
  assert(!/\p{Cc}/u.test(text), 'a text of the configuration has no control characters')
  return JSON.stringify(text)
}

/** `name { … }`, a line each. */
export function block(name: string, lines: readonly string[]): readonly string[] {
  return [`${name} {`, ...lines.map((line) => `  ${line}`), '}']
}

/** `name: [ … ]`, a line each. */
export function list(name: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`${name}: [`, ...lines.map((line) => `  ${line}`), ']']
}
