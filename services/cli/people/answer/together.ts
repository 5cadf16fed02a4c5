// Several reviews that one person answers together: each is shown, all are signed as one batch, and
// each gets a decision of its own.
import { Fault } from '#record/fault'
import { batchFor } from '#state/slices/attention/answers'
import type { Runtime } from '#runtime/engine/runtime'
import { findSigner, type Signer } from '#runtime/keys/keys'
import { configuration } from '#wiring/config'
import { exitCodes } from '#schemas/faults/exit'
import { connect } from '#client/connect'
import { demandAgreement, signerChoice, unseen } from '#cli/terminal/signing'
import { cellOfIntent } from '#cli/terminal/opening/cells/intent-cell'
import { openIntentNamed } from '#cli/terminal/opening/open-intent'
import { clientStages, withRuntime } from '#cli/terminal/opening/opened'
import { reviewLines } from '../reviews/print.ts'
import { reviewIn, withWhole } from '../reviews/whole.ts'
import { usage } from '#cli/terminal/failure'
import { hintsFor } from '#cli/terminal/hint'
import type { Line } from '#cli/terminal/line'
import { print, printJson } from '#cli/terminal/terminal'
import { answerFault } from './answer-fault.ts'
import type { AnswerOptions } from './options.ts'

/** One of them, as it is shown. */
interface Answering {
  readonly address: string
  readonly name: string
  readonly digest: string
  readonly answers: readonly boolean[]
  readonly lines: readonly Line[]
}

export async function answerTogether(
  intents: readonly string[],
  options: AnswerOptions,
): Promise<number> {
  if (options.answers !== undefined) throw usage('--answers is of one review: name one intent')
  if (options.also !== undefined || options.routine === true) {
    throw usage('--also and --routine go with one review: name one intent')
  }
  const [first = ''] = intents
  const at = await cellOfIntent(options, first, 'open')
  const stages = await clientStages(options)
  return withRuntime(at.options, { stages }, async (runtime) => {
    const signer = await findSigner(signerChoice(runtime, options))
    const all: Answering[] = []
    for (const meant of [at.meant, ...intents.slice(1)]) {
      const one = await answering(runtime, { meant, signer, options })
      if (options.json !== true) await print(one.lines)
      all.push(one)
    }
    const words = options.agrees ? 'yes' : 'no'
    const seen = all.flatMap(({ lines }) => unseen(options, lines))
    const toSign = [...seen, `  answer      ${words}, to all ${all.length}`]
    await demandAgreement(options, { lines: toSign, as: signer.id })
    await signed(runtime, all, { signer, options })
    return exitCodes.yes
  })
}

interface By {
  readonly signer: Signer
  readonly options: AnswerOptions
}

async function answering(
  runtime: Runtime,
  { meant, signer, options }: By & { readonly meant: string },
): Promise<Answering> {
  const { clock, follower } = runtime
  const intent = await openIntentNamed(runtime, meant)
  const found = await reviewIn(runtime, intent)
  const { review } = intent
  if (found === null || review === null) {
    throw new Fault('no_review', `no one was asked about \`${intent.address}\``)
  }
  const shown = options.whole === true ? await withWhole(runtime, found, [signer.id]) : found
  const hints = hintsFor(options, configuration())
  // The last two lines say how to answer, which is what is being done.
  const lines = reviewLines(shown, clock.now(), hints).slice(0, -2)
  const answers = found.review.questions.map(() => options.agrees)
  const { catalog } = follower.state
  const { note, inPlaceOf } = options
  const now = clock.now()
  const fault = answerFault({ intent, review, catalog, signer, answers, note, inPlaceOf, now })
  if (fault !== null) throw new Fault('answer_void', fault)
  const { address } = intent
  return { address, name: review.name, digest: review.digest, answers, lines: [...lines, ''] }
}

async function signed(
  runtime: Runtime,
  all: readonly Answering[],
  { signer, options }: By,
): Promise<void> {
  const { id: confirmer, privateKey } = signer
  const { note, inPlaceOf } = options
  const client = await connect({ runtime })
  const names = all.map(({ name }) => name)
  const { follower, clock } = runtime
  const batch = batchFor(follower.state, { names, confirmer, at: clock.now() })
  for (const { address: intent, digest, answers } of all) {
    const { name, position } = await client.decide({
      intent,
      confirmer,
      privateKey,
      answers,
      digest,
      ...(note !== undefined && { note }),
      ...(inPlaceOf !== undefined && { for: inPlaceOf }),
      ...(batch !== null && { batch }),
    })
    await follower.reached(position)
    if (options.json === true) await printJson({ intent, decision: name })
    else
      await print([`  signed      ${options.agrees ? 'yes' : 'no'} to ${intent}, as ${confirmer}`])
  }
}
