// Shows a review, signs a person's answer to it, and prints what comes of it.
import { configuration } from '#wiring/config'
import { Fault } from '#record/fault'
import { batchFor } from '#state/slices/attention/answers'
import type { OpenIntent } from '#state/intent'
import { waitsOf } from '#present/story/waits-of'
import { findSigner, type Signer } from '#runtime/keys/keys'
import type { Runtime } from '#runtime/engine/runtime'
import type { Routine } from '#shell/routine'
import { routineWords } from '#knowledge/routine/routine-words'
import { connect, type Warrant } from '#client/connect'
import { routineIn } from '#client/grants/routine'
import { exitCodes } from '#schemas/faults/exit'
import { toned, type Line } from '#cli/terminal/line'
import { print, printJson } from '#cli/terminal/terminal'
import { hintsFor } from '#cli/terminal/hint'
import { reviewLines, wholeLines } from '../reviews/print.ts'
import { alsoOf } from './also.ts'
import type { AnswerOptions } from './options.ts'
import { answerFault } from './answer-fault.ts'
import { printAnswer } from '#cli/agents/ask/answer'
import { cellOfIntent } from '#cli/terminal/opening/cells/intent-cell'
import { agentOf, openIntentNamed } from '#cli/terminal/opening/open-intent'
import { clientStages, withRuntime } from '#cli/terminal/opening/opened'
import { refuseUnasked, demandAgreement, signerChoice, unseen } from '#cli/terminal/signing'
import { reviewIn, wholeShown, withWhole } from '../reviews/whole.ts'
import { settled } from '#cli/agents/ask/settled'
import { usage } from '#cli/terminal/failure'

const waitMs = 10_000

export async function answer(meant: string, options: AnswerOptions): Promise<number> {
  const stages = await clientStages(options)
  const at = await cellOfIntent(options, meant, 'open')
  return withRuntime(at.options, { stages }, async (runtime) => {
    const { clock, follower } = runtime
    const intent = await openIntentNamed(runtime, at.meant)
    const { address } = intent
    const shown = await reviewIn(runtime, intent)
    if (shown === null || intent.review === null) {
      throw new Fault('no_review', `no one was asked about \`${address}\``)
    }
    refuseUnasked(options)
    const hints = hintsFor(options, configuration())
    const { review } = shown
    const lines = reviewLines(shown, clock.now(), hints)
    // The last two lines say how to answer, which is what is being done.
    if (options.json !== true) await print(lines.slice(0, -2))
    const signer = await findSigner(signerChoice(runtime, options))
    const whole = options.whole === true ? await wholeShown(runtime, shown, [signer.id]) : null
    if (whole !== null && options.json !== true) await print(wholeLines(whole))
    const answers = options.answers ?? review.questions.map(() => options.agrees)
    const { note, inPlaceOf } = options
    const { catalog } = follower.state
    const by = { signer, answers, note, inPlaceOf, now: clock.now() }
    const fault = answerFault({ intent, review: intent.review, catalog, ...by })
    if (fault !== null) throw new Fault('answer_void', fault)
    const client = await connect({ runtime })
    const agrees = answers.every((yes) => yes)
    const { args } = review.terms
    const prefix = options.routine === true ? options.prefix : undefined
    const routine = await routineIn(runtime, { intent, args, prefix })
    const also = alsoOf(options, { intent: address, confirmer: signer.id, agrees, routine })
    const granted = also === null ? null : await client.grantPreview(also)
    const grantText = granted === null ? [] : ['', '  and later calls, too:', ...granted.text]
    const like = agrees && also === null ? likeLines(routine) : []
    if (options.json !== true) await print([...grantText, ...like])
    const words = answers.map((yes) => (yes ? 'yes' : 'no')).join(', ')
    const toSign = [...unseen(options, lines.slice(0, -2)), `  answer      ${words}`]
    if (granted !== null) toSign.push(...unseen(options, grantText), `  grant       ${granted.id}`)
    await demandAgreement(options, { lines: toSign, as: signer.id })
    const batch = batchBegun(runtime, intent.review.name, signer.id)
    const { position } = await client.decide({
      intent: address,
      confirmer: signer.id,
      privateKey: signer.privateKey,
      answers,
      digest: review.digest,
      ...(note !== undefined && { note }),
      ...(batch !== null && { batch }),
      ...(inPlaceOf !== undefined && { for: inPlaceOf }),
    })
    if (options.json !== true) await print([`  signed      ${words}, as ${signer.id}`, ''])
    await follower.reached(position)
    if (granted !== null) {
      const { name } = await client.grant({ shown: granted, privateKey: signer.privateKey })
      if (options.json === true) await printJson({ grant: name })
      else await print([`  granted     ${granted.id}, as ${signer.id}`, ''])
    }
    return ended(runtime, intent, {
      options,
      client,
      hints,
      answers,
      tool: review.terms.capability,
    })
  })
}

/** Before anything is signed: that `--routine` would sign more, and what. */
function likeLines(routine: Routine | null): readonly Line[] {
  const like = routine !== null && 'when' in routine ? routine : null
  const words = like === null ? null : routineWords(like.when)
  if (like === null || words === null) return []
  const begun = like.prefix === null ? [] : [prefixLine(like.prefix)]
  return [`  --routine   lets later ones like it, too: ${words}`, ...begun].map((line) =>
    toned('dim', line),
  )
}

function prefixLine(prefix: string): string {
  return `  --routine --prefix ${JSON.stringify(prefix)}   lets those that begin so, too`
}

/** The batch that this person has begun, where the review is left of it. */
function batchBegun({ follower, clock }: Runtime, name: string, confirmer: string) {
  return batchFor(follower.state, { names: [name], confirmer, at: clock.now() })
}

async function ended(
  runtime: Runtime,
  intent: OpenIntent,
  given: {
    readonly options: AnswerOptions
    readonly client: Warrant
    readonly hints: ReturnType<typeof hintsFor>
    readonly answers: readonly boolean[]
    readonly tool: string
  },
): Promise<number> {
  const { options, client, hints, answers, tool } = given
  const { address } = intent
  const { quorum } = waitsOf(runtime.follower.state, intent, runtime.clock.now())
  const isLast = answers.includes(false) || quorum <= 1
  const outcome = await settled(client.verdict(address, isLast ? waitMs : 0))
  const agent = agentOf(runtime, intent)
  const json = options.json === true
  await printAnswer(runtime, outcome, { tool, agent, hints, json })
  if (outcome.state === 'waits') return isLast ? exitCodes.noVerdict : exitCodes.yes
  const wanted = answers.includes(false) ? 'deny' : 'allow'
  return outcome.verdict.outcome === wanted ? exitCodes.yes : exitCodes.denied
}

// Several reviews that one person answers together: each is shown, all are signed as one batch, and
// each gets a decision of its own.

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
