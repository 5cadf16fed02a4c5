// Publishes an intent as its agent and prints the verdict, or what it waits for.
import { configuration } from '#wiring/config'
import type { Catalog } from '#rules/catalog/catalog'
import { Fault } from '#record/fault'
import { addressOf } from '#record/names'
import { equalOpen } from '#state/requests'
import type { Intent } from '#schemas/intent'
import { listKeys } from '#runtime/keys/key-files'
import { keyGiven, opened } from '#runtime/keys/keys'
import type { Runtime } from '#runtime/engine/runtime'
import { connect, type Agent } from '#client/connect'
import { usage } from '#cli/terminal/failure'
import { note } from '#cli/terminal/terminal'
import { shortIntent } from '#present/approving'
import { hintsFor } from '#cli/terminal/hint'
import { intentOf, readIntentFile } from './intent-fields.ts'
import { cellOfAgent } from '#cli/terminal/opening/cells/intent-cell'
import { clientStages, withRuntime } from '#cli/terminal/opening/opened'
import { keyAccess, keyNamed } from '#cli/terminal/signing'
import { personHere } from '#cli/terminal/person'
import { settledAsking, type Settled } from './settled.ts'
import { exitCodeOf, printAnswer, type AskCommandOptions, type OfferFix } from './answer.ts'

export async function askCommand(
  tool: string | undefined,
  options: AskCommandOptions,
  offer: OfferFix,
): Promise<number> {
  if (options.fix === true) refuseFix(options)
  const file = options.file === undefined ? {} : await readIntentFile(options.file)
  const intent = intentOf(tool, options, file)
  if (options.reads === 'own') return askOwn(intent, options)
  const stages = await clientStages(options)
  const agentIn = (catalog: Agents): string => options.agent ?? onlyAgent(catalog)
  const opening = { hasEnded: false }
  const use = async (runtime: Runtime): Promise<number> => {
    opening.hasEnded = true
    const agent = agentIn(runtime.follower.state.catalog)
    const privateKey = await signingKeyOf(runtime, agent, options.key)
    const client = await connect({ as: agent, runtime, ...(privateKey !== null && { privateKey }) })
    const by = { options, agent, runtime }
    const answer = await askedBy(client, intent, by)
    const isFixed =
      options.fix === true && (await isOffered(runtime, answer, { offer, intent, by }))
    const last = isFixed ? await askedBy(client, intent, by) : answer
    return exitOf(last, intent)
  }
  try {
    return await withRuntime(await cellOfAgent(options, agentIn), { stages }, use)
  } catch (error) {
    const isRefused = error instanceof Fault && error.code === 'not_permitted'
    // The server may let this user in and have it read no more than its own.
    if (opening.hasEnded || !isRefused || options.reads === 'all') throw error
    return askOwn(intent, options)
  }
}

/** Nothing is looked up in a catalog, so who asks and with which key must be given. */
async function askOwn(intent: Intent, options: AskCommandOptions): Promise<number> {
  const { agent, realm, log, session } = options
  const why = 'this user reads only its own'
  if (agent === undefined) throw usage(`say --agent: ${why}`)
  // Its messages are counted, and only a role that reads the log knows how many there are.
  if (session !== undefined) throw usage(`--session takes a role that reads the log: ${why}`)
  const named = keyNamed(options)
  const keys = keyAccess(null)
  const key =
    named === undefined ? {} : { privateKey: await opened(await keyGiven({ keys }, named), keys) }
  const where = { realm, ...(log !== undefined && { log }) }
  const client = await connect({ as: agent, reads: 'own', ...where, ...key })
  try {
    return exitOf(await askedBy(client, intent, { options, agent, runtime: null }), intent)
  } catch (error) {
    throw elsewhere(error, options)
  } finally {
    await client.close()
  }
}

/** It may be an agent of a cell, which may ask in that alone. */
function elsewhere(error: unknown, { realm }: AskCommandOptions): unknown {
  if (!(error instanceof Fault) || error.code !== 'not_permitted') return error
  const which = 'the prefix that `warrant nats-config` printed for this user'
  const fix = `give --agent by its name, and ${which} as --realm: \`main-c3.in.a\` is main-c3`
  return new Fault('not_permitted', `${error.message} (realm \`${realm}\`): ${fix}`, {
    cause: error,
  })
}

interface AskedBy {
  readonly options: AskCommandOptions
  readonly agent: string
  /** Null where only its own is read. */
  readonly runtime: Runtime | null
}

/** Who signs is asked, so there must be someone, before anything is. */
function refuseFix({ json, observe, subject }: AskCommandOptions): void {
  if (json === true || observe === true || subject !== undefined) {
    throw usage('--fix asks a person, and takes neither --json, --observe nor --subject')
  }
  const person = personHere()
  if (person === null) {
    const how = 'without it `ask` prints what to write where, and `apply` signs that'
    throw new Fault('no_terminal', `--fix asks at a terminal, and none is here: ${how}`)
  }
  person.close()
}

async function isOffered(
  runtime: Runtime,
  answer: Settled,
  {
    offer,
    intent,
    by,
  }: { readonly offer: OfferFix; readonly intent: Intent; readonly by: AskedBy },
): Promise<boolean> {
  if (answer.state === 'waits' || answer.verdict.outcome === 'allow') return false
  return offer(runtime, { verdict: answer.verdict, agent: by.agent, tool: intent.tool })
}

function exitOf(answer: Settled, { subject, observe }: Intent): number {
  return exitCodeOf(answer, subject !== undefined && observe !== true)
}

/** Asks, and prints what became of it. */
async function askedBy(client: Agent, intent: Intent, by: AskedBy): Promise<Settled> {
  const { options, agent, runtime } = by
  const { session } = options
  const hints = hintsFor(options, configuration())
  if (runtime !== null) noteEqual(runtime, agent, { session, intent })
  const answer = await settledAsking(client, intent, { options, hints })
  const json = options.json === true
  const { tool, args, subject } = intent
  // What would help is about whose rights were judged.
  await printAnswer(runtime, answer, { tool, args, agent: subject?.id ?? agent, hints, json })
  return answer
}

function noteEqual(
  { follower }: Runtime,
  agent: string,
  {
    session = null,
    intent,
  }: { readonly session: string | null | undefined; readonly intent: Intent },
): void {
  const open = equalOpen(follower.state, addressOf(agent, session, '-'), intent)
  if (open === null) return
  const id = shortIntent(open.intent.address)
  note(
    open.givesWay === null
      ? `warrant: an equal intent is open, ${id}: this waits for it (--distinct asks again)`
      : `warrant: this takes the place of ${id}, which gives no reason`,
  )
}

type Agents = Pick<Catalog, 'principals'>

export function onlyAgent({ principals }: Agents): string {
  const agents = [...principals.values()].filter(({ owner }) => owner !== undefined)
  const [only] = agents
  if (only !== undefined && agents.length === 1) return only.id
  const some = agents.length === 0 ? 'no agent with an owner' : `${agents.length} agents`
  throw new Fault('usage', `the catalog has ${some}: choose one with --agent`)
}

/** The key that the agent signs with; null where the catalog binds none to it. */
export async function signingKeyOf(
  { follower, folder }: Runtime,
  agent: string,
  given: string | undefined,
): Promise<string | null> {
  const bound = follower.state.catalog.principals.get(agent)?.keys ?? []
  const keys = keyAccess(folder)
  const named = given ?? (bound.length === 0 ? undefined : keyNamed({}))
  if (named !== undefined) return opened(await keyGiven({ keys }, named), keys)
  if (bound.length === 0) return null
  const all = await listKeys(keys.places)
  const found = all.find(({ publicKey }) => bound.includes(publicKey))
  if (found !== undefined) return opened(found, keys)
  const message = `\`${agent}\` must sign its messages, and its key is not here: give --key FILE`
  throw new Fault('key_missing', message)
}
