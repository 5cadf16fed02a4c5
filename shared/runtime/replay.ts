// Replay: derives every grounding, rate, hold, review and verdict again from raw log bytes, by the
// stages' own deciders, and compares the bytes. A decider gets what it had and never what it wrote.
import type { Stamp } from '#core/event'
import { partsOf, type Kind, type Place } from '#core/names'
import { derivedBytes } from '#core/stage/derived'
import type { Inputs, Stage } from '#core/stage/stage'
import { viewOf } from '#core/stage/view'
import type { OpenIntent } from '#core/world/intent'
import { evolve } from '#core/world/evolve'
import { newWorld, type World } from '#core/world/world'
import type { Callbacks } from '#ports/callbacks'
import type { Fact, Log } from '#ports/log'
import { gatherAnswers, gatherContext, gatherOpening } from './gather.ts'
import { inputsAtHand, readerOf, type Reader } from './gather.ts'
import { recordedFirst } from './recorded.ts'

export interface ReplayOptions {
  readonly log: Log
  readonly place: Place
  readonly rootKey: string | null
  readonly stages: readonly Stage[]
  readonly callbacks: Callbacks
  /** Compare only the facts about this intent; all facts are folded all the same. */
  readonly address?: string | undefined
}

export interface Difference {
  readonly kind: 'differs' | 'not_derived' | 'missing' | 'unreadable'
  readonly position: number
  readonly name: string
  readonly basis: number | null
  /** JSON texts; null where there is none. */
  readonly recorded: string | null
  readonly derived: string | null
}

export interface ReplayReport {
  readonly facts: number
  /** Facts that were derived again. */
  readonly derived: number
  /** Answers of callbacks that were read back and not derived. */
  readonly readBack: number
  /** Facts that count for nothing, and why; the first `voidsShownMax`. */
  readonly voids: readonly {
    readonly name: string
    readonly position: number
    readonly why: string
  }[]
  readonly voidCount: number
  /** Intents without a verdict. */
  readonly open: number
  readonly differences: number
  readonly first: Difference | null
}

const derivedKinds: ReadonlySet<Kind> = new Set<Kind>([
  'grounding',
  'rate',
  'hold',
  'review',
  'verdict',
])
const voidsShownMax = 100
/** Facts that are read ahead of the fold, so that each is derived as the fold passes its basis. */
const readAheadMax = 4_096

/** A fact that is derived again as soon as the fold has reached the basis of its stamp. */
interface Due {
  readonly fact: Fact
  readonly stamp: Stamp
  readonly address: string
}

interface Run {
  readonly options: ReplayOptions
  readonly reader: Reader
  readonly world: World
  readonly due: Map<number, Due[]>
  readonly late: Due[]
  readonly voids: { name: string; position: number; why: string }[]
  facts: number
  derived: number
  readBack: number
  voidCount: number
  differences: number
  first: Difference | null
}

export async function replay(options: ReplayOptions): Promise<ReplayReport> {
  const run = newRun(options)
  await pass(run, (fact) => schedule(run, fact))
  if (run.late.length > 0) await again(run)
  const { facts, derived, readBack, voids, voidCount, differences, first } = run
  const open = run.world.intents.size
  return { facts, derived, readBack, voids, voidCount, open, differences, first }
}

function newRun(options: ReplayOptions): Run {
  return {
    options,
    reader: readerOf(options.log),
    world: newWorld(options.place, options.rootKey),
    due: new Map(),
    late: [],
    voids: [],
    facts: 0,
    derived: 0,
    readBack: 0,
    voidCount: 0,
    differences: 0,
    first: null,
  }
}

// A basis so old that the fold had passed it when its fact was read: those few get a pass of their
// own.
async function again(run: Run): Promise<void> {
  const second = newRun(run.options)
  for (const due of run.late) dueAt(second, due)
  await pass(second, () => undefined)
  run.derived += second.derived
  run.readBack += second.readBack
  run.differences += second.differences
  run.first ??= second.first
}

async function pass(run: Run, onRead: (fact: Fact) => void): Promise<void> {
  let ahead: Fact[] = []
  let expected = 1
  for await (const fact of run.options.log.read({})) {
    if (fact.position !== expected) missing(run, expected, fact.position - 1)
    expected = fact.position + 1
    run.facts += 1
    onRead(fact)
    ahead.push(fact)
    if (ahead.length < readAheadMax * 2) continue
    await foldAll(run, ahead.slice(0, readAheadMax))
    ahead = ahead.slice(readAheadMax)
  }
  await foldAll(run, ahead)
}

// Most facts are folded and derived at once; only those that have to read the log are waited for.
async function foldAll(run: Run, facts: readonly Fact[]): Promise<void> {
  for (const fact of facts) {
    fold(run, fact)
    const due = run.due.get(fact.position)
    if (due === undefined) continue
    run.due.delete(fact.position)
    for (const recorded of due) {
      const waiting = compare(run, recorded)
      if (waiting !== null) await waiting
    }
  }
}

function fold(run: Run, fact: Fact): void {
  const folded = evolve(run.world, fact)
  if (folded.void === null) return
  run.voidCount += 1
  const { name, position } = fact
  if (run.voids.length < voidsShownMax) run.voids.push({ name, position, why: folded.void })
}

function schedule(run: Run, fact: Fact): void {
  const { place, address } = run.options
  const parts = partsOf(fact.name, place)
  if (parts === null || !derivedKinds.has(parts.kind)) return
  if (address !== undefined && parts.address !== address) return
  const stamp = stampOf(fact)
  if (stamp === null || stamp.basis >= fact.position) {
    const basis = stamp?.basis ?? null
    difference(run, { kind: 'unreadable', fact, basis, derived: null })
    return
  }
  const due = { fact, stamp, address: parts.address ?? addressOfRate(fact) }
  if (stamp.basis <= run.world.position) run.late.push(due)
  else dueAt(run, due)
}

function dueAt(run: Run, due: Due): void {
  const { basis } = due.stamp
  const others = run.due.get(basis)
  if (others === undefined) run.due.set(basis, [due])
  else others.push(due)
}

function compare(run: Run, due: Due): Promise<void> | null {
  run.derived += 1
  const derived = derive(run, due)
  if (!(derived instanceof Promise)) {
    judgeBytes(run, due, derived)
    return null
  }
  return derived.then((bytes) => judgeBytes(run, due, bytes))
}

function judgeBytes(run: Run, { fact, stamp }: Due, derived: Uint8Array | null): void {
  const { basis } = stamp
  if (derived === null) difference(run, { kind: 'not_derived', fact, basis, derived })
  else if (Buffer.compare(derived, fact.bytes) !== 0) {
    difference(run, { kind: 'differs', fact, basis, derived: text(derived) })
  }
}

function derive(run: Run, due: Due): Promise<Uint8Array | null> | Uint8Array | null {
  const { world, options } = run
  const { fact, stamp, address } = due
  const stage = options.stages.find(({ name }) => stamp.source.startsWith(`warrant/${name}/`))
  const intent = world.intents.get(address)
  if (stage === undefined || intent === undefined) return null
  const deriving = { fact, stamp, stage }
  const inputs = inputsAtHand(world, stage, intent, stamp.time)
  return inputs === null ? gathered(run, { ...deriving, intent }) : drafted(run, deriving, inputs)
}

interface Deriving {
  readonly fact: Fact
  readonly stamp: Stamp
  readonly stage: Stage
}

async function gathered(
  run: Run,
  deriving: Deriving & { readonly intent: OpenIntent },
): Promise<Uint8Array | null> {
  const { options, world, reader } = run
  const { fact, stamp, stage, intent } = deriving
  const opening = await gatherOpening(reader, world, intent)
  const view = opening === null ? null : viewOf(world, intent.address, opening)
  if (view === null) return null
  const context = await gatherContext(reader, view)
  const calls = stage.calls(view, context, stamp.time)
  const counted = { readBack: 0 }
  const callbacks =
    calls.length === 0 ? options.callbacks : recordedFirst(options.callbacks, fact, counted)
  const answers = await gatherAnswers(callbacks, view, calls)
  run.readBack += counted.readBack
  return drafted(run, deriving, { view, context, answers, time: stamp.time })
}

function drafted(run: Run, { fact, stamp, stage }: Deriving, inputs: Inputs): Uint8Array | null {
  const draft = stage.decide(inputs)
  if (draft === null || draft.name !== fact.name) return null
  const bytes = derivedBytes(draft, inputs.view, stamp)
  if (draft.kind === 'grounding') run.world.recall.remember(draft.name, bytes, draft.data)
  return bytes
}

function missing(run: Run, from: number, to: number): void {
  run.differences += 1
  const recorded = `positions ${from} to ${to} are not in the log`
  run.first ??= { kind: 'missing', position: from, name: '', basis: null, recorded, derived: null }
}

function difference(
  run: Run,
  at: Pick<Difference, 'kind' | 'basis' | 'derived'> & { readonly fact: Fact },
): void {
  run.differences += 1
  const { kind, basis, derived, fact } = at
  const recorded = Buffer.from(fact.bytes).toString('utf8')
  run.first ??= { kind, position: fact.position, name: fact.name, basis, recorded, derived }
}

const head = /^\{"basis":"(0|[1-9][0-9]{0,15})","data":\{/
const tail = /"source":"([^"\\]{1,256})","specversion":"1\.0","time":"([^"\\]{1,40})","t[^\\]+"\}$/
const headBytes = 48
const tailBytes = 512

// Canonical bytes begin with the basis and end with the stamp; what does not is not canonical. The
// traceparent is not taken from here: it must follow from the message.
function stampOf({ bytes }: Fact): Stamp | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const basis = head.exec(buffer.toString('utf8', 0, headBytes))?.[1]
  const [, source, time] = tail.exec(buffer.toString('utf8', buffer.length - tailBytes)) ?? []
  if (basis === undefined || source === undefined || time === undefined) return null
  return { source, time, basis: Number(basis) }
}

/** Of what names no intent, one that is never open. */
function addressOfRate(fact: Fact): string {
  return /"intent":\{"address":"([^"\\]+)"/.exec(text(fact.bytes))?.[1] ?? ''
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}
