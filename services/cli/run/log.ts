// Prints the log as it is: nothing is folded, so facts that count for nothing are here too.
import { covers, isPattern } from '#core/pattern'
import type { Place } from '#core/names'
import { waitsOf } from '#core/story/waits'
import { duration } from '#core/story/wording'
import type { Fact, Log } from '#ports/log'
import { exitCodes } from '../exit.ts'
import { usage } from '../failure.ts'
import type { GlobalOptions } from '../options.ts'
import { print, printJson, write } from '../terminal.ts'
import { factJson, factLine } from '../text/fact-text.ts'
import { visible } from '../text/line.ts'
import { tableLines } from '../text/table.ts'
import { capabilityNamed } from './capability-named.ts'
import { onInterrupt } from './interrupt.ts'
import { withLog, withRuntime } from './opened.ts'

export interface LogOptions extends GlobalOptions {
  readonly name?: string
  /** Below 0: that many from the end. */
  readonly from?: number
  readonly to?: number
  readonly limit?: number
  readonly follow?: boolean
  readonly open?: boolean
}

export async function log(options: LogOptions): Promise<number> {
  if (options.open === true) return listOpen(options)
  const pattern = patternOf(options)
  return withLog(options, async (opened, place) => {
    const interrupt = onInterrupt()
    try {
      await showFacts(opened, place, { options, pattern, signal: interrupt.signal })
    } finally {
      interrupt.release()
    }
    return exitCodes.yes
  })
}

function patternOf({ name, realm }: LogOptions): string | null {
  if (name === undefined) return null
  const pattern = `${realm}.1.${name}`
  if (isPattern(pattern)) return pattern
  throw usage(`\`${name}\` is no pattern: names like \`verdict.>\` or \`vlp.my-agent.*.*\` are`)
}

async function showFacts(
  opened: Log,
  place: Place,
  how: {
    readonly options: LogOptions
    readonly pattern: string | null
    readonly signal: AbortSignal
  },
): Promise<void> {
  const { options, pattern, signal } = how
  const { limit = Number.POSITIVE_INFINITY, to = Number.POSITIVE_INFINITY } = options
  const from = await startOf(opened, options.from ?? 1)
  let count = 0
  let waiting = ''
  for await (const fact of factsOf(opened, { from, to, pattern, options, signal })) {
    if (fact.position > to) break
    if (pattern !== null && !covers(pattern, fact.name)) continue
    const line =
      options.json === true ? JSON.stringify(factJson(fact)) : visible(factLine(fact, place))
    waiting += `${line}\n`
    count += 1
    // Whoever follows gets each fact at once; whoever reads, as many as go well in one piece.
    if (options.follow === true || waiting.length >= waitingCharactersMax) {
      await write(waiting)
      waiting = ''
    }
    if (count >= limit || fact.position >= to) break
  }
  await write(waiting)
}

const waitingCharactersMax = 65_536

function factsOf(
  opened: Log,
  range: {
    readonly from: number
    readonly to: number
    readonly pattern: string | null
    readonly options: LogOptions
    readonly signal: AbortSignal
  },
): AsyncIterable<Fact> {
  const { from, to, pattern, options, signal } = range
  if (options.follow === true) return opened.follow(from, signal)
  const end = Number.isFinite(to) ? { to } : {}
  return pattern === null ? opened.read({ from, ...end }) : opened.read({ from, ...end }, [pattern])
}

async function startOf(opened: Log, from: number): Promise<number> {
  if (from > 0) return from
  const { position } = await opened.head()
  return Math.max(1, position + 1 + from)
}

async function listOpen(options: LogOptions): Promise<number> {
  return withRuntime(options, {}, async (runtime) => {
    const { follower, clock } = runtime
    const now = clock.now()
    const open = [...follower.world.intents.values()].slice(0, options.limit)
    const rows: string[][] = []
    for (const intent of open) {
      const waits = waitsOf(intent, now)
      const ageMs = Math.max(0, now - intent.appendedAt)
      const tool = await capabilityNamed(runtime, intent)
      const { address, position } = intent
      if (options.json === true) await printJson({ intent: address, position, ageMs, tool, waits })
      else rows.push([duration(ageMs), tool, waits.text, address])
    }
    if (options.json === true) return exitCodes.yes
    if (rows.length === 0) await print(['no intent is open'])
    else await print(tableLines(['age', 'tool', 'waits for', 'intent'], rows))
    return exitCodes.yes
  })
}
