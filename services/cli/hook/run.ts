// `hook run`: one event of a coding agent on standard input, and its answer in the shape that the
// agent reads: from a running server, from a log in a file, or, where nothing is set up, by the
// shipped rules alone. Whatever goes wrong blocks.
import { decisionOutput, notedOutput, type HookOutput } from '#core/hooks/hook-answer'
import { Fault } from '#core/kernel/fault'
import { readJson } from '#core/kernel/json'
import { readFile } from 'node:fs/promises'
import { readHookTables, shippedHookSeeds } from '#runtime/hooks/hook-seed'
import { findLog, logExists } from '#runtime/logs/log-url'
import { configuration } from '#runtime/wiring/config'
import type { HookHost } from '#schemas/hooks/tools'
import { doorAgents } from '#services/client/doors/door-agent'
import { hookDoorOn, unreadDecision } from '#services/client/doors/hook-agent'
import { blockedHook, sendHook, type HookPrinted } from '#services/hooks/send'
import { clientStages, withRuntime } from '../opening/opened.ts'
import type { GlobalOptions } from '../opening/options.ts'
import { packageRoot } from '../opening/package-root.ts'
import { answerOffline } from './offline-answer.ts'

export interface HookRunOptions extends GlobalOptions {
  readonly for: HookHost
  readonly url?: string
  readonly tokenFile?: string
  readonly as?: string
  /** Judge by the shipped rules alone, whatever log is near. */
  readonly offline?: boolean
  /** In place of the shipped catalogs, where no log is asked. */
  readonly seed?: string
}

/** What the catalog calls this door in `via`, where a hook opens the log itself. */
const hookDoor = 'hook'
const eventBytesMax = 4 * 1024 * 1024
const wholeMsMax = 25_000

/** The exit code. It never throws. */
export async function runHook(options: HookRunOptions): Promise<number> {
  const host = options.for
  const print = async ({ stdout, stderr, exit }: HookPrinted): Promise<number> => {
    await new Promise((resolve) => process.stdout.write(stdout, resolve))
    await new Promise((resolve) => process.stderr.write(stderr, resolve))
    return exit
  }
  // A log that hangs must not outlive the patience of the host, which may let the call run then.
  const alarm = setTimeout(() => {
    void print(blockedHook(host, `it was not judged within ${wholeMsMax / 1_000} s`)).then((code) =>
      process.exit(code),
    )
  }, wholeMsMax)
  try {
    return await print(await answered(options, await eventText()))
  } catch (error) {
    const what = error instanceof Error ? error.message : 'something failed'
    const code = error instanceof Fault ? ` (${error.code})` : ''
    return await print(blockedHook(host, `${what}${code}`))
  } finally {
    clearTimeout(alarm)
  }
}

async function eventText(): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  const input: AsyncIterable<Uint8Array> = process.stdin
  for await (const part of input) {
    bytes += part.length
    if (bytes > eventBytesMax) throw new Error(`the event is larger than ${eventBytesMax} bytes`)
    chunks.push(part)
  }
  return Buffer.concat(chunks).toString('utf8')
}

async function answered(options: HookRunOptions, text: string): Promise<HookPrinted> {
  const { for: host, url } = options
  if (url !== undefined) return overServer(options, url, text)
  const reading = readJson(Buffer.from(text, 'utf8'), { bytesMax: eventBytesMax, depthMax: 32 })
  if (!reading.ok) return decisionOutput(host, unreadDecision(host, 'it is no JSON'))
  const isOffline = options.offline === true || !hasLog(options)
  return isOffline ? offline(options, reading.value) : onLog(options, reading.value)
}

async function overServer(
  options: HookRunOptions,
  url: string,
  event: string,
): Promise<HookPrinted> {
  const { for: host, tokenFile } = options
  const token =
    tokenFile === undefined ? configuration().token : (await readFile(tokenFile, 'utf8')).trim()
  if (token === undefined) {
    return blockedHook(host, 'it has no token: give --token-file, or set WARRANT_TOKEN')
  }
  return sendHook({ host, url, token, event, timeoutMs: wholeMsMax - 5_000 })
}

function hasLog({ log }: HookRunOptions): boolean {
  // A log that is named and not there is a mistake, and no reason to judge by anything else.
  return log !== undefined || logExists(findLog(log, configuration()))
}

async function onLog(options: HookRunOptions, event: unknown): Promise<HookOutput> {
  const tables = await readHookTables(shippedHookSeeds(packageRoot()))
  const stages = await clientStages(options)
  return withRuntime(options, { stages }, async (runtime) => {
    const { principals } = runtime.follower.state.catalog
    const served = [...principals.values()].filter(({ via }) => via?.includes(hookDoor) === true)
    const principal = options.as ?? (served.length === 1 ? served[0]?.id : undefined)
    if (principal === undefined) {
      const put = '`warrant catalog put principal id=coding-agent via=hook`'
      throw new Fault('door_refused', `say with --as whose calls they are, or assign one: ${put}`)
    }
    const agents = doorAgents(runtime, hookDoor)
    try {
      const agent = agents.agentFor(principal)
      const door = hookDoorOn({ runtime, tables, linkOf: () => null })
      return await door.answer(options.for, event, { principal, agent })
    } finally {
      agents.close()
    }
  })
}

async function offline({ for: host, seed }: HookRunOptions, event: unknown): Promise<HookOutput> {
  const decision = await answerOffline(host, event, seed)
  return typeof decision === 'string' ? notedOutput(host, decision) : decisionOutput(host, decision)
}
