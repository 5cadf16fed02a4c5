// Waits for what becomes of an intent: its verdict, or the people it waits for. No verdict is an
// answer too, and says whom it waits for.
import { Fault } from '#core/kernel/fault'
import { waitsOf, type Waits } from '#present/story/waits'
import { factAbout } from '#runtime/engine/binding'
import type { Runtime } from '#runtime/engine/runtime'
import { verdictOf, type Verdict } from '#services/client/verdict'

export type Settled =
  | { readonly state: 'verdict'; readonly verdict: Verdict }
  | { readonly state: 'waits'; readonly waits: Waits }

export interface Patience {
  readonly waitMs: number
  /** Whether to go on waiting once people have been asked. */
  readonly forPeople: boolean
  /** Called once when people are asked. */
  readonly onReview?: (waits: Waits) => void
}

/** Waits until the intent that was published at this position has a verdict or time is over. */
export async function settled(
  runtime: Runtime,
  intent: { readonly address: string; readonly position: number },
  patience: Patience,
): Promise<Settled> {
  const { follower, log, clock } = runtime
  const { address, position } = intent
  await follower.reached(position)
  let told = false
  const isOver = (): boolean => {
    const open = follower.world.intents.get(address)
    if (open === undefined) return true
    const waits = waitsOf(open, clock.now())
    if (waits.for !== 'people') return false
    if (!told) patience.onReview?.(waits)
    told = true
    return !patience.forPeople
  }
  await until(runtime, patience.waitMs, isOver)
  const fact = await factAbout(runtime, 'verdict', address)
  if (fact !== undefined) return { state: 'verdict', verdict: await verdictOf(log, fact) }
  const open = follower.world.intents.get(address)
  if (open !== undefined) return { state: 'waits', waits: waitsOf(open, clock.now()) }
  throw new Fault('no_intent', `\`${address}\` is open no more and has no verdict`)
}

/** Resolves when it holds after a fact, or when the time is over. */
export function until(
  runtime: Pick<Runtime, 'follower' | 'timer'>,
  waitMs: number,
  holds: () => boolean,
): Promise<void> {
  if (holds()) return Promise.resolve()
  return new Promise((resolve) => {
    const end = (): void => {
      cancel()
      stop()
      resolve()
    }
    const stop = runtime.follower.listen(() => {
      if (holds()) end()
    })
    const cancel = runtime.timer.after(waitMs, end)
  })
}
