// Which safety class a tool probably has, by what its author says of it. It only proposes, and
// where two things speak for two classes, the more dangerous one: what destroys must never pass
// for reading because a hint was left out.
import type { SafetyClass } from '#schemas/rules/terms'

export interface GuessedClass {
  readonly safetyClass: SafetyClass
  /** Why, for the person who reviews it. */
  readonly why: string
}

const wordsIn = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** What cannot be taken back, or costs. */
const destroying = wordsIn(
  'delete del remove rm drop destroy purge wipe erase truncate kill terminate revoke cancel ' +
    'overwrite uninstall unlink shutdown pay execute exec eval shell deploy disable ban',
)
/** The same as the first word of a name; further behind it is the thing that is meant. */
const destroyingOrThing = wordsIn('reset format transfer refund purchase buy order run merge clear')
/** What changes something, or reaches others. */
const changing = wordsIn(
  'write create add put patch insert edit modify rename upload send reply publish invite grant ' +
    'assign reschedule append save submit upsert push commit approve enable register subscribe',
)
const changingOrThing = wordsIn(
  'update set post move copy share book schedule store import sync start stop change make notify ' +
    'mail message comment',
)
/** The words of a name, in any of its usual spellings. */
function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
}

/** What the name itself speaks for. `isRead`: whether something else says that it reads. */
export function byName(name: string, isRead = false): GuessedClass | null {
  const words = wordsOf(name)
  const has = (verbs: ReadonlySet<string>, things: ReadonlySet<string>): string | undefined =>
    words.find((word, index) => verbs.has(word) || (index === 0 && !isRead && things.has(word)))
  const destroys = has(destroying, destroyingOrThing)
  if (destroys !== undefined) {
    return { safetyClass: 'DESTRUCTIVE', why: `its name says \`${destroys}\`` }
  }
  const changes = has(changing, changingOrThing)
  return changes === undefined
    ? null
    : { safetyClass: 'WRITE', why: `its name says \`${changes}\`` }
}

/** What reaches others, as verbs alone: texts that list mails and posts send nothing. */
const sending = wordsIn('send reply publish upload invite notify submit forward broadcast')
const paying = wordsIn('pay transfer refund purchase buy charge withdraw')

/** What the description speaks for, in any form of a verb; a hint never makes it milder. */
export function byDescription(text: string): GuessedClass | null {
  const words = wordsOf(text)
  const has = (verbs: ReadonlySet<string>) =>
    words.find((word) => formsBefore(word).some((form) => verbs.has(form)))
  const destroys = has(destroying) ?? has(paying)
  if (destroys !== undefined) {
    return { safetyClass: 'DESTRUCTIVE', why: `its description says \`${destroys}\`` }
  }
  const sends = has(sending)
  return sends === undefined
    ? null
    : { safetyClass: 'WRITE', why: `its description says \`${sends}\`` }
}

/** What a word may be a form of: `deletes`, `deleted` and `deleting` of `delete`. */
function formsBefore(word: string): readonly string[] {
  const stems = ['s', 'es', 'd', 'ed', 'ing'].flatMap((end) => {
    return word.endsWith(end) ? [word.slice(0, -end.length)] : []
  })
  return [word, ...stems.flatMap((stem) => [stem, `${stem}e`, undoubled(stem)])]
}

function undoubled(stem: string): string {
  return stem.at(-1) === stem.at(-2) ? stem.slice(0, -1) : stem
}

const danger = { READ: 0, WRITE: 1, DESTRUCTIVE: 2 } as const

/** The more dangerous of the two. */
export function worse(one: GuessedClass, other: GuessedClass | null): GuessedClass {
  if (other === null || danger[other.safetyClass] <= danger[one.safetyClass]) return one
  return { safetyClass: other.safetyClass, why: `${other.why}, although ${one.why}` }
}
