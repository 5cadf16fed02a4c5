// What people say beside their answers, with every property that it can have.
import type { InputOf } from '#schemas/contents'
import type { peopleKinds } from '#schemas/people/kinds'
import { address, instant, intent, signature } from './sample-terms.ts'

/** By a passkey. */
const assertion = {
  format: 'webauthn' as const,
  credential: 'Y3JlZGVudGlhbA',
  clientData: 'e30',
  authenticatorData: 'AAAA',
  value: 'AAAA',
}

export const samplePasskey = {
  id: assertion.credential,
  key: 'AAAA',
  algorithm: -7 as const,
  backupEligible: true,
  backedUp: false,
  label: 'the phone',
}
export const sampleConsole = { id: 'main', rpId: 'x.org', origins: ['https://a.x.org'] }

export const peopleSamples: { readonly [K in keyof typeof peopleKinds]: InputOf<K> } = {
  handover: {
    intent,
    review: `main.1.review.${address}.2`,
    confirmer: 'piet',
    to: 'quin',
    note: 'you know them',
    signature: assertion,
  },
  enrolment: {
    confirmer: 'piet',
    key: `ed25519:${'A'.repeat(43)}`,
    until: instant,
    label: 'the phone',
    signature: assertion,
  },
  absence: { confirmer: 'piet', deputy: 'rosa', until: instant, note: 'at sea', signature },
  note: { by: 'root', about: { intent: address }, text: 'looked at with Ann', signature },
}
