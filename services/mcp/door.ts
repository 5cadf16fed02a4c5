// The proxy before one server of tools: what clients see of that server, with each call judged. All
// that calls no tool is passed on, through the firewall.
import type { ListedTool, Passing } from '#gateway/tools/mcp-library'
import { memoryResults } from '#gateway/results/memory'
import { openResultFolder } from '#gateway/results/folder'
import { join } from 'node:path'
import { agentIn, token } from '#record/names'
import { shortlist } from '#rules/routing/shortlist'
import type { Stage } from '#stages/stage'
import type { ResultStore } from '#ports/results'
import { factAbout } from '#runtime/engine/binding'
import type { Runtime } from '#runtime/engine/runtime'
import type { GatewaySpeaker } from '#gateway/evidence'
import { provingOn } from '#replay/verdicts/proving'
import { requestOf } from '#replay/verdicts/request'
import { gatewayOn } from '#wiring/own-gateway'
import type { SessionHandle } from '#client/publishing'
import type { Warrant } from '#client/warrant'
import { waitingResult } from './answers.ts'
import type { Behind } from './behind.ts'
import { callMsMax, callsOn, type DoorCalls, type ToolRequest } from './calls.ts'
import { matchedTool } from './matched.ts'
import { noSuch, type Front, type FrontAnswer, type FrontCall } from './protocol.ts'
import { aboutShown, errorShown, noticeShown, progressShown, resultShown } from './said.ts'
import { toolShown, type SaidProgress } from './said.ts'
import { tasksOn, type Tasks } from './tasks.ts'
import { workTools } from './work-tools.ts'

/** As the catalog assigns it to agents (`via`). */
export const doorName = 'mcp'

export interface DoorOptions {
  readonly runtime: Runtime
  readonly client: Warrant
  /** Whose intents the calls are. */
  readonly agent: string
  readonly stages: readonly Stage[]
  readonly behind: Behind
  readonly session: SessionHandle | null
  /** In whose name results become evidence; absent: they do not. */
  readonly speaker?: GatewaySpeaker
  /** How long a call waits for people, in milliseconds. */
  readonly waitMs: number
  /** Where a person decides, with `{intent}` for the intent; absent: there is no such page. */
  readonly reviewUrl?: string
  /** How the operator imports the tools of this server. */
  readonly importing: string
  /** Only tools that fit a goal are listed; it permits and refuses nothing. */
  readonly shortlist?: ToolShortlist
}

export interface ToolShortlist {
  /** How many tools at most; no more than 20. */
  readonly max: number
  /** The goal of clients that state none; without it these see all tools. */
  readonly goal?: string
}

export interface McpDoor {
  readonly front: Front
  /** Ends what is under way, and records it. */
  close(): Promise<void>
}

export async function openDoor(options: DoorOptions): Promise<McpDoor> {
  const { runtime, client, agent, stages, behind, speaker } = options
  const proving = provingOn(runtime, stages, null)
  const of = { runtime, proving }
  const gateway = await gatewayOn(of, {
    name: 'mcp',
    mcp: behind.driver,
    ...(speaker !== undefined && { speaker }),
  })
  const { session, waitMs, importing } = options
  const calls = callsOn({ client, agent, session, behind, gateway, waitMs, importing })
  const tasks = tasksOn({
    agent,
    clock: runtime.logClock,
    logger: runtime.logger,
    results: await taskResults(runtime),
    finish: (intent, signal) => finished(options, calls, { intent, signal }),
    refuseForeign: (intent) => refuseForeign(options, intent),
    withdraw: (intent) => withdrawn(options, intent, 'taken back by the client'),
  })
  return {
    front: frontOf(options, calls, tasks),
    async close() {
      await tasks.close()
      await gateway.close()
      await calls.ended()
      proving.stop()
    },
  }
}

async function taskResults({ folder, clock }: Runtime): Promise<ResultStore> {
  if (folder === null) return memoryResults(clock)
  return openResultFolder({ folder: join(folder, 'tasks'), clock })
}

function frontOf(options: DoorOptions, calls: DoorCalls, tasks: Tasks): Front {
  const { behind } = options
  const own = workTools(options)
  /** What of the proxy itself the server behind has no tool of the same name for. */
  const besides = (theirs: readonly ListedTool[]): readonly ListedTool[] => {
    const names = new Set(theirs.map(({ name }) => name))
    return own.listed().filter(({ name }) => !names.has(name))
  }
  return {
    about: async (signal) => aboutShown(await said(behind.about(signal))),
    tools: async (signal, goal) => {
      const theirs = await said(behind.tools(signal))
      return [...shownTools(options, theirs, goal), ...besides(theirs)]
    },
    async call(call) {
      const { name, args, signal } = call
      const isNamed = own.listed().some((one) => one.name === name)
      const theirs = isNamed ? await said(behind.tools(signal)) : []
      const isOwn = isNamed && besides(theirs).some((one) => one.name === name)
      const answer = isOwn ? await own.call(name, args) : null
      if (answer !== null) return { is: 'answer', answer }
      return answered(options, { calls, tasks }, { ...call, ...shownProgress(call) })
    },
    pass: async (request, passing) => {
      const through = { signal: passing.signal, ...shownProgress(passing) }
      return resultShown(
        request.method,
        await said(behind.pass(request, through), request.params?.['uri']),
      )
    },
    listen: (listener) => {
      return behind.listen((notice) => {
        const shown = noticeShown(notice)
        if (shown !== null) listener(shown)
      })
    },
    answerMsMax: () => callMsMax(options),
    async task(method, taskId) {
      if (method === 'tasks/get') return tasks.get(taskId)
      if (method === 'tasks/cancel') await tasks.cancel(taskId)
      // Nothing of a task waits for the client.
      return {}
    },
  }
}

/** An error of the server comes in its own words, redacted. */
async function said<T>(saying: Promise<T>, asked?: unknown): Promise<T> {
  try {
    return await saying
  } catch (error) {
    throw await errorShown(error, asked)
  }
}

function shownProgress({ onProgress }: { readonly onProgress?: Passing['onProgress'] }) {
  if (onProgress === undefined) return {}
  return {
    onProgress: (progress: SaidProgress): void => {
      const shown = progressShown(progress)
      if (shown !== null) onProgress(shown)
    },
  }
}

/** What no person approved is not shown: a description can lead a model astray by itself. */
function shownTools(
  { client, behind, shortlist: of }: DoorOptions,
  tools: readonly ListedTool[],
  stated: string | undefined,
): readonly ListedTool[] {
  const { capabilities } = client.runtime.follower.state.catalog
  const shown = tools.flatMap((listed) => {
    const found = matchedTool(capabilities, listed, behind.id)
    if (found.is !== 'known') return []
    const { capability } = found
    const tool = toolShown(listed, capability.imported !== undefined)
    return tool === null ? [] : [{ tool, capability }]
  })
  const goal = stated ?? of?.goal
  if (of === undefined || goal === undefined) return shown.map(({ tool }) => tool)
  const these = new Map(shown.map(({ capability }) => [capability.id, capability]))
  const { cards } = shortlist(these, goal, { max: of.max })
  const fitting = new Set(cards.map(({ id }) => id))
  // A goal that fits nothing is in other words or in another language: no tool is hidden for that.
  const isUsed = fitting.size > 0
  return shown.flatMap((one) => (!isUsed || fitting.has(one.capability.id) ? [one.tool] : []))
}

async function answered(
  options: DoorOptions,
  { calls, tasks }: { readonly calls: DoorCalls; readonly tasks: Tasks },
  call: FrontCall,
): Promise<FrontAnswer> {
  const { client, reviewUrl } = options
  const { can, opened, ...request } = call
  // A host that declines takes back what its own agent asked; it never answers for people.
  if (opened === 'decline') await declined(options, request.intent)
  const ended = await calls.call(request)
  if (ended.is === 'answered') return { is: 'answer', answer: ended.answer }
  const { intent, waits } = ended
  client.runtime.logger.warn({ intent, from: waits.people }, 'waiting for approval')
  if (can.tasks) return { is: 'task', task: tasks.begin(intent) }
  const url = reviewUrl?.replaceAll('{intent}', encodeURIComponent(intent)) ?? null
  if (url !== null && can.links && opened === null) {
    const text = `\`${call.name}\` waits for the approval of a person: decide there, then go on`
    return { is: 'link', intent, url, text }
  }
  return { is: 'answer', answer: waitingResult(intent, waits, url) }
}

/** The call of an intent, as the log has it: a request for its task need not have it. */
async function finished(
  { client, behind }: DoorOptions,
  calls: DoorCalls,
  { intent, signal }: { readonly intent: string; readonly signal: AbortSignal },
) {
  const { runtime } = client
  const { tool, args } = requestOf(await factAbout(runtime, 'vlp', intent), intent)
  const capability = runtime.follower.state.catalog.capabilities.get(tool)
  const { driver, imported } = capability ?? {}
  const isOwn = driver?.kind === 'mcp' && driver.server === behind.id
  const name = isOwn ? driver.tool : (imported?.tool ?? tool)
  const request: ToolRequest = { name, args: { ...args }, signal }
  return calls.finish(intent, request)
}

async function refuseForeign({ client, agent }: DoorOptions, intent: string): Promise<void> {
  const isOwn = agentIn(intent) === token(agent)
  const opening = isOwn ? await factAbout(client.runtime, 'vlp', intent) : undefined
  // Of another's intent it is not even said that it is there.
  if (opening === undefined) throw noSuch('there is no such task')
}

async function declined(options: DoorOptions, intent: string | undefined): Promise<void> {
  if (intent === undefined || agentIn(intent) !== token(options.agent)) return
  await withdrawn(options, intent, 'the host of the client relayed that its user declined')
}

async function withdrawn({ client }: DoorOptions, intent: string, note: string): Promise<void> {
  const verdict = await factAbout(client.runtime, 'verdict', intent)
  if (verdict === undefined) await client.withdraw(intent, note)
}
