// A log of which only some facts are here: it reads like any other, and where facts were left out
// it has an empty one, so that the fold passes every position that a basis names.
import { covers } from '#record/pattern'
import { Fault } from '#record/fault'
import type { Fact, LogReader } from '#ports/log'
import type { Omitted } from './write.ts'

/** No name of any realm is like it. */
const nothingName = 'left.out.here'
/** All of it is in memory. */
const bytesMax = 512 * 1024 * 1024

export interface PartLog extends LogReader {
  readonly facts: readonly Fact[]
  /** How many positions up to the last were left out. */
  readonly leftOut: number
}

export async function partLog(parts: AsyncIterable<Fact | Omitted>): Promise<PartLog> {
  const all: Fact[] = []
  const facts = new Map<string, Fact>()
  let leftOut = 0
  let bytes = 0
  for await (const part of parts) {
    if (!('bytes' in part)) {
      const { from, to, appendedAt } = part
      leftOut += to - from + 1
      all.push({ position: to, appendedAt, name: nothingName, bytes: new Uint8Array(0) })
      continue
    }
    bytes += part.bytes.length
    if (bytes > bytesMax) {
      const message = `it takes more than ${bytesMax / 1024 / 1024} MiB of facts`
      throw new Fault('entry_invalid', `${message}: use \`warrant backup\``)
    }
    all.push(part)
    facts.set(part.name, part)
  }
  return {
    facts: [...facts.values()],
    leftOut,
    get: (name) => Promise.resolve(facts.get(name)),
    async *read({ from = 1, to = Number.POSITIVE_INFINITY }, names) {
      for (const fact of all) {
        const isMeant = names?.some((pattern) => covers(pattern, fact.name)) !== false
        if (fact.position >= from && fact.position <= to && isMeant) yield fact
      }
    },
    head() {
      const { position = 0, appendedAt = 0 } = all.at(-1) ?? {}
      return Promise.resolve({ position, appendedAt })
    },
  }
}
