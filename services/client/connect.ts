// The client: what an agent, a tool, a confirmer or an auditor does with the log from a program. It
// never answers for a stage: without a verdict there is no action. What few programs do is loaded
// with the first that does it.
import { configuration } from '#wiring/config'
import { graphToFile } from '#knowledge/graph/graph'
import { Fault } from '#record/fault'
import { token } from '#record/names'
import { findLog, isRemote } from '#runtime/logs/log-url'
import { openReviews } from '#runtime/engine/gathering/open-reviews'
import { heldFor } from '#runtime/learning/releases'
import { reopen, rule } from '#runtime/learning/rule'
import { openRuntime, type RuntimeOptions } from '#wiring/open'
import type { Runtime } from '#runtime/engine/runtime'
import type { ProvedLog } from '#wiring/own-gateway'
import { demandedRootKey } from '#replay/eras/root-key'
import { missingPackage } from '#runtime/reporting/missing-package'
import { stages as allStages } from '#workers/stages'
import { agentOn } from './agent.ts'
import { readingOn } from './asked.ts'
import { foldingLog } from './folding.ts'
import { grantShown, showGrant } from './grants/shown.ts'
import { decide } from './people/decide.ts'
import { settleOutcome } from './people/settle.ts'
import { revoke } from './revoke.ts'
import { provingOn, type Proving } from '#replay/verdicts/proving'
import { redeemingOn, type Redeeming } from './guard/redeeming.ts'
import { parsedIntent } from './asking.ts'
import { senderOf } from './publishing.ts'
import type { KnownCatalog } from './offering.ts'
import { checkKnown, knownTo } from './answers/known.ts'
import { toolCaller, type CallingGateway } from './tool-calls.ts'
import { soundnessOn } from '#replay/verdicts/soundness'
import type { Verdict } from '#replay/verdicts/verdict'
import { workKnownTo } from './work-known.ts'
import { optionNames, refuseStrangeOptions } from './strange-options.ts'
import { loggerDefault, whereOf } from './where.ts'
import type { Confirmer, ConnectOptions, OwnWarrant, Warrant } from './warrant.ts'

export { Refused } from './guard/refused.ts'
export { Fault } from '#record/fault'
export type { OpenProposal } from '#messages/learning/learning'
export type { Model } from '#ports/models'
export type { Reopening } from '#runtime/learning/rule'
export type { Issuer } from '#replay/verdicts/minting'
export type { Revoking } from './revoke.ts'
export type { ShownRelease } from '#runtime/learning/releases'
export type { Failure } from './failure.ts'
export type { Ruling } from '#runtime/learning/rule'
export { IntentFault } from './intent-fault.ts'
export { Pending } from './pending.ts'
export type { AskOptions, IntentFields, WaitOptions } from './asking.ts'
export type { RealmReader } from './asked.ts'
export type { Published, SessionHandle } from './publishing.ts'
export type { Verdict } from '#replay/verdicts/verdict'
export type { DecisionTrace, GuardOptions } from './guard/guard.ts'
export type { GuardedTool } from './guard/guard.ts'
export type { Settlement } from './people/settle.ts'
export type { CallAnswer } from '#gateway/answering'
export type { DryRun } from '#gateway/gateway'
export type { Frame, FrameMode } from '#firewall/frame'
export type { LocalTool } from '#gateway/tools/local'
export type { ToolCaller, ToolCallOptions } from './tool-calls.ts'
export type { Waits } from '#present/story/waits'
export type { Explanation } from './answers/explained.ts'
export type { Delegating } from './delegating.ts'
export type { SaidTo, SessionEnd, ToolResult } from './saying.ts'
export type { Claiming, Contracting } from './contracting.ts'
export type { Offer, OfferOptions } from './offering.ts'
export type { GrantRequest, GrantSigning, ShownGrant } from './grants/shown.ts'
export type { KnowledgeCheck } from './answers/known.ts'
export type { Agent, Auditor, Confirmer, ConnectOptions, ExplainOptions } from './warrant.ts'
export type { RemoteGateway } from './over-http/gateway-calls.ts'
export type { OwnWarrant, Undelegating, Warrant } from './warrant.ts'

const connectOptions = optionNames<ConnectOptions>({
  log: true,
  as: true,
  privateKey: true,
  via: true,
  realm: true,
  acceptClock: true,
  rootKey: true,
  logId: true,
  stages: true,
  reads: true,
  model: true,
  tools: true,
  gateway: true,
  logger: true,
  issuer: true,
  runtime: true,
})

/** Opens a client. With `reads: 'own'` it is that of an agent, and nothing else. */
export function connect(options: ConnectOptions & ReadsOwn): Promise<OwnWarrant>
export function connect(options?: ConnectOptions): Promise<Warrant>
export async function connect(options: ConnectOptions = {}): Promise<Warrant> {
  refuseStrangeOptions(options, connectOptions)
  if (options.runtime === undefined && options.reads === 'own') return own(options)
  let runtime: Runtime
  try {
    runtime = options.runtime ?? (await openRuntime(runtimeOptions(options)))
  } catch (error) {
    if (!mayReadLess(options, error)) throw missingPackage(error) ?? error
    return own(options)
  }
  return connectTo(runtime, options)
}

interface ReadsOwn {
  readonly reads: 'own'
  readonly runtime?: never
}

/** Whether the server let it in and refused only to be read. */
function mayReadLess({ runtime, reads, stages }: ConnectOptions, error: unknown): boolean {
  const isRefused = error instanceof Fault && error.code === 'not_permitted'
  return isRefused && runtime === undefined && reads === undefined && stages !== true
}

// Loaded only here: its driver costs start-up time.
async function own(options: ConnectOptions): Promise<Warrant> {
  return (await import('./own/client.ts')).connectOwn(options)
}

function connectTo(runtime: Runtime, options: ConnectOptions): Warrant {
  const { logger, logClock: clock } = runtime
  const log = foldingLog(runtime)
  // Only a client that asks or acts proves verdicts: nearly always those of its own agent.
  let opened: Proving | null = null
  const proving = (): Proving => {
    const { as: agent } = options
    const of = agent === undefined ? null : token(agent)
    return (opened ??= provingOn(runtime, allStages, of, { observed: true }))
  }
  const sound = () => soundnessOn(runtime, proving()).derived
  const redeeming = (): Redeeming => redeemingOn(runtime, proving(), options)
  const knownOf = (verdict: Verdict): Promise<string | null> => knownTo(runtime, verdict)
  const catalog = (): KnownCatalog => {
    const { catalog: known, catalogRevision: revision } = runtime.follower.state
    return { capabilities: known.capabilities, revision }
  }
  const where = whereOf(options)
  const work = workKnownTo(runtime)
  const reading = { known: knownOf, catalog, work, where }
  const asking = agentOn({ log, speaker: options, logger, clock, redeeming, sound, ...reading })
  let gateway: Promise<CallingGateway> | null = null
  const caller = toolCaller({
    speaker: options,
    ask: (intent, of) => asking.ask(intent, of),
    verdict: (address, wait) => asking.verdict(address, wait),
    gateway: () => (gateway ??= gatewayFor(options, () => ({ runtime, proving: proving() }))),
  })
  return {
    ...asking,
    ...caller,
    ...confirmerOn(runtime),
    ...readingOn(runtime),
    runtime,
    check: (concepts, of = {}) => checkKnown(runtime, concepts, of),
    async explain(fields, { agent: of = senderOf(options), session } = {}) {
      const intent = parsedIntent(fields)
      const { explained, explanationOf } = await import('./answers/explained.ts')
      const request = { agent: of, session: session?.id ?? null, intent }
      return explanationOf(await explained(runtime, request), { agent: of, tool: intent.tool })
    },
    graph: () => graphToFile(runtime.follower.state.graph),
    async token(intent, of = {}) {
      const { issuer } = options
      if (issuer === undefined) {
        const fix = 'give `issuer` to `connect`'
        throw new Fault('issuer_missing', `this client has no key to sign tokens with: ${fix}`)
      }
      const { mintedToken } = await import('#replay/verdicts/minting')
      return (await mintedToken(runtime, intent, { proving: proving(), issuer, ...of })).token
    },
    async close() {
      log.stop()
      await (await gateway)?.close()
      opened?.stop()
      if (options.runtime === undefined) await runtime.stop()
    },
  }
}

// Loaded with the first call: its drivers cost start-up time.
async function gatewayFor(
  { tools, gateway, privateKey }: ConnectOptions,
  proved: () => ProvedLog,
): Promise<CallingGateway> {
  if (gateway !== undefined && 'url' in gateway) {
    return (await import('./over-http/gateway-calls.ts')).gatewayAt(gateway, privateKey)
  }
  const { gatewayOn } = await import('#wiring/own-gateway')
  return gatewayOn(proved(), {
    ...(tools !== undefined && { tools }),
    ...(gateway !== undefined && { speaker: gateway }),
  })
}

function confirmerOn(runtime: Runtime): Confirmer {
  return {
    reviews: () => openReviews(runtime),
    proposals: () => [...runtime.follower.state.learning.open.values()],
    decide: (answer) => decide(runtime, answer),
    settle: (settlement) => settleOutcome(runtime, settlement),
    grantPreview: (request) => showGrant(runtime, request),
    grant: (signing) => grantShown(runtime, signing),
    held: (proposal) => heldFor(runtime, proposal),
    rule: (ruling) => rule(runtime, ruling),
    reopen: (reopening) => reopen(runtime, reopening),
    revoke: (revoking) => revoke(runtime, revoking),
  }
}

function runtimeOptions(options: ConnectOptions): RuntimeOptions {
  const log = findLog(options.log, configuration())
  const { realm, acceptClock, stages = !isRemote(log), logger, model } = options
  return {
    log,
    stages: stages ? allStages : [],
    ...(realm !== undefined && { realm }),
    rootKey: demandedRootKey(options.rootKey, configuration()),
    logId: options.logId ?? configuration().logId,
    ...(acceptClock !== undefined && { acceptClock }),
    logger: logger ?? loggerDefault(),
    ...(model !== undefined && { model }),
  }
}
