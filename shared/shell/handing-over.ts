// What a command hands over that no one then judges: a shell that takes whatever is typed into it,
// and the passwords and the schedule of the machine.
import type { Piped } from './piped.ts'
import type { Unit } from './running.ts'
import type { ShellTable } from './surroundings.ts'

/** Of what runs code, goes out or is not known: what its arguments name, it may open. */
const bold = [
  'code.run',
  'unknown.command',
  'unknown.option',
  'unknown.value',
  'network.send',
  'network.fetch',
  'privilege.raise',
]

const shells = String.raw`(?:/usr)?/bin/(?:ba|da|z|k|c|tc|a|fi)?sh(?:\s+-[pil]+)?`
const before = String.raw`(?<![\w.#/-]|#!\s?|SHELL=)`
const behind = '(?=\\s*(?:$|["\'`;|&)\\]},\\\\\\n]|\\d?[<>]))'
/** A shell by its path, as the whole of what is run: neither a script nor `-c` stands behind it. */
const openShell = new RegExp(before + shells + behind, 'u')

const shellName = /^(?:ba|da|z|k|mk|c|tc|a|fi)?sh$/u

interface Called {
  readonly fields: readonly string[]
  readonly input: Piped
  readonly unit: Unit
  readonly table: ShellTable
}

/** Adds to what a command stands for after it was judged. */
export function addOpened({ fields, input, unit, table }: Called): void {
  const { concepts, notes } = unit
  if (!bold.some((one) => concepts.has(one))) return
  const texts = [...fields, ...(input.kind === 'text' ? [input.text] : [])]
  if (texts.some((one) => table.mentionsMachine(one))) concepts.add('machine.secret')
  if (notes.has('elsewhere')) return
  const runsInput = concepts.has('code.run') || concepts.has('unknown.command')
  if (runsInput && input.kind === 'text' && table.mentionsGuard(input.text))
    concepts.add('guard.change')
  const opens = texts.some((one, at) => openShell.test(one) && !isGivenMore(one, texts[at + 1]))
  if (opens) concepts.add('shell.open')
}

/** Whether a shell that stands alone in an argument is given a script, or what to run. */
function isGivenMore(field: string, next = ';'): boolean {
  return !/[\s:=]/u.test(field) && !/^(?:-[pil]+|[;+])$/u.test(next)
}

/** A shell without a script takes what stands on its input: a person's, if nothing is given. */
export function opensShell([name = '', ...rest]: readonly string[], input: Piped): boolean {
  const isShell = shellName.test(name.slice(name.lastIndexOf('/') + 1))
  return isShell && (input.kind === 'none' || rest.some((one) => /^-[a-z]*i/u.test(one)))
}
