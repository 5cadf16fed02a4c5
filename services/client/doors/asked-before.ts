// What people were asked about in one session of an agent, as the log has it: so a door that was
// started again finds what they have decided meanwhile.
import { newestRules } from '#rules/catalog/rules-version'
import { openingOf } from '#messages/opening'
import { addressOf, patternsOf, token } from '#record/names'
import { readData } from '#record/event'
import { factAbout } from '#runtime/engine/binding'
import type { Runtime } from '#runtime/engine/runtime'
import { requestOf } from '#replay/verdicts/request'
import type { Intent } from '#schemas/intent'

export interface ReviewedCall {
  readonly intent: string
  readonly request: Intent
}

/** How far back the log is looked through. */
const factsMax = 20_000

/** The oldest first; one that people were asked about again stands there again. */
export async function* askedBefore(
  runtime: Runtime,
  { principal, session }: { readonly principal: string; readonly session: string | null },
): AsyncGenerator<ReviewedCall> {
  const { place, position } = runtime.follower.state
  if (position === 0) return
  const [agent = '', within = ''] = addressOf(principal, session, '-').split('.')
  const range = { from: Math.max(1, position - factsMax), to: position }
  const patterns = patternsOf(place, 'review', agent, within, '*', '*')
  for await (const fact of runtime.log.read(range, patterns)) {
    const intent = readData('review', fact)?.intent.address
    if (intent === undefined || intent.split('.')[0] !== token(principal)) continue
    const opening = await factAbout(runtime, 'vlp', intent)
    if (opening === undefined) continue
    yield { intent, request: requestOf(opening, intent) }
  }
}

/** The folder of the first call in that session that has one; null where none has. */
export async function firstFolder(
  runtime: Runtime,
  { principal, session }: { readonly principal: string; readonly session: string },
): Promise<string | null> {
  const { place, position } = runtime.follower.state
  if (position === 0) return null
  const [agent = '', within = ''] = addressOf(principal, session, '-').split('.')
  const range = { from: Math.max(1, position - factsMax), to: position }
  for await (const fact of runtime.log.read(range, patternsOf(place, 'vlp', agent, within, '*'))) {
    const args = openingOf(fact, { knownConstraints: [], rules: newestRules })?.request?.args
    const folder = args?.['root'] ?? args?.['cwd']
    if (typeof folder === 'string') return folder
  }
  return null
}
