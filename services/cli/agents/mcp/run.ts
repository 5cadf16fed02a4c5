// `warrant mcp`: opens the log and the server behind, and serves its tools, each call judged, until
// the client leaves or it is interrupted.
import { doorRefusal } from '#rules/catalog/doors/speaking'
import { aborted } from '#runtime/engine/timeout'
import type { Runtime } from '#runtime/engine/runtime'
import type { GatewaySpeaker } from '#gateway/evidence'
import type { Logger } from '#runtime/reporting/logger'
import type { Timer } from '#ports/clock'
import type { Listen } from '#serving/listening'
import { keyGiven, opened } from '#runtime/keys/keys'
import { candidatesMax } from '#schemas/action/routing'
import { exitCodes } from '#schemas/faults/exit'
import { connect } from '#client/connect'
import type { Front } from '#mcp/protocol'
import { overHttp, overPipes } from '#mcp/serving'
import { doorName, openDoor, type McpDoor, type ToolShortlist } from '#mcp/door'
import { stages as allStages } from '#workers/stages'
import { onlyAgent, signingKeyOf } from '../ask/run.ts'
import { keyAccess } from '#cli/terminal/signing'
import { onInterrupt } from '#cli/terminal/opening/interrupt'
import { clientStages, withRuntime } from '#cli/terminal/opening/opened'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { usage } from '#cli/terminal/failure'
import { demandLocal, servedOverHttp, servedOverPipes } from './served.ts'
import { importingText, serverBehind, type BehindWords } from './server-behind.ts'

export interface McpDoorOptions extends GlobalOptions, BehindWords {
  readonly as?: string
  readonly key?: string
  readonly session?: string
  readonly listen?: Listen
  /** Milliseconds. */
  readonly wait?: number
  readonly reviewUrl?: string
  readonly shortlist?: number
  readonly goal?: string
  readonly evidenceAs?: string
  readonly evidenceKey?: string
  /** Record what would be decided, and enforce nothing. */
  readonly observe?: boolean
}

export async function mcpCommand(
  words: readonly string[],
  options: McpDoorOptions,
): Promise<number> {
  const interrupt = onInterrupt()
  try {
    const stages = await clientStages(options)
    return await withRuntime(options, { stages, level: 'warn', awaits: true }, async (runtime) => {
      const door = await doorOn(runtime, words, options)
      try {
        const ending = () => Promise.race([aborted(interrupt.signal), failing(runtime.follower)])
        const { logger, timer } = runtime
        await serveFront(door.front, { listen: options.listen, ending, logger, timer })
      } finally {
        await door.close()
      }
      return exitCodes.yes
    })
  } finally {
    interrupt.release()
  }
}

async function doorOn(
  runtime: Runtime,
  words: readonly string[],
  options: McpDoorOptions,
): Promise<McpDoor> {
  const { catalog } = runtime.follower.state
  const { session, wait = 0, reviewUrl } = options
  const shortlist = shortlistOf(options)
  const agent = options.as ?? onlyAgent(catalog)
  const given = { ...options, words }
  const privateKey = await signingKeyOf(runtime, agent, options.key)
  const client = await connect({
    as: agent,
    runtime,
    ...(privateKey !== null && { privateKey }),
    // What a door binds counts only for those to whom the catalog assigns it.
    ...(doorRefusal(catalog, agent, doorName) === null && { via: doorName }),
  })
  const speaker = await speakerOf(runtime, options)
  return openDoor({
    runtime,
    client,
    agent,
    stages: allStages,
    behind: serverBehind(catalog.servers, given),
    session: session === undefined ? null : client.session(session),
    ...(speaker !== null && { speaker }),
    waitMs: wait,
    ...(reviewUrl !== undefined && { reviewUrl: reviewPage(reviewUrl) }),
    importing: importingText(given),
    ...(shortlist !== null && { shortlist }),
  })
}

function shortlistOf({ shortlist: max, goal }: McpDoorOptions): ToolShortlist | null {
  if (max === undefined && goal !== undefined) throw usage('--goal goes with --shortlist')
  if (max === undefined) return null
  if (max > candidatesMax) throw usage(`--shortlist takes at most ${candidatesMax}`)
  return { max, ...(goal !== undefined && { goal }) }
}

function reviewPage(url: string): string {
  const filled = url.replaceAll('{intent}', 'x')
  if (/^https?:/.test(url) && URL.canParse(filled)) return url
  throw usage('--review-url takes an address of http or https; {intent} stands for the intent')
}

async function speakerOf(
  runtime: Runtime,
  { evidenceAs: principal, evidenceKey }: McpDoorOptions,
): Promise<GatewaySpeaker | null> {
  if (principal === undefined) {
    if (evidenceKey !== undefined) throw usage('--evidence-key goes with --evidence-as')
    return null
  }
  if (evidenceKey === undefined) return { principal }
  const access = keyAccess(runtime.folder)
  const key = await keyGiven({ keys: access }, evidenceKey)
  return { principal, privateKey: await opened(key, access) }
}

export interface FrontServed {
  readonly listen: Listen | undefined
  /** Begun once something is served: before, it would be rejected unseen. */
  readonly ending: () => Promise<unknown>
  readonly logger?: Logger
  readonly timer: Timer
}

/** Serves clients until they leave, or until that ends. */
export async function serveFront(front: Front, of: FrontServed): Promise<void> {
  const { listen, ending, logger, timer } = of
  const onError = (error: Error): void => logger?.warn({ error }, 'a message could not be read')
  demandLocal(listen, 7718)
  if (listen !== undefined) {
    return servedOverHttp(overHttp(front, onError), { listen, title: 'MCP', ending })
  }
  const { stdin: input, stdout: output } = process
  return servedOverPipes(overPipes(front, { input, output }, { timer, onError }), ending)
}

/** Rejects when the log is followed no more: nothing can be decided here then. */
async function failing({ failed }: Runtime['follower']): Promise<never> {
  throw await failed
}
