// What a client can do, and what it is opened with.
import type { MessageFields } from '#messages/build'
import type { OpenProposal } from '#messages/learning/learning'
import type { Fact } from '#ports/log'
import type { Model } from '#ports/models'
import type { OpenReviewShown } from '#runtime/engine/gathering/open-reviews'
import type { Runtime } from '#runtime/engine/runtime'
import type { Reopening, Ruling } from '#runtime/learning/rule'
import type { ShownRelease } from '#runtime/learning/releases'
import type { GatewayOptions } from '#wiring/own-gateway'
import type { RuntimeOptions } from '#wiring/open'
import type { RealmReader } from './asked.ts'
import type { AskOptions, IntentFields, WaitOptions } from './asking.ts'
import type { GraphFile, Level } from '#schemas/graph'
import type { Answer } from './people/decide.ts'
import type { GrantRequest, GrantSigning, ShownGrant } from './grants/shown.ts'
import type { Explanation } from './answers/explained.ts'
import type { Settlement } from './people/settle.ts'
import type { ToolCaller } from './tool-calls.ts'
import type { Delegating } from './delegating.ts'
import type { SaidTo, SessionEnd, ToolResult } from './saying.ts'
import type { RemoteGateway } from './over-http/gateway-calls.ts'
import type { KnowledgeCheck } from './answers/known.ts'
import type { GuardOptions, Guarded, GuardedTool } from './guard/guard.ts'
import type { Published, SessionHandle, Speaker } from './publishing.ts'
import type { Offer, OfferOptions } from './offering.ts'
import type { Picked } from '#rules/routing/pick'
import type { Issuer } from '#replay/verdicts/minting'
import type { Verdict } from '#replay/verdicts/verdict'
import type { Claiming, Contracting } from './contracting.ts'
import type { Revoking } from './revoke.ts'

/** `as` is needed to publish, and `privateKey` if the catalog binds keys to that principal. */
export interface ConnectOptions extends Speaker {
  /**
   * A file path, `sqlite:<path>`, `memory:` or `nats://host:port`; else `WARRANT_LOG`, else the
   * nearest `.warrant/log.db`.
   */
  readonly log?: string
  readonly realm?: string
  /** Says that this machine's clock is right where the log in a file was quiet for over 30 days. */
  readonly acceptClock?: boolean
  /** The key that must have begun the log; else `WARRANT_ROOT_KEY`. */
  readonly rootKey?: string
  /**
   * The log's identity, for a client that signs and cannot read the catalog; else
   * `WARRANT_LOG_ID`.
   */
  readonly logId?: string
  /** Whether this process runs the stages; it does on an embedded log unless asked not to. */
  readonly stages?: boolean
  /**
   * `own`: reads nothing but what is about its own intents, as an agent on a server may. It asks,
   * publishes, withdraws and guards; it has no runtime, no reviews and no reads, and its guard
   * cannot know that its agent was suspended after the verdict. Else it reads everything where the
   * server lets it, and its own where not; `all`: everything or a Fault.
   */
  readonly reads?: 'own' | 'all'
  /** Fills in what learning proposes to people, where this process runs that stage. */
  readonly model?: Model
  /** The functions that capabilities with a `local` driver name as their operations. */
  readonly tools?: GatewayOptions['tools']
  /**
   * In whose name this process's gateway publishes what tools answered; absent: it does not. Or
   * where a gateway is that carries `call` out over HTTP: it takes `privateKey`.
   */
  readonly gateway?: GatewayOptions['speaker'] | RemoteGateway
  readonly logger?: RuntimeOptions['logger']
  /** Signs tokens: an issuer of the catalog, and the PEM of its private key. */
  readonly issuer?: Issuer
  /** An open runtime to speak through; it is then not stopped by `close`. */
  readonly runtime?: Runtime
}

/** What an agent, and a tool that acts for it, does. */
export interface Agent {
  /** As whom this client speaks; null where `connect` was not given it. */
  readonly principal: string | null
  /**
   * Publishes the intent and waits for its verdict. An equal request of this agent that is open is
   * waited for, and nothing is published, unless the intent is `distinct`. Throws `Pending`, a
   * Fault `no_verdict` with the address of the intent, when no verdict comes in time.
   */
  ask(intent: IntentFields, options?: AskOptions): Promise<Verdict>
  /** Publishes one message under this client's name. */
  publish(fields: Omit<MessageFields, 'sender'>, session?: SessionHandle): Promise<Published>
  /** The verdict of a published intent. `wait`: milliseconds, or more. */
  verdict(address: string, wait?: number | WaitOptions): Promise<Verdict>
  withdraw(address: string, note?: string): Promise<void>
  /**
   * The capabilities that fit a goal best, as cards within a budget of tokens. It permits nothing,
   * and what it leaves out may be asked for. It takes a client that reads the catalog.
   */
  shortlist(goal: string, options?: OfferOptions): Promise<Offer>
  /** What was picked of an offer, or why it is not one of its candidates. It is never guessed. */
  pick(offer: Pick<Offer, 'cards'>, written: string): Picked
  /**
   * A new session, or that of the id, which this client joins: give it to `ask`, `say` and the
   * like.
   */
  session(id?: string): SessionHandle
  /**
   * Says something to an agent in its session, as the person or system that this client is. It
   * counts for what the catalog trusts this sender for.
   */
  say(content: MessageFields['content'], to: SaidTo): Promise<Published>
  /** Says what a tool answered, so that the agent's later calls may rest on it. */
  toolResult(result: ToolResult, to: SaidTo): Promise<Published>
  /**
   * Lets another act for this client in the session: it cites the `name` of what is published as
   * `delegation` of its intents, and each is then judged by the rights of both. Throws a Fault
   * `message_invalid` for what could never count.
   */
  delegate(delegating: Delegating): Promise<Published>
  /** Takes back a delegation of this client, by its name, for what is decided from now on. */
  undelegate(name: string, of: Undelegating): Promise<Published>
  /**
   * Gives a task to an agent, with what will be checked of its work. Throws a Fault
   * `contract_refused` for what could never count, where this client reads the log.
   */
  contract(contracting: Contracting): Promise<Published>
  /**
   * Reports on a task of this client as its worker, and names what is to be looked at. Throws a
   * Fault `claim_refused` for what could never count, where this client reads the log.
   */
  claim(claiming: Claiming): Promise<Published>
  /** Ends the session for this client: what it says there later is marked `session_closed`. */
  endSession(session: SessionHandle, end?: SessionEnd): Promise<Published>
  /**
   * The function as it may be called by an agent: it runs on an allow alone, once, with the
   * arguments that were judged. Throws `Refused` for a deny, and `Pending` like `ask`.
   */
  guard<A extends object, T>(
    capability: string,
    run: Guarded<A, T>,
    options?: GuardOptions<A>,
  ): GuardedTool<A, T>
  /** Runs the tool that this client guards for an intent that was asked before; see `guard`. */
  redeem(intent: string, wait?: WaitOptions): Promise<unknown>
}

/** What people do who are asked; it takes a client that reads the log. */
export interface Confirmer {
  /** The reviews that wait for people, oldest first. */
  reviews(): Promise<readonly OpenReviewShown[]>
  /** Answers a review as a confirmer, signed with that person's key. */
  decide(answer: Answer): Promise<Fact>
  /**
   * Says whether a call was done of which no one knows: as the agent's owner or a policy admin,
   * signed with that person's key.
   */
  settle(settlement: Settlement): Promise<Fact>
  /**
   * Draws up a grant that answers what a review asks for later calls, too, and finds what it would
   * have let through in the last 30 days. It binds nothing.
   */
  grantPreview(request: GrantRequest): Promise<ShownGrant>
  /** Signs the grant as it was shown. */
  grant(signing: GrantSigning): Promise<Fact>
  /** What learning asks of people, oldest first. */
  proposals(): readonly OpenProposal[]
  /**
   * The held intents that wait for a proposal, with what they would do: give those that a person
   * saw as `releases` of the ruling, or what changes something is asked about.
   */
  held(proposal: string): Promise<readonly ShownRelease[]>
  /** Rules on a proposal as a curator or policy admin, signed with that person's key. */
  rule(ruling: Ruling): Promise<Fact>
  /** Has a question asked again that was skipped, rejected, or that no one answered in time. */
  reopen(reopening: Reopening): Promise<Fact>
  /** Takes back what was permitted before, signed with that person's key. */
  revoke(revoking: Revoking): Promise<Fact>
}

/** What looks back does; it takes a client that reads the log. */
export interface Auditor extends RealmReader {
  readonly runtime: Runtime
  /**
   * Whether the concepts are known in the graph of now, as deeply as an intent would need them; it
   * asks no one and is not recorded.
   */
  check(concepts: readonly string[], options?: { readonly minDepth?: Level }): KnowledgeCheck
  /**
   * What the request would come to now; it asks no one and is not recorded. `agent` is this
   * client's own name if not given.
   */
  explain(intent: IntentFields, options?: ExplainOptions): Promise<Explanation>
  /** The graph of now, as a file of it. */
  graph(): GraphFile
}

/** What signs tokens does. */
export interface Issues {
  /**
   * The token of an intent's verdict, derived again before it is signed for: the same each time.
   * It takes `issuer`, a client that reads the log, and a verdict that allows.
   */
  token(intent: string, options?: TokenOptions): Promise<string>
}

export interface Undelegating {
  /** In which it was delegated. */
  readonly session: SessionHandle
  readonly note?: string
}

export interface TokenOptions {
  /** Who is to take it; absent means the gateways of the realm. */
  readonly audience?: string
}

export interface ExplainOptions {
  readonly agent?: string
  readonly session?: SessionHandle
}

/** An agent's client that reads only its own. It calls tools at a gateway over HTTP alone. */
export interface OwnWarrant extends Agent, ToolCaller {
  close(): Promise<void>
}

/**
 * Where the server lets this user read only its own, each member of a confirmer and an auditor
 * fails with a Fault `reads_own`.
 */
export interface Warrant extends Agent, ToolCaller, Confirmer, Auditor, Issues {
  close(): Promise<void>
}
