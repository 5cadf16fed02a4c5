// Publishes an intent as its agent and prints the verdict, or whom it waits for.
import { Fault } from '#core/kernel/fault'
import type { Intent } from '#schemas/intent'
import { listKeys } from '#runtime/keys/key-files'
import { keyGiven, opened } from '#runtime/keys/keys'
import type { Runtime } from '#runtime/engine/runtime'
import { connect } from '#services/client/connect'
import { note } from '../terminal/terminal.ts'
import { approving, hintsFor } from '../terminal/hint.ts'
import { intentOf, readIntentFile } from './intent-fields.ts'
import { clientStages, withRuntime } from '../opening/opened.ts'
import { keyAccess, keyNamed } from '../editing/signing.ts'
import { settled } from './settled.ts'
import { exitCodeOf, printAnswer, waitMsDefault, type AskOptions } from './answer.ts'

export async function ask(tool: string | undefined, options: AskOptions): Promise<number> {
  const file = options.file === undefined ? {} : await readIntentFile(options.file)
  const intent = intentOf(tool, options, file)
  if (options.reads === 'own') return askOwn(intent, options)
  const stages = await clientStages(options)
  const opening = { isOver: false }
  const use = (runtime: Runtime): Promise<number> => {
    opening.isOver = true
    return askOn(runtime, intent, options)
  }
  try {
    return await withRuntime(options, { stages }, use)
  } catch (error) {
    const isRefused = error instanceof Fault && error.code === 'not_permitted'
    // The server may let this user in and have him read no more than his own.
    if (opening.isOver || !isRefused || options.reads === 'all') throw error
    return askOwn(intent, options)
  }
}

async function askOwn(intent: Intent, options: AskOptions): Promise<number> {
  return (await import('./run-own.ts')).askOwn(intent, options)
}

async function askOn(runtime: Runtime, intent: Intent, options: AskOptions): Promise<number> {
  const agent = options.agent ?? onlyAgent(runtime)
  const privateKey = await keyOf(runtime, agent, options.key)
  const client = await connect({ as: agent, runtime, ...(privateKey !== null && { privateKey }) })
  // It is counted on in a session that there is.
  const session = options.session === undefined ? undefined : { id: options.session, seq: null }
  const content = intent.goal ?? `use ${intent.tool}`
  const fields = { type: 'query', content, payload: { intent } }
  const published = await client.publish(fields, session)
  const hints = hintsFor(options, process.env)
  const asked = { intent: published.address, tool: intent.tool, agent, hints }
  const answer = await settled(runtime, published, {
    waitMs: options.wait ?? waitMsDefault,
    forPeople: options.wait !== undefined,
    onReview: ({ text, reason }) => {
      if (options.wait === undefined) return
      note(`waiting for ${text}: ${hints(approving(published.address, reason))}`)
    },
  })
  await printAnswer(runtime, answer, { ...asked, json: options.json === true })
  return exitCodeOf(answer)
}

function onlyAgent(runtime: Runtime): string {
  const agents = [...runtime.follower.world.catalog.principals.values()].filter(
    ({ owner }) => owner !== undefined,
  )
  const [only] = agents
  if (only !== undefined && agents.length === 1) return only.id
  const some = agents.length === 0 ? 'no agent with an owner' : `${agents.length} agents`
  throw new Fault('usage', `the catalog has ${some}: say --agent which`)
}

/** The key that the agent signs with; null where the catalog binds none to it. */
export async function keyOf(
  { follower, folder }: Runtime,
  agent: string,
  given: string | undefined,
): Promise<string | null> {
  const bound = follower.world.catalog.principals.get(agent)?.keys ?? []
  const keys = keyAccess(folder)
  const named = given ?? (bound.length === 0 ? undefined : keyNamed({}))
  if (named !== undefined) return opened(await keyGiven({ keys }, named), keys)
  if (bound.length === 0) return null
  const all = await listKeys(keys.places)
  const found = all.find(({ publicKey }) => bound.includes(publicKey))
  if (found !== undefined) return opened(found, keys)
  const message = `\`${agent}\` has to sign what it says, and its key is not here: give --key FILE`
  throw new Fault('key_missing', message)
}
