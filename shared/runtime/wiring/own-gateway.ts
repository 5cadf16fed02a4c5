// Composes a gateway of this process: its drivers, its secrets, and where results are kept.
import { join } from 'node:path'
import { openResultFolder } from '#adapters/results/folder'
import { memoryResults } from '#adapters/results/memory'
import { httpDriver } from '#adapters/tools/http'
import { localDriver, type LocalTool } from '#adapters/tools/local'
import { mcpDriver } from '#adapters/tools/mcp'
import { toolSecrets, type Secrets } from '#adapters/tools/secrets'
import { shellDriver } from '#adapters/tools/shell'
import type { Stage } from '#core/stages/stage'
import type { ToolDriver } from '#ports/tools'
import type { Runtime } from '../engine/runtime.ts'
import { answering, type AnsweringGateway } from '../gateway/answering.ts'
import type { GatewaySpeaker } from '../gateway/evidence.ts'
import { openGateway } from '../gateway/gateway.ts'
import { configuration } from './config.ts'
import { environment } from './environment.ts'

export interface GatewayOptions {
  readonly stages: readonly Stage[]
  /** What it is called in the log; `gateway` if absent. */
  readonly name?: string
  /** The functions of `local` drivers, by their operations. */
  readonly tools?: Readonly<Record<string, LocalTool>>
  /** In whose name results become evidence; absent: they do not. */
  readonly speaker?: GatewaySpeaker
  /** The folder of results; beside an embedded log if absent, else in memory. */
  readonly results?: string
}

/** Opens a gateway on the runtime, with each driver that there is. */
export async function gatewayOn(
  runtime: Runtime,
  { stages, name, tools = {}, speaker, results }: GatewayOptions,
): Promise<AnsweringGateway> {
  const secrets = toolSecrets({
    variables: environment(),
    folder: configuration().secrets ?? null,
  })
  const drivers = driversOf(secrets, tools)
  const folder = results ?? (runtime.folder === null ? null : join(runtime.folder, 'results'))
  const { clock } = runtime
  const store = folder === null ? memoryResults(clock) : await openResultFolder({ folder, clock })
  const gateway = openGateway({ runtime, stages, drivers, ...(name !== undefined && { name }) })
  const parts = { runtime, gateway, results: store }
  return answering({ ...parts, ...(speaker !== undefined && { speaker }) })
}

function driversOf(
  secrets: Secrets,
  tools: Readonly<Record<string, LocalTool>>,
): readonly ToolDriver[] {
  const local = new Map(Object.entries(tools))
  return [
    // Where there are no functions, a call of one is refused before it has begun.
    ...(local.size === 0 ? [] : [localDriver({ secrets, tools: local })]),
    shellDriver({ secrets }),
    httpDriver({ secrets }),
    mcpDriver({ secrets }),
  ]
}
