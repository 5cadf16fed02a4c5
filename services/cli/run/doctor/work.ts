// What is found of the work itself: whether the log can be folded, whom the oldest intents wait
// for, and which jobs were set aside.
import { isStage, type waitsJson } from '#present/story/waits'
import { counted, duration } from '#present/wording'
import { Fault } from '#record/fault'
import { failure, ok, warning, type DoctorFinding } from '#health/doctor/finding'
import { shellWord } from '#cli/terminal/hint'

export interface WorkSeen {
  /** The last position, and how long it took to fold all up to it. */
  readonly position: number
  readonly foldMs: number
  /** The log’s identity, and the key that began it; null where it has no catalog. */
  readonly log: string | null
  readonly root: string | null
  readonly openIntents: readonly OpenSeen[]
  /** Whether `warrant dev` began it. */
  readonly dev: boolean
  /** Jobs set aside about intents that are still open. */
  readonly faults: readonly string[]
  /** Principals who had a key and have none. */
  readonly keyless: readonly string[]
  /** Keys that this process can read, of principals who decide for others. */
  readonly keys: readonly KeySeen[]
}

export interface KeySeen {
  readonly file: string
  readonly principal: string
  readonly isSealed: boolean
}

export interface OpenSeen {
  readonly address: string
  readonly ageMs: number
  readonly waits: Pick<ReturnType<typeof waitsJson>, 'for' | 'text'>
}

/** A stage answers in milliseconds. */
const stageMsMax = 60_000

export function workFindings({
  position,
  foldMs,
  log,
  root,
  dev,
  openIntents,
  faults,
  keyless,
  keys,
}: WorkSeen): readonly DoctorFinding[] {
  return [
    ok('log', `${counted(position, 'fact')} folded in ${duration(foldMs)}${begunBy(log, root)}`),
    ...(dev ? [warning('log', 'it was begun by `warrant dev`', { fix: devFix })] : []),
    intentsFinding(openIntents),
    faultsFinding(faults),
    ...keylessFindings(keyless),
    keysFinding(keys),
  ]
}

const devFix =
  'it is for one person on one machine, and stays so: begin another with `warrant init`, or on ' +
  'servers with `warrant nats init`'

function begunBy(log: string | null, root: string | null): string {
  return log === null || root === null ? '' : `; it is ${log}, begun by the key ${root}`
}

function intentsFinding(open: readonly OpenSeen[]): DoctorFinding {
  const [oldest] = open
  if (oldest === undefined) return ok('intents', 'none is open')
  const stuck = open.find(({ ageMs, waits }) => ageMs > stageMsMax && isStage(waits.for))
  const many = `${counted(open.length, 'intent')} open`
  if (stuck === undefined) {
    const found = `${many}, the oldest for ${duration(oldest.ageMs)}, for ${oldest.waits.text}`
    return ok('intents', found)
  }
  const { address: about, ageMs, waits } = stuck
  const found = `${many}; this one waits for ${waits.text} since ${duration(ageMs)}`
  const fix = `check that it runs (\`warrant up ${waits.for}\`) and that its clock is right`
  return warning('intents', found, { about, fix })
}

function faultsFinding(faults: readonly string[]): DoctorFinding {
  const [about] = faults
  if (about === undefined) return ok('faults', 'no open intent has a job that was set aside')
  const found = `${counted(faults.length, 'job')} set aside, and so without a verdict`
  const fix = 'read them with `warrant log --name "fault.>"`, and fix the cause'
  return warning('faults', found, { about, fix })
}

function keylessFindings(keyless: readonly string[]): readonly DoctorFinding[] {
  const [about] = keyless
  if (about === undefined) return []
  const many = counted(keyless.length, 'principal')
  const found = `${many} had a key and has none now: their messages are ignored`
  const fix = `give it one: \`warrant keys add ${shellWord(about)} KEY\`, or remove it`
  return [warning('keyless', found, { about, fix })]
}

/** Those who are leaving a cell and have not arrived in another. */
export function movingFindings(moving: readonly string[]): readonly DoctorFinding[] {
  const [about] = moving
  if (about === undefined) return []
  const found = `${counted(moving.length, 'agent')} on the way to another cell, denied all it asks`
  const fix = 'run `warrant catalog move` for it again, or cancel it with `--stay`'
  return [warning('moving', found, { about, fix })]
}

// Whatever runs in this account can do what this process can: an agent too.
function keysFinding(keys: readonly KeySeen[]): DoctorFinding {
  const open = keys.find(({ isSealed }) => !isSealed)
  if (open === undefined) {
    const found = keys.length === 0 ? 'no key of a confirmer is here' : 'all under passphrases'
    return ok('keys', found)
  }
  const found = `any program of this account can sign as \`${open.principal}\`, agents too`
  const fix = 'run agents in an account of their own; protect the key with a passphrase'
  return warning('keys', found, { about: open.file, fix: `${fix}: \`warrant keys protect\`` })
}

/** The log is there, and yet it cannot be folded; an operator need not be able to. */
export function unreadableLog(error: unknown, isOfCredential: boolean): DoctorFinding {
  if (!(error instanceof Fault)) throw error
  const { cause } = error
  const why = cause instanceof Fault ? `${error.message}: ${cause.message}` : error.message
  if (isOfCredential) {
    const fix = 'use the credential of a role, such as an auditor’s'
    return warning('log', `not folded with this credential: ${why}`, { fix })
  }
  return failure('log', why, { fix: 'fix the failures above first, then run `doctor` again' })
}
