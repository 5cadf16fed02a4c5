// Answers a drill as a review is answered: only afterwards the person learns that it was one.
import { configuration } from '#runtime/wiring/config'
import type { Runtime } from '#runtime/engine/runtime'
import { findSigner } from '#runtime/keys/keys'
import { exitCodes } from '#schemas/faults/exit'
import { answerDrill, openDrillsOf } from '#services/client/people/drills'
import { demandAgreement, signerChoice, unseen } from '../editing/signing.ts'
import { drillNamed, drillShown } from '../reviews/drilled.ts'
import { reviewLines } from '../reviews/print.ts'
import { hintsFor } from '../terminal/hint.ts'
import { toned } from '../terminal/line.ts'
import { print, printJson } from '../terminal/terminal.ts'
import type { AnswerOptions } from './options.ts'

/** The exit code; null where no drill is meant. */
export async function answeredDrill(
  runtime: Runtime,
  meant: string,
  options: AnswerOptions,
): Promise<number | null> {
  const { follower, clock } = runtime
  if (follower.state.drills.size === 0) return null
  const signer = await findSigner(signerChoice(runtime, options))
  const id = drillNamed(runtime, meant, signer.id)
  const open = (await openDrillsOf(runtime, signer.id)).find(({ drill }) => drill === id)
  if (id === null || open === undefined) return null
  const hints = hintsFor(options, configuration())
  const lines = reviewLines(await drillShown(runtime, open), clock.now(), hints).slice(0, -2)
  if (options.json !== true) await print(lines)
  const answers = options.answers ?? open.review.questions.map(() => options.agrees)
  const words = answers.map((yes) => (yes ? 'yes' : 'no')).join(', ')
  const toSign = [...unseen(options, lines), `  answer      ${words}`]
  await demandAgreement(options, { lines: toSign, as: signer.id })
  const { note } = options
  const { name } = await answerDrill(runtime, {
    drill: id,
    confirmer: signer.id,
    privateKey: signer.privateKey,
    answers,
    ...(note !== undefined && { note }),
  })
  const caught = answers.includes(false)
  if (options.json === true) await printJson({ drillAnswer: name, caught })
  else {
    const came = caught ? 'and you declined it' : 'which had to be declined'
    const text = `this was a test question, ${came}: nothing was asked for, and nothing follows`
    await print([
      `  signed      ${words}, as ${signer.id}`,
      '',
      toned(caught ? 'good' : 'bad', text),
    ])
  }
  return exitCodes.yes
}
