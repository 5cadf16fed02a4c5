// Composes the gateways of this process, one for each log that it serves. All share the drivers,
// the places to run, and where results are kept.
import { join } from 'node:path'
import { threadFraming } from '#gateway/framing/thread'
import { openResultFolder } from '#gateway/results/folder'
import { memoryResults } from '#gateway/results/memory'
import { httpDriver } from '#gateway/tools/http'
import { localDriver, type LocalTool } from '#gateway/tools/local'
import { mcpDriver } from '#gateway/tools/mcp'
import { toolSecrets, type Secrets } from '#gateway/tools/secrets'
import { shellDriver } from '#gateway/tools/shell'
import { assert } from '#record/fault'
import type { ToolDriver } from '#ports/tools'
import type { Runtime } from '#runtime/engine/runtime'
import { answering, type AnsweringGateway } from '#gateway/answering'
import type { GatewaySpeaker } from '#gateway/evidence'
import { openGateway } from '#gateway/gateway'
import { sessionBudget } from '#gateway/session-budget'
import { slots } from '#gateway/slots'
import type { Proving } from '#replay/verdicts/proving'
import { configuration } from './config.ts'
import { environment } from './environment.ts'

export interface GatewayOptions {
  /** What it is called in the log; `gateway` if absent. */
  readonly name?: string
  /** The functions of `local` drivers, by their operations. */
  readonly tools?: Readonly<Record<string, LocalTool>>
  /** In whose name results become evidence; absent: they do not. */
  readonly speaker?: GatewaySpeaker
  /** Carries `mcp` drivers out, instead of sessions of its own. */
  readonly mcp?: ToolDriver
  /** The folder of results; beside an embedded log if absent, else in memory. */
  readonly results?: string
}

/** A log to act on, and what derives its verdicts before. */
export interface ProvedLog {
  readonly runtime: Runtime
  readonly proving: Proving
}

export interface ServedLog extends ProvedLog {
  readonly gateway: AnsweringGateway
}

export interface OwnGateways {
  /** In the order in which they were given. */
  readonly served: readonly ServedLog[]
  /** Ends what is under way, and releases what they share. */
  close(): Promise<void>
}

/** Opens a gateway on the log, with each driver that there is. */
export async function gatewayOn(
  of: ProvedLog,
  options: GatewayOptions = {},
): Promise<AnsweringGateway> {
  const all = await gatewaysOn([of], options)
  const [one] = all.served
  assert(one !== undefined, 'there is one for each log')
  return { ...one.gateway, close: () => all.close() }
}

/** Opens one on each log: of a realm of one log, or on those of its cells. */
export async function gatewaysOn(
  logs: readonly ProvedLog[],
  { name, tools = {}, mcp, speaker, results }: GatewayOptions = {},
): Promise<OwnGateways> {
  const [first] = logs
  assert(first !== undefined, 'there is a log to serve')
  const secrets = toolSecrets({
    variables: environment(),
    folder: configuration().secrets ?? null,
  })
  const drivers = driversOf(secrets, tools, mcp)
  const { clock, folder: beside } = first.runtime
  const folder = results ?? (beside === null ? null : join(beside, 'results'))
  const store = folder === null ? memoryResults(clock) : await openResultFolder({ folder, clock })
  const framing = threadFraming()
  const budget = sessionBudget(configuration().sessionChars ?? null)
  const shared = { drivers, places: slots(), ...(name !== undefined && { name }) }
  const served = logs.map((log) => {
    const gateway = openGateway({ ...log, ...shared, framing })
    const parts = { runtime: log.runtime, gateway, results: store, framing, budget }
    return { ...log, gateway: answering({ ...parts, ...(speaker !== undefined && { speaker }) }) }
  })
  return {
    served,
    async close() {
      await Promise.all(served.map(({ gateway }) => gateway.close()))
      await Promise.all(drivers.map((driver) => driver.close()))
      await store.close()
      await framing.close()
    },
  }
}

function driversOf(
  secrets: Secrets,
  tools: Readonly<Record<string, LocalTool>>,
  mcp: ToolDriver = mcpDriver({ secrets }),
): readonly ToolDriver[] {
  const local = new Map(Object.entries(tools))
  return [
    // Where there are no functions, a call of one is refused before it has begun.
    ...(local.size === 0 ? [] : [localDriver({ secrets, tools: local })]),
    shellDriver({ secrets }),
    httpDriver({ secrets }),
    mcp,
  ]
}
