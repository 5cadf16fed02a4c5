// Verified work in words: that someone has begun, what was found, and who may work again.
import type {
  ReinstatementData,
  VerificationData,
  VerificationStartData,
} from '#schemas/work/facts'
import { quoted } from '#record/quote'
import { duration, said, utc } from '../wording.ts'
import { because } from './phrase.ts'
import { bad, good, plain, type Phrase } from './said.ts'

export const workWordings = {
  verificationstart: {
    phrase: ({ attempt, until }: VerificationStartData) => `${beginsText(attempt)} until ${until}`,
    said: ({ attempt, until }: VerificationStartData): Phrase => {
      return plain(`${capital(beginsText(attempt))} until ${utc(until)}`)
    },
  },
  verification: {
    phrase: (data: VerificationData) => [verifiedText(data), ...endText(data)].join('; '),
    said: (data: VerificationData): Phrase => {
      const { verification } = data
      const lines = endText(data).map(capital)
      if (verification === 'verified') return good(capital(verifiedText(data)), lines)
      return verification === 'refuted'
        ? bad(capital(verifiedText(data)), lines)
        : plain(capital(verifiedText(data)), lines)
    },
  },
  reinstatement: {
    phrase: (data: ReinstatementData) => {
      return `${reinstatedText(data)}${'by' in data ? because(data.reason) : ''}`
    },
    said: (data: ReinstatementData): Phrase => {
      return plain(capital(reinstatedText(data)), 'by' in data ? [said(data.reason)] : [])
    },
  },
} as const

function beginsText(attempt: number): string {
  return `a verifier looks at attempt ${attempt}, and may take`
}

/** What one attempt was found to be. */
function verifiedText(data: VerificationData): string {
  const { attempt, claim, status, verification, gateFailed, worker } = data
  if (claim === null) return `no claim of ${quoted(worker)} came in time`
  const which = `attempt ${attempt} of ${quoted(worker)}`
  if (status === null) return `${which} cannot be read as a claim`
  if (status !== 'success') return `${which} says that it is ${status}`
  const gate = gateFailed === null ? '' : ` by the gate ${quoted(gateFailed)}`
  return `${which} is ${verification}${gate}`
}

const unmovedTexts = {
  no_claim: 'nothing was claimed',
  issuer_not_listed: 'the catalog does not list its issuer',
  own_side: 'its issuer is of the side of its worker',
} as const

/** How it ended, and what that moves; nothing where another attempt may follow. */
function endText({ ended }: VerificationData): readonly string[] {
  if (ended === null) return ['another attempt may follow']
  const { score, rule, standing } = ended
  if ('unmoved' in standing) return [`moves no standing: ${unmovedTexts[standing.unmoved]}`]
  return [`score ${score ?? 0} (${rule ?? ''}), of which the standing takes ${standing.alpha}`]
}

function reinstatedText(data: ReinstatementData): string {
  const who = quoted(data.agent)
  return 'by' in data
    ? `${quoted(data.by)} lets ${who} work again, under strict rules`
    : `${who} may work again, under strict rules: ${duration(data.afterMs)} have passed`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
