// What doctor says of claims that wait for a verifier.
import { expect, test } from 'vitest'
import { Contracts, notStarted, type OpenContract } from '#work/contracts/contracts'
import { contractFindings } from '#cli/run/doctor/catalog'

const minute = 60_000
const claim = { name: 'main.1.vlp.bot.-.c', position: 2, appendedAt: 0 }
const contract: OpenContract = {
  address: 'ci.-.a',
  name: 'main.1.vlp.ci.-.a',
  position: 1,
  appendedAt: 0,
  issuer: 'ci',
  worker: 'bot',
  taskId: 'T',
  objective: 'o',
  digest: `sha256:${'a'.repeat(64)}`,
  workspace: 'site',
  maxRetries: 3,
  claimWithinMs: minute,
  mayTakeMs: minute,
  past: [],
  pending: [claim],
  pastAt: null,
  started: notStarted,
}

test.each([
  ['that is new', {}, 9 * minute, []],
  ['that no one has begun with', {}, 11 * minute, ['no verifier has begun with 1 claim']],
  ['that someone is at', { started: { number: 1, until: 0 } }, 11 * minute, []],
  [
    'that was begun again',
    { started: { number: 2, until: 0 } },
    minute,
    ['1 claim had to be begun'],
  ],
  ['that is not there', { pending: [] }, 11 * minute, []],
] as const)('of a claim %s', (_title, fields, now, found) => {
  const contracts = Contracts.none.with({ ...contract, ...fields })
  const findings = contractFindings({ contracts }, now)
  expect(findings.map((one) => one.found.slice(0, found[0]?.length ?? 0))).toEqual(found)
  for (const { fix, about } of findings)
    expect([fix, about]).toEqual([expect.any(String), 'ci.-.a'])
})
