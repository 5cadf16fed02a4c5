// Whether a message opened nothing since its address had been used in an era before: then no
// verdict comes of it, and anyone who waits for one is reported.
import { readData } from '#record/event'
import { Fault } from '#record/fault'
import { nameOf } from '#record/names'
import type { Runtime } from '#runtime/engine/runtime'

const attemptsMax = 10_000

/** Throws a Fault `address_used` where a grounding recorded it for that address. */
export async function refuseRepeated(runtime: Runtime, address: string): Promise<void> {
  const { place, intents } = runtime.follower.state
  if (intents.has(address)) return
  for (let { era } = place; era > 1; era -= 1) {
    const earlier = await earlierIn(runtime, address, era)
    if (earlier === null) continue
    const what = `\`${address}\` was used before, as \`${earlier}\``
    const message = `${what}, and what came later opens nothing: ask under a new one`
    throw new Fault('address_used', message)
  }
}

async function earlierIn(
  { log, place: { realm } }: Runtime,
  address: string,
  era: number,
): Promise<string | null> {
  for (let attempt = 1; attempt < attemptsMax; attempt += 1) {
    const fact = await log.get(nameOf({ realm, era }, 'grounding', address, attempt))
    if (fact === undefined) return null
    const earlier = readData('grounding', fact)?.earlier
    if (earlier !== undefined) return earlier
  }
  return null
}
