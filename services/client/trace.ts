// Everything that the log says about one intent, in order.
import { patternsOf } from '#core/kernel/names'
import { kinds, kindsAbout } from '#schemas/kinds'
import type { Fact } from '#ports/log'
import type { Runtime } from '#runtime/engine/runtime'

export interface Trace {
  readonly intent: string
  /**
   * In log order: the message, its groundings, uses, review, decisions, verdict, start and outcome.
   */
  readonly facts: readonly Fact[]
}

/** An intent's address is `<agent>.<session>.<id>`. */
const addressTokens = 3

export async function traceOf(runtime: Runtime, address: string): Promise<Trace> {
  const { log, place } = runtime
  const names = kindsAbout('intent').flatMap((kind) => {
    const rest = kinds[kind].tokens.slice(addressTokens).map(() => '*')
    return patternsOf(place, kind, address, ...rest)
  })
  const facts: Fact[] = []
  for await (const fact of log.read({}, names)) facts.push(fact)
  facts.push(...(await usesOf(runtime, address, facts)))
  return { intent: address, facts: facts.toSorted((a, b) => a.position - b.position) }
}

async function usesOf(runtime: Runtime, address: string, facts: readonly Fact[]): Promise<Fact[]> {
  const { log, place } = runtime
  const [agent = ''] = address.split('.')
  const first = facts[0]?.position
  const last = facts.at(-1)?.position
  if (first === undefined || last === undefined) return []
  const uses: Fact[] = []
  const names = kindsAbout('use').flatMap((kind) => patternsOf(place, kind, agent, '>'))
  for await (const fact of log.read({ from: first, to: last }, names)) {
    const about = `"intent":{"address":"${address}"`
    if (Buffer.from(fact.bytes).toString('utf8').includes(about)) uses.push(fact)
  }
  return uses
}
