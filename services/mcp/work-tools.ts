// Tools of the proxy's own, by which its agent gives tasks, sees those that it has, and reports on
// them. They need no verdict: a contract and a claim are words of the agent, and the fold says what
// they count for.
import { z } from 'zod'
import type { ListedTool, ToolAnswer } from '#gateway/tools/mcp-library'
import { isContractIssuer, workspaceNamed } from '#rules/catalog/work-settings'
import { folderDigest } from '#gates/folder-digest'
import { firstProblem } from '#record/problem'
import { realmOf } from '#client/asked'
import { askRealm } from '#operations/answers'
import { Fault } from '#record/fault'
import { JsonObject } from '#schemas/catalog'
import { Completion } from '#schemas/work/contract'
import type { SessionHandle } from '#client/publishing'
import type { Warrant } from '#client/warrant'
import { faultAnswer } from './answers.ts'

export interface WorkToolsOf {
  readonly client: Warrant
  readonly agent: string
  readonly session: SessionHandle | null
}

export interface WorkTools {
  /** Those that the catalog lets this agent use. */
  listed(): readonly ListedTool[]
  /** Null for any other name. */
  call(name: string, args: JsonObject): Promise<ToolAnswer> | null
}

interface WorkTool {
  readonly name: string
  readonly description: string
  readonly isFor: (of: WorkToolsOf) => boolean
  readonly input: z.ZodType
  act(of: WorkToolsOf, args: JsonObject): Promise<object>
}

const OpenInput = z.strictObject({
  worker: z.string().min(1).max(256).describe('the agent whose task it is'),
  contract: z
    .record(z.string(), z.unknown())
    .describe('a task contract: `taskId`, `objective`, `workspace`, and what is checked'),
})

const ClaimInput = z.strictObject({
  contract: z.string().min(1).max(600).describe('its address'),
  completion: Completion.describe(
    '`status`: success, blocked (say `whatINeed`) or failed (say `whatFailed`). A success without' +
      ' `work` is about what is in the folder of the workspace now.',
  ),
  evidence: z.array(z.string().max(600)).max(32).optional().describe('names of messages'),
})

const ownMax = 25

const tools: readonly WorkTool[] = [
  {
    name: 'contract_open',
    description: 'Give an agent a task under a contract. A verifier checks what it delivers.',
    isFor: ({ client, agent }) => isContractIssuer(client.runtime.follower.state.catalog, agent),
    input: OpenInput,
    async act({ client, session }, args) {
      const { worker, contract } = parsed(OpenInput, args)
      const of = { worker, contract, ...(session !== null && { session }) }
      const { address, name } = await client.contract(of)
      return { contract: address, message: name }
    },
  },
  {
    name: 'contract_list',
    description: 'List the tasks that you have under open contracts, with every attempt so far.',
    isFor: hasWorkspaces,
    input: z.strictObject({}),
    act: ownContracts,
  },
  {
    name: 'contract_claim',
    description:
      'Report on a task that you have: that it is done, that you are blocked, or failed.',
    isFor: hasWorkspaces,
    input: ClaimInput,
    async act({ client, session }, args) {
      const { contract, completion, evidence } = parsed(ClaimInput, args)
      const work = completion.work ?? (await workNow(client, contract, completion))
      const { name } = await client.claim({
        contract,
        completion: { ...completion, ...(work !== null && { work }) },
        ...(evidence !== undefined && { evidence }),
        ...(session !== null && { session }),
      })
      return { claim: name, work }
    },
  },
]

/** Those of that agent. What the server behind has of the same name goes before them. */
export function workTools(of: WorkToolsOf): WorkTools {
  const here = (): readonly WorkTool[] => tools.filter(({ isFor }) => isFor(of))
  return {
    listed: () => here().map(listedTool),
    call(name, args) {
      const tool = here().find((one) => one.name === name)
      return tool === undefined ? null : answered(tool, of, args)
    },
  }
}

function listedTool({ name, description, input }: WorkTool): ListedTool {
  const { $schema: _, ...schema } = JsonObject.parse(
    z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }),
  )
  return { name, description, inputSchema: { ...schema, type: 'object' } }
}

async function answered(tool: WorkTool, of: WorkToolsOf, args: JsonObject): Promise<ToolAnswer> {
  try {
    const text = JSON.stringify(await tool.act(of, args))
    return { content: [{ type: 'text', text }] }
  } catch (error) {
    return faultAnswer(error)
  }
}

function parsed<T>(schema: z.ZodType<T>, args: JsonObject): T {
  const read = schema.safeParse(args)
  if (read.success) return read.data
  const { at, message } = firstProblem(read.error.issues)
  throw new Fault('message_invalid', at === '' ? message : `${at}: ${message}`)
}

function hasWorkspaces({ client }: WorkToolsOf): boolean {
  return (client.runtime.follower.state.catalog.work.workspaces ?? []).length > 0
}

async function ownContracts({ client, agent }: WorkToolsOf): Promise<object> {
  const { log, follower, clock } = client.runtime
  const { state } = follower
  const realm = realmOf([{ log, state }], clock.now())
  const asking = { realm, by: { principal: agent, readsAll: false } }
  const { answer } = await askRealm('contracts', asking, { worker: agent, limit: ownMax })
  const own = answer.rows.map(async ({ contract }) => {
    return (await askRealm('contract', asking, { contract })).answer.contract
  })
  return { contracts: await Promise.all(own) }
}

/** What is in the folder of its workspace; null where it has none, or needs none. */
async function workNow(
  { runtime }: Warrant,
  contract: string,
  { status }: Completion,
): Promise<Completion['work'] | null> {
  if (status !== 'success') return null
  const { catalog, contracts } = runtime.follower.state
  const open = [...contracts.values()].find(({ address, name }) => {
    return address === contract || name === contract
  })
  const workspace = open === undefined ? null : workspaceNamed(catalog, open.workspace)
  if (workspace === null || 'repository' in workspace) return null
  return { digest: await folderDigest(workspace.folder) }
}
