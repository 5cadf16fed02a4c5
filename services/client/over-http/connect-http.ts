// The client of an agent that reaches Warrant over HTTP alone (`warrant up http`): the same agent
// as on a log, by `fetch`. It loads no driver of a log, and decides nothing itself.
import { systemClock } from '#system/clock'
import { Fault } from '#record/fault'
import { messageOfFact } from '#messages/check'
import { plainLogger } from '#runtime/reporting/plain-lines'
import type { Logger } from '#runtime/reporting/logger'
import type { Verdict } from '#replay/verdicts/verdict'
import { agentOn } from '../agent.ts'
import type { RealmReader } from '../asked.ts'
import type { IntentLog } from '../intent-log.ts'
import { toolCaller, type ToolCaller } from '../tools/tool-calls.ts'
import type { Agent } from '../warrant.ts'
import { readingAt } from './asked.ts'
import { gatewayAt, type RemoteGateway } from './gateway-calls.ts'
import { callerAt, httpLog } from './http-log.ts'
import { asksAt, plainWords, takingBack } from './plain-words.ts'
import { offeredAt } from './offers.ts'
import { redeemingAt } from './remote-redeeming.ts'
import { httpServer, type HttpServerOptions } from './server.ts'
import { optionNames, refuseStrangeOptions } from '../strange-options.ts'
import { verdictsAt, type VerdictsOptions } from './verdicts.ts'
import { waitingAt } from './waiting.ts'

export { Fault } from '#record/fault'
export { IntentFault } from '../intent-fault.ts'
export { Pending } from '../pending.ts'
export { Refused } from '../guard/refused.ts'
export type { AskOptions, IntentFields, WaitOptions } from '../asking.ts'
export type { DecisionTrace, GuardOptions } from '../guard/calling.ts'
export type { GuardedTool } from '../guard/guard.ts'
export type { RealmReader } from '../asked.ts'
export type { Published, SessionHandle } from '../publishing.ts'
export type { SaidTo, ToolResult } from '../session/saying.ts'
export type { ToolCaller, ToolCallOptions } from '../tools/tool-calls.ts'
export type { Agent } from '../warrant.ts'
export type { RemoteGateway } from './gateway-calls.ts'
export type { VerdictsOptions } from './verdicts.ts'
export type { Verdict } from '#replay/verdicts/verdict'
export type { CallAnswer } from '#gateway/answering'

export interface HttpConnectOptions extends HttpServerOptions {
  /** Of the principal as which it speaks: `warrant tokens create`. */
  readonly token: string
  /** PEM of its Ed25519 key, where the catalog binds keys to that principal. */
  readonly privateKey?: string
  /** Where tools are carried out; without it `call` is refused. */
  readonly gateway?: RemoteGateway
  readonly logger?: Logger
}

/** An agent’s client at a server over HTTP. */
export interface HttpWarrant extends Agent, ToolCaller, RealmReader {
  readonly principal: string
  /**
   * The verdicts on this agent's intents as they come, over one line, for a program that waits for
   * many. It goes on where it was cut off.
   */
  verdicts(options?: VerdictsOptions): AsyncGenerator<Verdict, void, void>
  /** Ends what it waits for. */
  close(): Promise<void>
}

const connectOptions = optionNames<HttpConnectOptions>({
  url: true,
  token: true,
  privateKey: true,
  gateway: true,
  logger: true,
  timeoutMs: true,
  plain: true,
  fetch: true,
})

/**
 * Opens a client of the principal that the token is of. Throws a Fault `url_refused`,
 * `server_unreachable`, `caller_refused` or `door_refused`.
 */
export async function connectHttp(options: HttpConnectOptions): Promise<HttpWarrant> {
  refuseStrangeOptions(options, connectOptions)
  const { privateKey, gateway, logger = plainLogger('warn'), ...at } = options
  const server = httpServer(at)
  const caller = await callerAt(server)
  const speaker = {
    as: caller.principal,
    ...(privateKey !== undefined && { privateKey }),
  }
  const isKeyed = privateKey !== undefined
  const log = httpLog(server, caller, waitingAt(server))
  const redeeming = redeemingAt(server)
  const agent = agentOn({
    log,
    speaker,
    logger,
    clock: systemClock,
    redeeming: () => redeeming,
    known: () => Promise.resolve(null),
    catalog: readsNone,
    work: null,
    where: '',
    ...(!isKeyed && { asks: (onReview) => asksAt({ server, log }, onReview) }),
  })
  const spoken: Agent = isKeyed ? signedBy(agent, log) : { ...agent, ...plainWords(server) }
  const tools = gateway === undefined ? null : gatewayAt(gateway, privateKey)
  return {
    ...spoken,
    ...toolCaller({
      speaker,
      ask: (intent, of) => spoken.ask(intent, of),
      verdict: (address, wait) => spoken.verdict(address, wait),
      gateway: async () => tools ?? noGateway(),
    }),
    principal: caller.principal,
    shortlist: offeredAt(server),
    ...readingAt(server),
    verdicts: (of) => verdictsAt(server, of),
    async close() {
      server.close()
      await tools?.close()
    },
  }
}

/** Who has a key takes an intent back by a message, which it signs. */
function signedBy(agent: Agent, { opening }: Pick<IntentLog, 'opening'>): Agent {
  return {
    ...agent,
    async withdraw(address, note) {
      const fact = await opening(address)
      if (fact === undefined) throw new Fault('no_intent', `\`${address}\` opens no intent`)
      const message = messageOfFact(fact)
      const id = message?.session_id ?? null
      const session = id === null ? undefined : agent.session(id)
      await agent.publish(takingBack(fact.name, note), session)
    },
  }
}

function readsNone(): never {
  throw new Fault('not_over_http', 'a client over HTTP reads no catalog')
}

function noGateway(): never {
  const what = 'a client over HTTP carries no tools out itself'
  const fix = 'give `gateway: { url }` to `connectHttp`, the address of a `warrant up gateway`'
  throw new Fault('gateway_missing', `${what}: ${fix}`)
}
