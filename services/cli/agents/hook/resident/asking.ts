// `hook run` where a resident process has the log open: it is asked, and an allow of it is read in
// the log before it is passed on. Nothing else of the program is loaded for it. Whatever is not as
// it should be is answered by this process itself, as if there were no other.
import { rmSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { decisionOutput, neutralOutput, notedOutput } from '#shell/hooks/hook-answer'
import type { HookOutput } from '#shell/hooks/hook-answer'
import { readHookEvent, type HookEvent } from '#shell/hooks/hook-event'
import type { Host } from '#shell/hooks/hosts/host'
import { hostNamed } from '#shell/hooks/hosts/hosts'
import { parseJson } from '#record/json'
import { heldEventText, printHook } from '../event-text.ts'
import { projectOf } from '../run-options.ts'
import type { LogEvidence } from './evidence.ts'
import { askResident, Late, textAt, type ResidentQuestion } from './exchange.ts'
import { isOwnFolder, residentPlace, type ResidentPlace } from './place.ts'

/** It answers in a moment; what is only observed waits for less than five seconds. */
const waitMsMax = 4_000
const observedWaitMsMax = 2_000

/** Whether the event is answered; if it is not, nothing was printed. It never throws. */
export async function answeredByResident(words: readonly string[]): Promise<boolean> {
  try {
    const called = calledIn(words)
    const place = called === null ? null : residentPlace(called)
    if (called === null || place === null || !isOwnFolder(place.folder)) return false
    const output = await answerOf(called, place, await heldEventText())
    if (output === null) return false
    await printHook(output)
    process.exitCode = output.exit
    return true
  } catch {
    return false
  }
}

interface Called {
  readonly host: Host
  readonly log?: string
  readonly realm: string
  readonly rootKey?: string
  readonly add?: string
  readonly as: string | null
  readonly root: string | null
  readonly observes: boolean
}

const text = { type: 'string' } as const
const options = {
  for: text,
  log: text,
  realm: text,
  'root-key': text,
  add: text,
  as: text,
  root: text,
  observe: { type: 'boolean' },
  json: { type: 'boolean' },
} as const

/** Throws, or gives null, for what only the command itself answers. */
function calledIn(words: readonly string[]): Called | null {
  const { values } = parseArgs({ args: [...words], options, strict: true })
  const { for: name = '', 'root-key': rootKey, log, add, realm = 'main', observe = false } = values
  const host = hostNamed(name)
  if (host === null) return null
  return {
    host,
    realm,
    as: values.as ?? null,
    root: projectOf(values),
    observes: observe,
    ...(log !== undefined && { log }),
    ...(rootKey !== undefined && { rootKey }),
    ...(add !== undefined && { add }),
  }
}

/** Null where this process is to answer itself. */
async function answerOf(
  called: Called,
  place: ResidentPlace,
  given: string,
): Promise<HookOutput | null> {
  const { host, observes } = called
  const read = readHookEvent(host, parseJson(given))
  if ('unread' in read) return null
  const { event } = read
  const root = (event.is === 'prompt' ? null : event.root) ?? called.root
  if (event.is === 'call' && root === null && !observes) return null
  const nonce = randomUUID()
  const opened: LogEvidence[] = []
  const question = {
    is: 'event',
    version: place.version,
    host: host.name,
    event: given,
    as: called.as,
    root: called.root,
    observes,
    nonce,
  } satisfies ResidentQuestion
  try {
    const answer = await askResident(place.socket, question, {
      waitMs: observes ? observedWaitMsMax : waitMsMax,
      ready: async () => {
        if (observes || event.is !== 'call') return
        opened.push(new (await import('./evidence.ts')).LogEvidence(place.file))
      },
    })
    return outputOf(answer, event, called, (verdict) => {
      if (event.is !== 'call' || root === null) return false
      return opened.some((one) => one.allows(verdict, { ...called, event, root, nonce }))
    })
  } catch (error) {
    // The next call does not wait for it, and it ends when it sees that.
    if (error instanceof Late) rmSync(place.socket, { force: true })
    return null
  } finally {
    for (const one of opened) one.close()
  }
}

function outputOf(
  answer: unknown,
  event: HookEvent,
  { host, observes }: Called,
  isAllowed: (verdict: string) => boolean,
): HookOutput | null {
  const is = textAt(answer, 'is')
  if (event.is === 'call' && !observes) {
    const reason = textAt(answer, 'reason')
    if (is === 'denied' && reason !== null) return decisionOutput(host, { outcome: 'deny', reason })
    const verdict = is === 'allowed' ? textAt(answer, 'verdict') : null
    if (verdict === null || !isAllowed(verdict)) return null
    return decisionOutput(host, { outcome: 'allow', reason: '' })
  }
  if (is !== 'noted') return null
  if (observes) return neutralOutput(host, event.is, null)
  return event.is === 'call' ? null : notedOutput(host, event.is)
}
