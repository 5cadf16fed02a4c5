// A gateway on a scene: tools that note what they were called with, and what the log says of it.
import { localDriver, type LocalTool } from '#gateway/tools/local'
import { toolSecrets } from '#gateway/tools/secrets'
import { nameOf } from '#record/names'
import { readEvent } from '#record/event'
import type { Framing } from '#ports/framing'
import { openGateway, type Gateway } from '#gateway/gateway'
import { provingOn } from '#replay/verdicts/proving'
import type { Capability, JsonObject } from '#schemas/catalog'
import type { OutcomeData } from '#schemas/facts'
import { stages } from '#workers/stages'
import type { z } from 'zod'
import { endWithTest } from '../support/vitest/endings.ts'
import { place, reason, scene, type Scene, type SceneSetup } from '../support/scene.ts'

export type CapabilityInput = z.input<typeof Capability>

export const post = {
  id: 'post',
  safetyClass: 'READ' as const,
  argsSchema: {
    type: 'object',
    properties: { to: { type: 'string' }, copies: { type: 'integer', default: 1 } },
  },
  driver: { kind: 'local' as const, operation: 'post' },
} satisfies CapabilityInput

export interface Stand {
  readonly on: Scene
  readonly gateway: Gateway
  /** What each tool was called with, in order. */
  readonly ran: JsonObject[]
}

export interface StandOf {
  readonly capabilities?: readonly CapabilityInput[]
  readonly tools?: Readonly<Record<string, LocalTool>>
  readonly wrap?: SceneSetup['wrap']
  /** How often each may be used in a minute; without a limit if absent. */
  readonly uses?: number
  /** Where large results are read; absent: where the driver runs. */
  readonly framing?: Framing
}

export async function stand(of: StandOf = {}): Promise<Stand> {
  const { capabilities = [post], tools = {}, wrap, uses = 'unlimited' as const } = of
  const limits = capabilities.map(({ id }) => ({
    capability: id,
    uses,
    windowMs: 60_000,
  }))
  const catalog = { capabilities: [...capabilities], limits }
  const on = await scene({ catalog, ...(wrap !== undefined && { wrap }) })
  const ran: JsonObject[] = []
  return { on, gateway: gatewayOn(on, ran, tools, of.framing), ran }
}

export function gatewayOn(
  { runtime }: Pick<Scene, 'runtime'>,
  ran: JsonObject[],
  tools: Readonly<Record<string, LocalTool>> = {},
  framing?: Framing,
): Gateway {
  const noting: LocalTool = (args) => {
    ran.push(args)
    return { sent: true }
  }
  const all = new Map(Object.entries({ post: noting, ...tools }))
  const secrets = toolSecrets({ variables: {}, folder: null })
  const driver = localDriver({ tools: all, secrets })
  const proving = provingOn(runtime, stages, null)
  const parts = { runtime, proving, drivers: [driver], name: 'gw' }
  const gateway = openGateway({ ...parts, ...(framing && { framing }) })
  endWithTest(async () => {
    await gateway.close()
    proving.stop()
  })
  return gateway
}

/** Asks, and gives the address of what was allowed. */
export async function allowed(
  { on }: Pick<Stand, 'on'>,
  args: JsonObject = { to: 'ann' },
  tool = 'post',
): Promise<string> {
  const { intent } = await on.bot.ask({ tool, args, justification: reason })
  return intent
}

export async function outcomeOf(
  { on }: Pick<Stand, 'on'>,
  address: string,
): Promise<OutcomeData | null> {
  const fact = await on.log.get(nameOf(place, 'outcome', address))
  const reading = fact === undefined ? null : readEvent('outcome', fact)
  return reading?.ok === true ? reading.event.data : null
}
