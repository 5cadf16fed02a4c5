// Draws a test question from an earlier review, shows it to the policy admin, and plants it.
import { randomInt } from 'node:crypto'
import { parseExactJson } from '#core/kernel/json'
import { mayBeDrilled } from '#core/catalog/people/attention'
import { jsonOf, type Json } from '#core/kernel/canonical'
import { readData } from '#core/kernel/event'
import { Fault } from '#core/kernel/fault'
import { patternOf } from '#core/kernel/names'
import type { Fact } from '#ports/log'
import { jsonText } from '#present/wording'
import type { Runtime } from '#runtime/engine/runtime'
import { findSigner } from '#runtime/keys/keys'
import { exitCodes } from '#schemas/faults/exit'
import { drawDrill, plantDrill, type DrillToSign } from '#services/client/people/drills'
import { findIntent } from '#services/client/reading/intent-named'
import { demandAgreement, signerChoice } from '../editing/signing.ts'
import { spanOption } from '../finding/moment-option.ts'
import { cellOfIntent } from '../opening/cells/intent-cell.ts'
import { withRuntime } from '../opening/opened.ts'
import type { GlobalOptions, SignerOptions } from '../opening/options.ts'
import { usage } from '../terminal/failure.ts'
import { toned } from '../terminal/line.ts'
import { print, printJson } from '../terminal/terminal.ts'

export interface PlantOptions extends GlobalOptions, SignerOptions {
  readonly set?: readonly string[]
  readonly to?: readonly string[]
  readonly unlessWithin?: string
  readonly note?: string
}

export async function plant(meant: string | undefined, options: PlantOptions): Promise<number> {
  const at = meant === undefined ? { options, meant } : await cellOfIntent(options, meant, 'any')
  return withRuntime(at.options, {}, async (runtime) => {
    const { follower, clock } = runtime
    const unlessMs = options.unlessWithin === undefined ? null : spanOption(options.unlessWithin)
    const since = clock.now() - (unlessMs ?? 0)
    const latest = await latestOf(runtime, 'drill')
    if (unlessMs !== null && latest !== undefined && latest.appendedAt >= since) {
      if (options.json !== true) await print(['one was planted within that time'])
      return exitCodes.yes
    }
    const signer = await findSigner(signerChoice(runtime, options))
    const { set, to, note } = options
    const review =
      at.meant === undefined ? await byChance(runtime) : await reviewOf(runtime, at.meant)
    const toSign = await drawDrill(runtime, {
      review,
      by: signer.id,
      ...(set !== undefined && { changes: new Map(set.map(changeOf)) }),
      ...(to !== undefined && { shownTo: to }),
      ...(note !== undefined && { note }),
    })
    await demandAgreement(options, { lines: drillLines(toSign), as: signer.id })
    const { name, position } = await plantDrill(runtime, toSign, signer)
    await follower.reached(position)
    if (options.json === true) await printJson({ name, ...toSign.drill })
    else await print([...drillLines(toSign), toned('good', `planted by ${signer.id}`), `  ${name}`])
    return exitCodes.yes
  })
}

function drillLines({ drill }: DrillToSign): readonly string[] {
  const { asks, shownTo, changed, drawnFrom } = drill
  return [
    `test question: ${asks.terms.capability} for ${asks.intent.agent}`,
    `  with       ${jsonText(asks.terms.args)}`,
    `  differs    ${changed.join(', ')}`,
    `  drawn from ${drawnFrom}`,
    `  shown to   ${shownTo.join(', ')}, until ${asks.decideBy}`,
  ]
}

function changeOf(text: string): readonly [string, Json] {
  const cut = text.indexOf('=')
  if (cut < 0 || !text.startsWith('/')) throw usage('--set takes a JSON pointer, such as /to=…')
  const value = text.slice(cut + 1)
  try {
    return [text.slice(0, cut), jsonOf(parseExactJson(value))]
  } catch (error) {
    if (error instanceof Fault) throw error
    return [text.slice(0, cut), value]
  }
}

async function reviewOf({ log, place }: Runtime, meant: string): Promise<string> {
  const address = await findIntent(log, place, meant)
  let last: string | undefined
  const pattern = patternOf(place, 'review', ...address.split('.'), '*')
  for await (const { name } of log.read({}, [pattern])) last = name
  if (last !== undefined) return last
  throw new Fault('drill_void', `no one was asked about \`${address}\``)
}

/** So many of the latest reviews one is drawn from. */
const drawnMax = 200

async function byChance(runtime: Runtime): Promise<string> {
  const { log, place, follower } = runtime
  const { catalog } = follower.state
  const found: string[] = []
  for await (const fact of log.read({}, [patternOf(place, 'review')])) {
    const { confirmers = [] } = readData('review', fact) ?? {}
    if (!confirmers.some((id) => mayBeDrilled(catalog, id))) continue
    found.push(fact.name)
    if (found.length > drawnMax) found.shift()
  }
  const drawn = found.length === 0 ? undefined : found[randomInt(found.length)]
  if (drawn !== undefined) return drawn
  throw new Fault('drill_void', 'no one who agreed to drills was asked anything yet')
}

async function latestOf({ log, place }: Runtime, kind: 'drill'): Promise<Fact | undefined> {
  let last: Fact | undefined
  for await (const fact of log.read({}, [patternOf(place, kind)])) last = fact
  return last
}
