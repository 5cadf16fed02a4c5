// What is known where some commands of several may not run: in chains, branches and loops.
import { doubted } from './place.ts'
import { noInput, unknownInput, type Piped } from './piped.ts'
import { TooMuch } from './effort.ts'
import type { Scope } from './scope.ts'
import type { ShellNode, ShellScript } from './syntax.ts'

const roundsMax = 3

/** Each but the first may run or not. */
export function inChain(
  { items, operators }: Extract<ShellNode, { kind: 'chain' }>,
  scope: Scope,
  run: (item: ShellNode, scope: Scope) => Piped,
): Piped {
  const [first, ...rest] = items
  const failed = scope.copy()
  failed.folders = doubted(failed.folders)
  const output = first === undefined ? noInput : run(first, scope)
  if (rest.length === 0) return output
  // What may hold after any of them.
  const all = scope.copy()
  let [last, isStraight] = [scope, true]
  for (const [index, item] of rest.entries()) {
    const own = last.copy()
    isStraight &&= operators[index] === '&&'
    if (!isStraight) {
      own.join(all)
      own.join(failed)
    }
    run(item, own)
    all.join(own)
    if (isStraight) last = own
  }
  if (last !== scope) scope.become(last)
  all.folders = doubted(all.folders)
  scope.join(all)
  return unknownInput
}

/** One of them runs. */
export function inBranches(
  branches: readonly ShellScript[],
  scope: Scope,
  run: (body: ShellScript, scope: Scope) => void,
): void {
  const [first, ...more] = branches.map((body) => {
    const after = scope.copy()
    run(body, after)
    return after
  })
  if (first !== undefined) scope.become(first)
  for (const one of more) scope.join(one)
}

/** What a round leaves behind is there in the next one; what goes on changing is not known. */
export function inRounds(scope: Scope, run: (scope: Scope) => void): void {
  const begin = scope.copy()
  for (let round = 0; round < 6 * roundsMax; round += 1) {
    const before = scope.digest()
    const after = scope.copy()
    scope.within(after, () => run(after))
    scope.join(after)
    if (scope.digest() === before) return
    if (round >= roundsMax) scope.forget(begin)
  }
  throw new TooMuch()
}
