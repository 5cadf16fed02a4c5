// Publishes an intent as its agent and prints the verdict, or whom it waits for.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Fault } from '#core/kernel/fault'
import { fixesOf, type Fix } from '#present/fixes'
import type { Intent } from '#schemas/intent'
import { GroundingData, VerdictData, type Ground } from '#schemas/facts'
import { readEvent } from '#core/kernel/event'
import { listKeys } from '#runtime/wiring/key-files'
import { keyGiven, opened } from '#runtime/wiring/keys'
import type { Runtime } from '#runtime/wiring/open'
import { connect } from '#services/client/connect'
import type { Verdict } from '#services/client/verdict'
import { exitCodes } from '../terminal/exit.ts'
import { note, print, printJson } from '../terminal/terminal.ts'
import { approving, hintsFor } from '../terminal/hint.ts'
import { verdictLines, waitsLines } from './print.ts'
import { intentOf, readIntentFile, type IntentOptions } from './intent-fields.ts'
import { clientStages, withRuntime } from '../opening/opened.ts'
import { keyAccess, keyNamed } from '../editing/signing.ts'
import { settled, type Settled } from './settled.ts'
import type { GlobalOptions } from '../opening/options.ts'

export interface AskOptions extends GlobalOptions, IntentOptions {
  readonly agent?: string
  readonly session?: string
  /** In milliseconds. */
  readonly wait?: number
  readonly key?: string
  readonly reads?: 'all' | 'own'
}

export const waitMsDefault = 60_000

export async function ask(tool: string | undefined, options: AskOptions): Promise<number> {
  const file = options.file === undefined ? {} : await readIntentFile(options.file)
  const intent = intentOf(tool, options, file)
  if (options.reads === 'own') return askOwn(intent, options)
  const stages = await clientStages(options)
  const opening = { isOver: false }
  const use = (runtime: Runtime): Promise<number> => {
    opening.isOver = true
    return askOn(runtime, intent, options)
  }
  try {
    return await withRuntime(options, { stages }, use)
  } catch (error) {
    const isRefused = error instanceof Fault && error.code === 'not_permitted'
    // The server may let this user in and have him read no more than his own.
    if (opening.isOver || !isRefused || options.reads === 'all') throw error
    return askOwn(intent, options)
  }
}

async function askOwn(intent: Intent, options: AskOptions): Promise<number> {
  return (await import('./run-own.ts')).askOwn(intent, options)
}

async function askOn(runtime: Runtime, intent: Intent, options: AskOptions): Promise<number> {
  const agent = options.agent ?? onlyAgent(runtime)
  const privateKey = await keyOf(runtime, agent, options.key)
  const client = await connect({ as: agent, runtime, ...(privateKey !== null && { privateKey }) })
  // It is counted on in a session that there is.
  const session = options.session === undefined ? undefined : { id: options.session, seq: null }
  const content = intent.goal ?? `use ${intent.tool}`
  const fields = { type: 'query', content, payload: { intent } }
  const published = await client.publish(fields, session)
  const hints = hintsFor(options, process.env)
  const asked = { intent: published.address, tool: intent.tool, agent, hints }
  const answer = await settled(runtime, published, {
    waitMs: options.wait ?? waitMsDefault,
    forPeople: options.wait !== undefined,
    onReview: ({ text, reason }) => {
      if (options.wait === undefined) return
      note(`waiting for ${text}: ${hints(approving(published.address, reason))}`)
    },
  })
  await printAnswer(runtime, answer, { ...asked, json: options.json === true })
  return exitCodeOf(answer)
}

export function exitCodeOf(answer: Settled): number {
  if (answer.state === 'waits') return exitCodes.noVerdict
  const { outcome, observed } = answer.verdict
  // An observed call is stopped by nothing, this exit code included.
  return outcome === 'allow' || observed ? exitCodes.yes : exitCodes.denied
}

interface Asked {
  readonly intent: string
  readonly tool: string
  readonly agent: string
  readonly hints: ReturnType<typeof hintsFor>
  readonly json: boolean
}

/** Prints what became of an intent. Without a runtime nobody knows how gaps are closed. */
export async function printAnswer(
  runtime: Runtime | null,
  answer: Settled,
  asked: Asked,
): Promise<void> {
  const { intent, json } = asked
  if (answer.state === 'waits') {
    if (json) await printJson({ intent, outcome: null, waits: answer.waits })
    else await print(waitsLines(answer.waits, asked))
    return
  }
  const { verdict } = answer
  const fixes = runtime === null ? [] : await fixesFor(runtime, verdict)
  if (json) await printJson({ ...verdict, mendings: fixes })
  else await print(verdictLines({ ...asked, verdict, fixes, seedFolder: seedFolderHere() }))
}

async function fixesFor(runtime: Runtime, verdict: Verdict): Promise<readonly Fix[]> {
  if (!verdict.reasons.some(({ code }) => code === 'ungrounded')) return []
  const ground = await groundBehind(runtime, verdict)
  return ground === null ? [] : fixesOf(runtime.follower.world.graph, ground)
}

// What was derived again at release is what refused; else what the stage had found.
async function groundBehind({ log }: Runtime, verdict: Verdict): Promise<Ground | null> {
  const fact = await log.get(verdict.name)
  const reading = fact && readEvent('verdict', VerdictData, fact)
  if (reading?.ok !== true) return null
  const { release, grounding } = reading.event.data
  if (release !== null) return release.ground
  const found = grounding === null ? undefined : await log.get(grounding)
  const grounded = found && readEvent('grounding', GroundingData, found)
  return grounded?.ok === true ? grounded.event.data.ground : null
}

// Where `init` puts the seed; a reader who keeps it elsewhere knows better.
function seedFolderHere(): string {
  return existsSync(join('warrant', 'graph.json')) ? 'warrant' : 'FOLDER'
}

function onlyAgent(runtime: Runtime): string {
  const agents = [...runtime.follower.world.catalog.principals.values()].filter(
    ({ owner }) => owner !== undefined,
  )
  const [only] = agents
  if (only !== undefined && agents.length === 1) return only.id
  const some = agents.length === 0 ? 'no agent with an owner' : `${agents.length} agents`
  throw new Fault('usage', 'never', `the catalog has ${some}: say --agent which`)
}

/** The key that the agent signs with; null where the catalog binds none to it. */
export async function keyOf(
  { follower, folder }: Runtime,
  agent: string,
  given: string | undefined,
): Promise<string | null> {
  const bound = follower.world.catalog.principals.get(agent)?.keys ?? []
  const keys = keyAccess(folder)
  const named = given ?? (bound.length === 0 ? undefined : keyNamed({}))
  if (named !== undefined) return opened(await keyGiven({ keys }, named), keys)
  if (bound.length === 0) return null
  const all = await listKeys(keys.places)
  const found = all.find(({ publicKey }) => bound.includes(publicKey))
  if (found !== undefined) return opened(found, keys)
  const message = `\`${agent}\` has to sign what it says, and its key is not here: give --key FILE`
  throw new Fault('key_missing', 'never', message)
}
