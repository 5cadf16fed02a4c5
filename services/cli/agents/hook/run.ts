// `hook run`: one event of a coding agent on standard input, and its answer in the shape that the
// agent reads: from a running server, from a log in a file, or, where nothing is set up, by the
// shipped rules alone. Whatever goes wrong blocks.
import {
  decisionOutput,
  neutralOutput,
  notedOutput,
  unreadDecision,
  type HookOutput,
} from '#shell/hooks/hook-answer'
import type { Host } from '#shell/hooks/hosts/host'
import { readJson } from '#record/json'
import { describeJsonFault } from '#record/json-fault'
import { readFile } from 'node:fs/promises'
import { findLog, logExists } from '#runtime/logs/log-url'
import { configuration } from '#wiring/config'
import { missedCallsFile, noteMissed } from '#health/missed-calls'
import { observedTimeoutMs, sendHook, type HookPrinted } from '#hooks/send'
import { serverTables } from './own-tables.ts'
import { usage } from '#cli/terminal/failure'
import { failedHook, projectOf, type HookRunOptions } from './run-options.ts'
import { eventBytesMax, eventText, printHook } from './event-text.ts'

const wholeMsMax = 25_000

/** The exit code. It never throws. */
export async function runHook(options: HookRunOptions): Promise<number> {
  const { for: host, observe = false } = options
  let event = ''
  const print = async (answer: Answered): Promise<number> => {
    if (typeof answer.missed === 'string') countMissed(host, answer.missed)
    await printHook(answer)
    answer.after?.()
    return answer.exit
  }
  // A log that hangs must not outlive the patience of the host, which may let the call run then.
  const wholeMs = observe ? observedTimeoutMs : wholeMsMax
  const alarm = setTimeout(() => {
    const late = new Error(`it was not judged within ${wholeMs / 1_000} s`)
    void print(failedHook(options, event, late)).then((code) => process.exit(code))
  }, wholeMs)
  try {
    event = await eventText()
    return await print(await answered(options, event))
  } catch (error) {
    return await print(failedHook(options, event, error))
  } finally {
    clearTimeout(alarm)
  }
}

function countMissed({ name }: Host, why: string): void {
  noteMissed(missedCallsFile(configuration()), { at: Date.now(), door: `hook ${name}`, why })
}

interface Answered extends HookPrinted {
  /** Is done once it is printed. */
  readonly after?: () => void
}

async function answered(options: HookRunOptions, text: string): Promise<Answered> {
  const { for: host, url, observe = false } = options
  if (url !== undefined) return overServer(options, url, text)
  const reading = readJson(Buffer.from(text, 'utf8'), { bytesMax: eventBytesMax, depthMax: 32 })
  if (!reading.ok) {
    const why = describeJsonFault(reading)
    if (observe) return neutralOutput(host, 'call', why)
    return decisionOutput(host, unreadDecision(host, why))
  }
  const isOffline = options.offline === true || !hasLog(options)
  if (isOffline && observe) throw new Error('there is no log: give --url or --log')
  if (isOffline) return offline(options, reading.value)
  const answer = await (await import('./on-log.ts')).answerOnLog(options, text, reading.value)
  // The next call need not open the log.
  const { startResident } = await import('./resident/start.ts')
  return { ...answer, after: () => startResident(options) }
}

async function overServer(
  options: HookRunOptions,
  url: string,
  event: string,
): Promise<HookPrinted> {
  const { for: host, tokenFile, add, observe = false } = options
  if (add !== undefined) throw usage(serverTables)
  const token =
    tokenFile === undefined ? configuration().token : (await readFile(tokenFile, 'utf8')).trim()
  if (token === undefined) {
    throw new Error('it has no token: give --token-file, or set WARRANT_TOKEN')
  }
  const timeoutMs = observe ? observedTimeoutMs - 1_000 : wholeMsMax - 5_000
  const root = projectOf(options)
  return sendHook({ host: host.name, url, token, event, timeoutMs, observes: observe, root })
}

function hasLog({ log }: HookRunOptions): boolean {
  // A log that is named and not there is a mistake, and no reason to judge by anything else.
  return log !== undefined || logExists(findLog(log, configuration()))
}

async function offline(options: HookRunOptions, event: unknown): Promise<HookOutput> {
  const { for: host, seed, add } = options
  const { answerOffline } = await import('./offline-answer.ts')
  const decision = await answerOffline(host, event, { seed, add, root: projectOf(options) })
  return typeof decision === 'string' ? notedOutput(host, decision) : decisionOutput(host, decision)
}
