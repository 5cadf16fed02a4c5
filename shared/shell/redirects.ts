// What redirections do: the files that they read and write, and the input that they give.
import type { ShellCall } from './paths/shell-call.ts'
import { expandText, type Expanding } from './expanded-words.ts'
import { onPath } from './paths/on-path.ts'
import { unknownMark } from './marks.ts'
import { unknownInput, type Piped } from './piped.ts'
import type { ShellRedirect } from './syntax.ts'
import type { Unit } from './running.ts'

interface Redirecting {
  readonly by: Expanding
  readonly call: ShellCall
  readonly unit: Unit
}

/** The input; null where they give none. */
export function redirected(
  redirects: readonly ShellRedirect[],
  { by, call, unit }: Redirecting,
): Piped | null {
  let input: Piped | null = null
  for (const one of redirects) {
    if (one.kind === 'text') {
      const { texts, isSecret } = expandText(one.word, by)
      unit.holdsSecret ||= isSecret
      if (isSecret) unit.concepts.add('secret.read')
      const text = texts.length === 1 ? (texts[0] ?? '') : unknownMark
      input = { kind: 'text', text }
      continue
    }
    const [only, ...more] = one.target
    if (one.operator === '<' && only?.kind === 'pipe' && more.length === 0) {
      input = by.judge(only.script).output
      continue
    }
    const { texts } = expandText(one.target, by)
    const isCopy = /^[<>]&$/u.test(one.operator)
    for (const text of texts) {
      if (isCopy && /^(?:\d+-?|-)$/u.test(text)) continue
      if (one.operator.startsWith('<') && one.operator !== '<>') {
        onPath('read', text, call)
        input = unknownInput
      } else onPath(one.operator.endsWith('>>') ? 'make' : 'write', text, call)
    }
  }
  return input
}
