// Asks, has what is allowed carried out by this process, and prints the frame that the agent gets.
import { Fault } from '#record/fault'
import { readData } from '#record/event'
import type { FrameMode, Frame } from '#firewall/frame'
import { factAbout } from '#runtime/engine/binding'
import type { Runtime } from '#runtime/engine/runtime'
import { configuration } from '#wiring/config'
import { exitCodes } from '#schemas/faults/exit'
import { connect, type Warrant, type CallAnswer, type DryRun } from '#client/connect'
import { exitCodeOf, printAnswer, type AskCommandOptions } from '../ask/answer.ts'
import { intentOf, readIntentFile } from '../ask/intent-fields.ts'
import { onlyAgent, signingKeyOf } from '../ask/run.ts'
import { settledAsking } from '../ask/settled.ts'
import { cellOfAgent, cellOfIntent } from '#cli/terminal/opening/cells/intent-cell'
import { findIntent } from '#operations/finding/intent-named'
import { clientStages, withRuntime } from '#cli/terminal/opening/opened'
import { usage } from '#cli/terminal/failure'
import { hintsFor } from '#cli/terminal/hint'
import { print, printJson } from '#cli/terminal/terminal'
import type { GlobalOptions, SignerOptions } from '#cli/terminal/opening/options'
import { unsettledAt } from '#messages/executions/executions'
import { utc, counted, jsonText } from '#present/wording'
import { findSigner } from '#runtime/keys/keys'
import { settleOutcome } from '#client/people/settle'
import { demandAgreement, signerChoice } from '#cli/terminal/signing'
import { toned, type Line } from '#cli/terminal/line'
import type { Json } from '#record/canonical'
import { firewallText } from '#present/action/firewall-text'
import { tableLines } from '#cli/terminal/table'

interface CallCommandOptions extends Omit<AskCommandOptions, 'reads'> {
  readonly intent?: string
  readonly mode?: FrameMode
  readonly dryRun?: boolean
}

export async function callCommand(
  tool: string | undefined,
  options: CallCommandOptions,
): Promise<number> {
  try {
    return await called(tool, options)
  } catch (error) {
    throw notHere(error)
  }
}

/** An agent's own user on servers reads too little, and may bind no start. */
function notHere(error: unknown): unknown {
  if (!(error instanceof Fault) || error.code !== 'not_permitted') return error
  const fix = 'ask with `warrant ask`, and call at the gateway of these servers, over HTTP'
  const message = `${error.message}; this carries tools out itself, as a gateway does: ${fix}`
  return new Fault('not_permitted', message, { cause: error })
}

async function called(tool: string | undefined, options: CallCommandOptions): Promise<number> {
  const stages = await clientStages(options)
  const { intent: meant } = options
  if (meant !== undefined) {
    if (tool !== undefined) throw usage('give a tool or --intent, not both')
    const at = await cellOfIntent(options, meant, 'any')
    return withRuntime(at.options, { stages }, async (runtime) => {
      const address = await findIntent(runtime.log, runtime.place, at.meant)
      const agent = options.agent ?? (await agentOfVerdict(runtime, address))
      return carried(await clientOf(runtime, agent, options), address, options)
    })
  }
  const file = options.file === undefined ? {} : await readIntentFile(options.file)
  const intent = intentOf(tool, options, file)
  const agentIn = (catalog: Parameters<typeof onlyAgent>[0]): string =>
    options.agent ?? onlyAgent(catalog)
  return withRuntime(await cellOfAgent(options, agentIn), { stages }, async (runtime) => {
    const agent = agentIn(runtime.follower.state.catalog)
    const client = await clientOf(runtime, agent, options)
    const hints = hintsFor(options, configuration())
    const answer = await settledAsking(client, intent, { options, hints })
    const isAllowed = answer.state === 'verdict' && answer.verdict.outcome === 'allow'
    if (isAllowed) return carried(client, answer.intent, options)
    const json = options.json === true
    await printAnswer(runtime, answer, { tool: intent.tool, agent, hints, json })
    return exitCodeOf(answer)
  })
}

async function clientOf(
  runtime: Runtime,
  agent: string,
  options: CallCommandOptions,
): Promise<Warrant> {
  const privateKey = await signingKeyOf(runtime, agent, options.key)
  return connect({ as: agent, runtime, ...(privateKey !== null && { privateKey }) })
}

async function agentOfVerdict(runtime: Runtime, address: string): Promise<string> {
  const verdict = readData('verdict', await factAbout(runtime, 'verdict', address))
  if (verdict === null) throw new Fault('no_verdict', `\`${address}\` has no verdict yet`)
  return verdict.intent.agent
}

async function carried(
  client: Warrant,
  intent: string,
  { dryRun, mode, json }: CallCommandOptions,
): Promise<number> {
  try {
    if (dryRun === true) {
      const dry = await client.dryRun(intent)
      if (json === true) await printJson(dry)
      else await print(wouldLines(dry))
      return exitCodes.yes
    }
    const answer = await client.call(intent, mode === undefined ? {} : { mode })
    if (json === true) await printJson(answer)
    else await print(answerLines(answer))
    return exitCodes.yes
  } finally {
    await client.close()
  }
}

// Shows more of a result that this process's gateway keeps, as its agent may see it now.

interface ExpandOptions extends GlobalOptions {
  readonly agent?: string
  readonly offset?: number
  readonly limit?: number
  readonly field?: readonly string[]
  readonly filter?: Readonly<Record<string, unknown>>
}

export async function expandCommand(handle: string, options: ExpandOptions): Promise<number> {
  const { offset, limit, field: fields, filter } = options
  return withRuntime(options, {}, async (runtime) => {
    const as = options.agent ?? onlyAgent(runtime.follower.state.catalog)
    const client = await connect({ as, runtime })
    try {
      const frame = await client.expand(handle, {
        ...(offset !== undefined && { offset }),
        ...(limit !== undefined && { limit }),
        ...(fields !== undefined && { fields }),
        ...(filter !== undefined && { filter }),
      })
      if (options.json === true) await printJson(frame)
      else await print(shownLines(frame))
      return exitCodes.yes
    } finally {
      await client.close()
    }
  })
}

// Shows a call of which no one knows whether it was done, and settles it by a fact that a person
// signs.

interface SettleOptions extends GlobalOptions, SignerOptions {
  readonly happened: 'yes' | 'no'
  readonly note?: string
}

export async function settleCommand(meant: string, options: SettleOptions): Promise<number> {
  const at = await cellOfIntent(options, meant, 'any')
  return withRuntime(at.options, {}, async (runtime) => {
    const intent = await findIntent(runtime.log, runtime.place, at.meant)
    const open = unsettledAt(runtime.follower.state, intent)
    if (open === null) {
      throw new Fault('settlement_void', `no outcome of \`${intent}\` waits to be settled`)
    }
    const json = options.json === true
    const about = [
      `${open.capability} for ${open.agent}: no one knows whether it was done`,
      `  since ${utc(open.appendedAt)}, intent ${intent}`,
    ]
    if (!json) await print(about)
    const signer = await findSigner(signerChoice(runtime, options))
    const happened = options.happened === 'yes'
    const says = happened ? 'it happened' : 'it did not happen'
    await demandAgreement(options, { lines: [...about, `say that ${says}`], as: signer.id })
    const { note } = options
    const by = { by: signer.id, privateKey: signer.privateKey, happened }
    const { name } = await settleOutcome(runtime, {
      intent,
      ...by,
      ...(note !== undefined && { note }),
    })
    if (json) await printJson({ intent, happened, name })
    else await print([toned('good', `settled: ${says}`)])
    return exitCodes.yes
  })
}

// What came of a call, for people: the frame as the agent gets it.

function answerLines({ capability, intent, frame, handle }: CallAnswer): readonly Line[] {
  const kept =
    handle === null
      ? []
      : [`  more    warrant expand ${handle.id}`, `  until   ${utc(handle.expiresAt)}`]
  return [
    toned('good', `DONE   ${capability}`),
    ...shownLines(frame),
    `  intent  ${intent}`,
    ...kept.map((line) => toned('dim', line)),
  ]
}

function shownLines({ facts, table, raw, handle, warnings }: Frame): readonly Line[] {
  return [
    ...(facts ?? []).flatMap((fact) => fact.trimEnd().split('\n')).map((line) => `  ${line}`),
    ...(table === undefined ? [] : rowLines(table)),
    ...(raw === undefined ? [] : [`  ${jsonText(raw)}`]),
    ...(handle === null ? [] : [toned('dim', `  ${counted(handle.rows, 'row')} in all`)]),
    ...warnings.map((warning) => toned('warn', `  ${firewallText(warning)}`)),
  ]
}

function wouldLines(dry: DryRun): readonly Line[] {
  const { capability, driver, args, constraints, useBy, would, intent } = dry
  return [
    toned('warn', `DRY RUN  ${capability}: nothing was done`),
    `  driver     ${driver}`,
    `  would do   ${jsonText(would)}`,
    `  arguments  ${jsonText(args)}`,
    `  bound to   ${jsonText(constraints)}`,
    `  good until ${utc(useBy)}`,
    `  intent     ${intent}`,
  ]
}

function rowLines(rows: readonly Json[]): readonly Line[] {
  const objects = rows.map((row) => (isObject(row) ? row : { value: row }))
  const head = [...new Set(objects.flatMap((row) => Object.keys(row)))]
  const cells = objects.map((row) => {
    return head.map((name) => (Object.hasOwn(row, name) ? cellText(row[name] ?? null) : ''))
  })
  return head.length === 0 ? [] : tableLines(head, cells)
}

function cellText(value: Json): string {
  return typeof value === 'string' ? value : jsonText(value)
}

function isObject(value: Json): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
