// `warrant mcp --observe`: the server behind is served as it is, and the log is opened beside that,
// again and again where it is gone. Only what a person typed wrong ends it.
import { doorRefusal } from '#rules/catalog/doors/speaking'
import { systemTimer } from '#system/clock'
import { missedCallsFile, noteMissed } from '#health/missed-calls'
import { aborted, pause, withTimeout } from '#runtime/engine/timeout'
import type { Runtime } from '#runtime/engine/runtime'
import { configuration } from '#wiring/config'
import { exitCodes } from '#schemas/faults/exit'
import { connect } from '#client/connect'
import { doorName } from '#mcp/door'
import { observingDoor, type ObservedLog } from '#mcp/observing'
import { onlyAgent, signingKeyOf } from '../ask/run.ts'
import { onInterrupt } from '#cli/terminal/opening/interrupt'
import { clientStages, withRuntime } from '#cli/terminal/opening/opened'
import { commandFailureOf, usage } from '#cli/terminal/failure'
import { note } from '#cli/terminal/terminal'
import { serveFront, type McpDoorOptions } from './run.ts'
import { serverBehind, serverMeant } from './server-behind.ts'

/** So long after it could not be opened the log is opened again. */
const againMs = 10_000
/** So long calls that have ended are recorded still, once the client has left. */
const leavingMs = 5_000

export async function mcpObserve(
  words: readonly string[],
  options: McpDoorOptions,
): Promise<number> {
  refuseEnforcing(options)
  const interrupt = onInterrupt()
  const leaving = new AbortController()
  const log = keptOpen(words, options, leaving.signal)
  try {
    note('warrant: NOTHING IS ENFORCED: calls are recorded with what would be decided, and all run')
    await servedObserved(log, { words, options, stopping: interrupt.signal })
    return exitCodes.yes
  } finally {
    leaving.abort()
    await withTimeout(systemTimer, leavingMs, log.ended)
    interrupt.release()
  }
}

/** What asks people, hides tools or publishes results has no place where nothing is changed. */
function refuseEnforcing(options: McpDoorOptions): void {
  const { wait, reviewUrl, shortlist, evidenceAs } = options
  const given = { wait, 'review-url': reviewUrl, shortlist, 'evidence-as': evidenceAs }
  const [first] = Object.entries(given).filter(([, value]) => value !== undefined)
  if (first === undefined) return
  throw usage(`--observe changes nothing and asks no one, so it takes no --${first[0]}`)
}

interface Serving {
  readonly words: readonly string[]
  readonly options: McpDoorOptions
  readonly stopping: AbortSignal
}

async function servedObserved(log: KeptOpen, of: Serving): Promise<void> {
  const { words, options, stopping } = of
  // Which command or address a server of the catalog has, only the log says.
  const catalog =
    options.server === undefined ? null : (await log.opened()).client.runtime.follower.state.catalog
  const behind = serverBehind(catalog?.servers ?? [], { ...options, words })
  const file = missedCallsFile(configuration())
  let missed = 0
  const door = observingDoor({
    behind,
    timer: systemTimer,
    opened: () => log.opened(),
    onMissed(tool, why) {
      missed += 1
      noteMissed(file, { at: Date.now(), door: 'mcp', why })
      note(`warrant: observed only, and not recorded (${missed} so far): \`${tool}\`: ${why}`)
    },
    onUnlike(tool, is) {
      note(`warrant: \`${tool}\` would be refused, whatever the verdict is: tool_${is}`)
    },
  })
  try {
    const { listen } = options
    const ending = () => aborted(stopping)
    await serveFront(door.front, { listen, ending, timer: systemTimer })
  } finally {
    await withTimeout(systemTimer, leavingMs, door.ended())
    await behind.close()
    const calls = `${door.calls()} calls observed, ${missed} of them not recorded`
    note(`warrant: ${calls}; nothing was enforced. See \`warrant stats --observed\``)
  }
}

interface KeptOpen {
  /** The log as soon as it is open. Rejects with why it cannot be opened just now. */
  opened(): Promise<ObservedLog>
  /** Resolves once it is closed for good. */
  readonly ended: Promise<void>
}

function keptOpen(
  words: readonly string[],
  options: McpDoorOptions,
  leaving: AbortSignal,
): KeptOpen {
  let opening = newOpening()
  const begin = (): void => void (opening = newOpening())
  const once = async (): Promise<void> => {
    const stages = await clientStages(options)
    await withRuntime(options, { stages, level: 'warn' }, async (runtime) => {
      opening.resolve(await observedOn(runtime, words, options))
      const failed = runtime.follower.failed.then((error) => Promise.reject(error))
      await Promise.race([aborted(leaving), failed])
    })
  }
  const running = async (): Promise<void> => {
    while (!leaving.aborted) {
      try {
        await once()
      } catch (error) {
        const why = commandFailureOf(error)?.message ?? 'it cannot be opened'
        const closed = new Error(`the log is not open: ${why}`)
        begin()
        opening.reject(closed)
        note(`warrant: ${closed.message}: calls go through, and are not recorded`)
        await pause(systemTimer, againMs, leaving)
      }
      begin()
    }
    opening.reject(new Error('the log is being closed'))
  }
  return { opened: () => opening.promise, ended: running() }
}

interface Opening {
  readonly promise: Promise<ObservedLog>
  resolve(log: ObservedLog): void
  reject(why: Error): void
}

function newOpening(): Opening {
  let resolve: Opening['resolve'] = () => undefined
  let reject: Opening['reject'] = () => undefined
  const promise = new Promise<ObservedLog>((yes, no) => {
    resolve = yes
    reject = no
  })
  // Who asks for it learns why; if no one does, it is no error.
  promise.catch(() => undefined)
  return { promise, resolve, reject }
}

async function observedOn(
  runtime: Runtime,
  words: readonly string[],
  options: McpDoorOptions,
): Promise<ObservedLog> {
  const { catalog } = runtime.follower.state
  const agent = options.as ?? onlyAgent(catalog)
  const privateKey = await signingKeyOf(runtime, agent, options.key)
  const speaker = {
    as: agent,
    ...(privateKey !== null && { privateKey }),
    ...(doorRefusal(catalog, agent, doorName) === null && { via: doorName }),
  }
  const client = await connect({ ...speaker, runtime })
  const { server, isInCatalog } = serverMeant(catalog.servers, { ...options, words })
  const { session } = options
  return {
    client,
    speaker,
    session: session === undefined ? null : client.session(session),
    server: isInCatalog ? server.id : null,
  }
}
