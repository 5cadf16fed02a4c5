// Shows what a person is about to say, and binds it with that person's signature.
import type { Runtime } from '#runtime/engine/runtime'
import { findSigner, type Signer } from '#runtime/keys/keys'
import { exitCodes } from '#schemas/faults/exit'
import type { Fact } from '#ports/log'
import { handOver, noteDown, sayAbsent } from '#client/people/decide'
import { findIntent } from '#operations/finding/intent-named'
import { utc } from '#present/wording'
import { demandAgreement, signerChoice } from '#cli/terminal/signing'
import { cellOfIntent } from '#cli/terminal/opening/cells/intent-cell'
import { openIntentNamed } from '#cli/terminal/opening/open-intent'
import { withRuntime } from '#cli/terminal/opening/opened'
import type { GlobalOptions, SignerOptions } from '#cli/terminal/opening/options'
import { usage } from '#cli/terminal/failure'
import { toned } from '#cli/terminal/line'
import { print, printJson } from '#cli/terminal/terminal'

interface SaidOptions extends GlobalOptions, SignerOptions {
  readonly note?: string
}

interface HandOverOptions extends SaidOptions {
  readonly to: string
}

interface AbsenceOptions extends SaidOptions {
  readonly deputy?: string
  /** In milliseconds. */
  readonly for?: number
  readonly back?: boolean
}

interface NoteOptions extends GlobalOptions, SignerOptions {
  readonly intent?: string
  readonly position?: number
}

export async function handOverMeant(meant: string, options: HandOverOptions): Promise<number> {
  const at = await cellOfIntent(options, meant, 'open')
  return withRuntime(at.options, {}, async (runtime) => {
    const { address } = await openIntentNamed(runtime, at.meant)
    const { to, note } = options
    return said(runtime, options, {
      what: `hand the review of ${address} to ${to}`,
      bind: ({ id: confirmer, privateKey }) => {
        const of = { intent: address, confirmer, to, privateKey }
        return handOver(runtime, { ...of, ...(note !== undefined && { note }) })
      },
    })
  })
}

export async function absent(options: AbsenceOptions): Promise<number> {
  const { deputy, for: forMs, back = false, note } = options
  const isWhole = deputy !== undefined && forMs !== undefined
  if (back ? deputy !== undefined || forMs !== undefined : !isWhole) {
    throw usage('give --deputy and --for, or --back alone')
  }
  return withRuntime(options, {}, async (runtime) => {
    const until = back ? null : runtime.clock.now() + (forMs ?? 0)
    const what =
      until === null ? 'say that you are back' : `let ${deputy} answer until ${utc(until)}`
    return said(runtime, options, {
      what,
      bind: ({ id: confirmer, privateKey }) => {
        const of = { confirmer, deputy: deputy ?? null, until, privateKey }
        return sayAbsent(runtime, { ...of, ...(note !== undefined && { note }) })
      },
    })
  })
}

export async function noted(text: string, options: NoteOptions): Promise<number> {
  const { intent, position } = options
  if ((intent === undefined) === (position === undefined)) {
    throw usage('give --intent or --position')
  }
  const at = intent === undefined ? null : await cellOfIntent(options, intent, 'any')
  return withRuntime(at?.options ?? options, {}, async (runtime) => {
    const about =
      at === null
        ? { position: position ?? 0 }
        : { intent: await findIntent(runtime.log, runtime.place, at.meant) }
    const where = 'intent' in about ? about.intent : `position ${about.position}`
    return said(runtime, options, {
      what: `note on ${where}: ${text}`,
      bind: ({ id: by, privateKey }) => noteDown(runtime, { by, about, text, privateKey }),
    })
  })
}

async function said(
  runtime: Runtime,
  options: GlobalOptions & SignerOptions,
  { what, bind }: { readonly what: string; readonly bind: (by: Signer) => Promise<Fact> },
): Promise<number> {
  const signer = await findSigner(signerChoice(runtime, options))
  await demandAgreement(options, { lines: [what], as: signer.id })
  const { name, position } = await bind(signer)
  if (options.json === true) await printJson({ name, position, by: signer.id })
  else await print([toned('good', `signed as ${signer.id}`), `  ${name}`])
  return exitCodes.yes
}
