// A verification, its start and a reinstatement, with every property that they can have.
import type { InputOf } from '#schemas/contents'
import { address, digest, instant, signature } from './sample-terms.ts'

const contract = { address, name: `main.1.vlp.${address}`, digest }
const claim = 'main.1.vlp.bot.-.c'

export const workSamples = {
  verificationstart: { contract, claim, attempt: 1, number: 1, until: instant },
  verification: {
    contract,
    issuer: 'desk',
    worker: 'bot',
    attempt: 2,
    claim,
    status: 'success',
    sources: ['main.1.vlp.bot.-.e'],
    work: { digest, files: 1, bytes: 10, leftOut: [{ path: 'a', why: 'link_outside' }] },
    isolation: { kind: 'namespaces', held: ['user', 'pid', 'network', 'root', 'limits'] },
    gates: [
      {
        gate: 'tests',
        outcome: 'fail',
        code: 'exit_code',
        findings: [{ code: 'not_printed', about: 'ok', line: 1 }],
        warnings: [],
        evidence: { exit: 1 },
      },
    ],
    verification: 'refuted',
    gateFailed: 'tests',
    layerFailed: 'deterministic',
    ended: { how: 'attempts', score: -1, rule: 'refuted', standing: { alpha: 0.3 } },
  },
  reinstatement: { agent: 'bot', by: 'root', reason: 'looked at it', signature },
} satisfies {
  readonly verificationstart: InputOf<'verificationstart'>
  readonly verification: InputOf<'verification'>
  readonly reinstatement: InputOf<'reinstatement'>
}
