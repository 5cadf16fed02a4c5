// Where people are reached: one line a person in a file that only its owner reads. All of
// it is written at each change, so that what is taken out of it is gone.
import { constants, readFileSync, statSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { platform } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileProblem, hasCode } from '#system/file-problem'
import { forOthers } from '#system/secret-file'
import { Fault } from '#record/fault'
import { parseJson } from '#record/json'
import { firstProblem } from '#record/problem'
import { Reach, targetsMax, type ReachTarget } from '#schemas/outreach/reach'
import { isTimeZone } from './quiet-hours.ts'

const fileBytesMax = 16 * 1024 * 1024
const lockWaitMs = 20
const lockAttemptsMax = 150
/** Who holds it longer has died. */
const lockMsMax = 10_000

/** Every person with what is known of them, in the order of their ids. */
export function reachEntries(file: string): readonly Reach[] {
  const text = textIn(file)
  return text === null ? [] : entriesOf(file, text)
}

/** Puts what is known of that person in the place of what was; a Fault for what cannot be used. */
export async function setReach(file: string, given: unknown): Promise<Reach> {
  const reach = validReach(given)
  await changed(file, (entries) => [
    ...entries.filter(({ person }) => person !== reach.person),
    reach,
  ])
  return reach
}

/** Changes what is known of that person as it is by then. */
export async function changeReach(
  file: string,
  person: string,
  change: (before: Reach) => Reach,
): Promise<Reach> {
  let after: Reach = { person, targets: [] }
  await changed(file, (entries) => {
    after = validReach(change(entries.find((one) => one.person === person) ?? after))
    return [...entries.filter((one) => one.person !== person), after]
  })
  return after
}

/** Adds a target; the same one, such as a subscription that was renewed, is replaced. */
export async function addTarget(file: string, person: string, target: ReachTarget): Promise<Reach> {
  let after: Reach = { person, targets: [] }
  const isElsewhere = (one: ReachTarget): boolean => placeOf(one) !== placeOf(target)
  await changed(file, (entries) => {
    const before = entries.find((one) => one.person === person) ?? after
    const others = before.targets.filter(isElsewhere)
    if (others.length >= targetsMax) {
      throw invalidReach(`a person has at most ${targetsMax} of them: take one out first`)
    }
    after = validReach({ ...before, targets: [...others, target] })
    const rest = entries.filter((one) => one.person !== person)
    return [...(target.channel === 'push' ? withoutBrowser(rest, isElsewhere) : rest), after]
  })
  return after
}

/** A browser is one person’s: it shows nothing any more of who subscribed there before. */
function withoutBrowser(
  entries: readonly Reach[],
  isElsewhere: (target: ReachTarget) => boolean,
): readonly Reach[] {
  return entries.map((one) => ({ ...one, targets: one.targets.filter(isElsewhere) }))
}

/** Takes targets out; says whether there was one. */
export async function removeTargets(
  file: string,
  person: string,
  isMeant: (target: ReachTarget) => boolean,
): Promise<boolean> {
  let found = false
  await changed(file, (entries) =>
    entries.map((one) => {
      if (one.person !== person) return one
      const targets = one.targets.filter((target) => !isMeant(target))
      found ||= targets.length < one.targets.length
      return { ...one, targets }
    }),
  )
  return found
}

/** Erases all that is known of that person; says whether there was anything. */
export async function eraseReach(file: string, person: string): Promise<boolean> {
  let found = false
  await changed(file, (entries) => {
    found = entries.some((one) => one.person === person)
    return entries.filter((one) => one.person !== person)
  })
  return found
}

/** Equal for two targets that reach the same place. */
function placeOf(target: ReachTarget): string {
  switch (target.channel) {
    case 'mail':
      return `mail ${target.address.toLowerCase()}`
    case 'push':
      return `push ${target.url}`
    default:
      return `${target.channel} ${target.secret}`
  }
}

export interface ReachBook {
  readonly file: string
  /** What the file has of that person now. */
  find(person: string): Reach | null
  /** Changes with the file; looking at it costs little. */
  mark(): string
}

/** Looks people up in the file, which is read again when it has changed. */
export function reachBook(file: string): ReachBook {
  let seen = ''
  let byPerson: ReadonlyMap<string, Reach> = new Map()
  return {
    file,
    mark: () => markOf(file),
    find(person) {
      const mark = markOf(file)
      if (mark !== seen) {
        byPerson = new Map(reachEntries(file).map((entry) => [entry.person, entry]))
        seen = mark
      }
      return byPerson.get(person) ?? null
    },
  }
}

function validReach(given: unknown): Reach {
  const parsed = Reach.safeParse(given)
  if (!parsed.success) {
    const { message, at } = firstProblem(parsed.error.issues)
    throw invalidReach(`${at === '' ? '' : `${at}: `}${message}`)
  }
  const { quiet } = parsed.data
  if (quiet !== undefined && !isTimeZone(quiet.zone)) {
    throw invalidReach(`no time zone \`${quiet.zone}\`: take one such as \`Europe/Vienna\``)
  }
  return parsed.data
}

function entriesOf(file: string, text: string): readonly Reach[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line, index) => {
      const parsed = Reach.safeParse(jsonOrNothing(line))
      // What it says must not be repeated: it is where someone is reached.
      if (!parsed.success) throw unusable(file, `line ${index + 1} is not one of a person`)
      return parsed.data
    })
}

function jsonOrNothing(line: string): unknown {
  try {
    return parseJson(line)
  } catch {
    return undefined
  }
}

async function changed(
  file: string,
  change: (entries: readonly Reach[]) => readonly Reach[],
): Promise<void> {
  const release = await locked(`${file}.lock`)
  const next = `${file}.next`
  try {
    const entries = change(reachEntries(file)).toSorted((a, b) => (a.person < b.person ? -1 : 1))
    const handle = await open(next, 'w', 0o600)
    try {
      await handle.writeFile(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(next, file)
  } catch (error) {
    await rm(next, { force: true })
    throw error instanceof Fault ? error : unreadable(file, error)
  } finally {
    await release()
  }
}

// One writer at a time: who reads never waits.
async function locked(lock: string): Promise<() => Promise<void>> {
  for (let attempt = 1; attempt <= lockAttemptsMax; attempt += 1) {
    try {
      const handle = await open(
        lock,
        constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY,
        0o600,
      )
      await handle.close()
      return () => rm(lock, { force: true })
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw unreadable(lock, error)
      if (isOld(lock)) await rm(lock, { force: true })
      else await sleep(lockWaitMs)
    }
  }
  throw unusable(lock, 'another process holds it')
}

function isOld(lock: string): boolean {
  try {
    return Date.now() - statSync(lock).mtimeMs > lockMsMax
  } catch {
    return false
  }
}

// At once: it is small, and who asks stands in the middle of a decision.
function textIn(file: string): string | null {
  try {
    const { mode, size } = statSync(file)
    if (platform() !== 'win32' && (mode & forOthers) !== 0) {
      throw unusable(file, 'others than its owner may read it: chmod 600 it')
    }
    if (size > fileBytesMax) throw unusable(file, `it is larger than ${fileBytesMax} bytes`)
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error instanceof Fault ? error : unreadable(file, error)
  }
}

function markOf(file: string): string {
  try {
    const { ino, size, mtimeMs } = statSync(file)
    return `${ino} ${size} ${mtimeMs}`
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return 'none'
    throw unreadable(file, error)
  }
}

function invalidReach(why: string): Fault {
  return new Fault('reach_invalid', why)
}

function unusable(file: string, why: string): Fault {
  return new Fault('reach_file_invalid', `\`${file}\`: ${why}`)
}

function unreadable(file: string, cause: unknown): Fault {
  const why = fileProblem(cause, 'cannot be read or written')
  return new Fault('reach_file_invalid', `\`${file}\`: ${why}`, { cause })
}
