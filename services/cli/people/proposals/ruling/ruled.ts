// What came of a ruling, for a person or a program: what is known now, what became of the intents
// that waited, and what is asked next for them.
import { configuration } from '#wiring/config'
import type { OpenProposal } from '#messages/learning/learning'
import { keyOf } from '#messages/learning/template'
import { wantedText } from '#present/proposal'
import type { Runtime } from '#runtime/engine/runtime'
import type { TodayReport } from '#replay/what-if/today'
import type { RulingWord } from '#schemas/learning'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { print, printJson } from '#cli/terminal/terminal'
import { hintsFor } from '#cli/terminal/hint'
import { cameOfLines, followedJson } from './print.ts'
import type { Followed } from './follows.ts'
import { waitingIn } from '#runtime/learning/held'

interface Ruled {
  readonly runtime: Runtime
  readonly proposal: OpenProposal
  readonly signer: { readonly id: string }
  readonly word: RulingWord
  readonly options: GlobalOptions
}

/** Prints what was ruled, and what follows. */
export async function reportRuled(
  { runtime, proposal, signer, word, options }: Ruled,
  { fact, revision, waits, intents }: Followed,
  preview: TodayReport | null,
): Promise<void> {
  const next = await nextOf(
    runtime,
    intents.map(({ settled }) => settled.intent),
  )
  const { id } = proposal
  const by = signer.id
  if (options.json === true) {
    const shown = intents.map(followedJson)
    const { name } = fact
    await printJson({
      proposal: id,
      ruling: word,
      name,
      by,
      revision,
      intents: shown,
      next,
      preview,
    })
    return
  }
  const hints = hintsFor(options, configuration())
  await print(cameOfLines({ ruling: word, by, revision, waits, intents, next }, hints))
}

/** What else is asked for the same intents. */
async function nextOf(
  runtime: Runtime,
  intents: readonly string[],
): Promise<readonly { readonly id: string; readonly wanted: string }[]> {
  const { state } = runtime.follower
  const waiting = await waitingIn(runtime, runtime.clock.now())
  return [...state.learning.open.values()].flatMap(({ id, data: { template } }) => {
    const who = waiting.get(keyOf(template)) ?? []
    const isTheirs = who.some(({ intent }) => intents.includes(intent))
    return isTheirs ? [{ id, wanted: wantedText(template) }] : []
  })
}
