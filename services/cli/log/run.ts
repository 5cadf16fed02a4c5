// Prints the log as it is: nothing is folded, so facts that count for nothing are here too.
import type { VlpIssueCode } from '#schemas/vlp'
import { covers, isPattern } from '#core/kernel/pattern'
import { eraOf, type Place } from '#core/kernel/names'
import { waitsOf, waitsJson } from '#present/story/waits'
import { duration } from '#present/wording'
import type { Fact, Log } from '#ports/log'
import { issuesIn } from '#runtime/operations/reported'
import { exitCodes } from '#schemas/faults/exit'
import { usage } from '../terminal/failure.ts'
import { print, printJson, write } from '../terminal/terminal.ts'
import { factJson, factLine } from './print.ts'
import { visible } from '../terminal/line.ts'
import { tableLines } from '../terminal/table.ts'
import { capabilityNamed } from '../opening/capability-named.ts'
import { onInterrupt } from '../opening/interrupt.ts'
import { listVoid, type MeantFacts } from './void.ts'
import { withLog, withRuntime } from '../opening/opened.ts'

export interface LogOptions extends MeantFacts {
  readonly issue?: VlpIssueCode
  readonly follow?: boolean
  readonly open?: boolean
  readonly eras?: boolean
  readonly void?: boolean
}

export async function log(given: LogOptions): Promise<number> {
  const options = given.issue === undefined ? given : { name: 'grounding.>', ...given }
  if (options.open === true) return listOpen(options)
  if (options.eras === true) return listEras(options)
  const { name } = options
  if (name !== undefined) refusePattern(name, options)
  if (options.void === true) return listVoid(options)
  return withLog(options, async (opened, place) => {
    const patterns = name === undefined ? null : inEachEra(place, name)
    const interrupt = onInterrupt()
    try {
      await showFacts(opened, { options, patterns, signal: interrupt.signal })
    } finally {
      interrupt.release()
    }
    return exitCodes.yes
  })
}

function refusePattern(name: string, { realm }: LogOptions): void {
  if (isPattern(`${realm}.1.${name}`)) return
  throw usage(`\`${name}\` is not a pattern: use names like \`verdict.>\` or \`vlp.my-agent.*.*\``)
}

function inEachEra({ realm, era }: Place, name: string): readonly string[] {
  return Array.from({ length: era }, (_, before) => `${realm}.${before + 1}.${name}`)
}

async function showFacts(
  opened: Log,
  how: {
    readonly options: LogOptions
    readonly patterns: readonly string[] | null
    readonly signal: AbortSignal
  },
): Promise<void> {
  const { options, patterns, signal } = how
  const { realm, name, issue } = options
  const { limit = Number.POSITIVE_INFINITY, to = Number.POSITIVE_INFINITY } = options
  const from = await startOf(opened, options.from ?? 1)
  let count = 0
  let waiting = ''
  for await (const fact of factsOf(opened, { from, to, patterns, options, signal })) {
    if (fact.position > to) break
    // Who follows sees eras begin that no one knew of.
    if (name !== undefined && !covers(`${realm}.*.${name}`, fact.name)) continue
    if (issue !== undefined && !issuesIn(fact.bytes).includes(issue)) continue
    const line =
      options.json === true ? JSON.stringify(factJson(fact)) : visible(factLine(fact, realm))
    waiting += `${line}\n`
    count += 1
    // Anyone who follows gets each fact at once; anyone who reads, as many as go well in one piece.
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
    readonly patterns: readonly string[] | null
    readonly options: LogOptions
    readonly signal: AbortSignal
  },
): AsyncIterable<Fact> {
  const { from, to, patterns, options, signal } = range
  if (options.follow === true) return opened.follow(from, signal)
  const end = Number.isFinite(to) ? { to } : {}
  return opened.read({ from, ...end }, patterns ?? undefined)
}

async function startOf(opened: Log, from: number): Promise<number> {
  if (from > 0) return from
  const { position } = await opened.head()
  return Math.max(1, position + 1 + from)
}

async function listOpen(options: LogOptions): Promise<number> {
  return withRuntime(options, { reads: true, ofAgents: true }, async (runtime) => {
    const { follower, clock } = runtime
    const now = clock.now()
    const open = [...follower.state.intents.values()].slice(0, options.limit)
    const rows: string[][] = []
    for (const intent of open) {
      const waits = waitsJson(waitsOf(follower.state, intent, now))
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

async function listEras(options: LogOptions): Promise<number> {
  return withRuntime(options, { reads: true, ofAgents: true }, async ({ follower }) => {
    const { eras, sealed, position, intents } = follower.state
    const openIn = (era: number): number =>
      [...intents.values()].filter(({ name }) => eraOf(name) === era).length
    const rows = eras.map(({ from, to }, index) => ({
      era: index + 1,
      open: openIn(index + 1),
      from: from + 1,
      to,
      state: to === null ? 'open' : index + 1 < eras.length || sealed === null ? 'sealed' : 'half',
    }))
    if (options.json === true) {
      await printJson(rows)
      return exitCodes.yes
    }
    const cells = rows.map(({ era, open, from, to, state }) => [
      String(era),
      String(from),
      // An era that has just been opened has no fact of its own.
      String(to ?? (from > position ? '-' : position)),
      String(open),
      state === 'half' ? 'sealed; the next is not open: run warrant log rotate again' : state,
    ])
    await print(tableLines(['era', 'from', 'to', 'open intents', 'state'], cells))
    return exitCodes.yes
  })
}
