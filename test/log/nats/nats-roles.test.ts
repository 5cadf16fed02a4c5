// Each role against each kind of fact on a real server, with the plain client: the server itself
// refuses what is another's. What is allowed is written out here once more, by hand.
import type { NatsConnection } from '@nats-io/transport-node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { intakePattern, shardOf, shards } from '#log/nats/intake'
import { nameOf, token } from '#record/names'
import { allKinds, kinds, type Kind } from '#schemas/kinds'
import { allRoles, isRole, namesBound, namesGot, type Role } from '#record/roles'
import { natsBinary } from '../../support/servers/nats-server.ts'
import {
  boundAs,
  boundSoonAs,
  factCount,
  fresh,
  makeStreams,
  operator,
  place,
  startPowers,
  subjectOf,
  tried,
  type Powers,
} from '../../support/servers/nats-powers.ts'

/** Kinds; `own` after the dot where the name must hold the user's token, and where. */
const allowed: Readonly<Record<Role, readonly string[]>> = {
  agent: [
    'vlp.ownFirst',
    'withdrawal.ownFirst',
    'ownstart.ownFirst',
    'ownoutcome.ownFirst',
    'routing.ownFirst',
  ],
  tool: ['vlp.ownFirst'],
  desk: ['vlp.ownFirst'],
  grounding: ['grounding', 'fault.ownFirst'],
  policy: ['rate', 'asked', 'budget', 'use', 'hold', 'review', 'verdict', 'fault.ownFirst'],
  confirmation: ['rate', 'asked', 'budget', 'review', 'verdict', 'fault.ownFirst'],
  learning: ['resume', 'proposal', 'meeting', 'suggestion', 'expiry', 'graph', 'fault.ownFirst'],
  verification: ['verificationstart', 'verification', 'reinstatement', 'fault.ownFirst'],
  projector: ['fault.ownFirst'],
  gateway: ['vlp.ownFirst', 'start', 'outcome', 'expansion'],
  outreach: ['notification'],
  door: [
    'vlp.ownFirst',
    'withdrawal.ownFirst',
    'ownstart.ownFirst',
    'ownoutcome.ownFirst',
    'routing.ownFirst',
  ],
  confirmer: [
    'decision.ownLast',
    'settlement.ownLast',
    'grant.ownLast',
    'ruling.ownLast',
    'reopening.ownLast',
    'handover.ownLast',
    'enrolment.ownFirst',
    'absence.ownFirst',
    'note.ownLast',
    'revocation',
    'lift',
  ],
  answerer: ['decision.ownLast', 'handover.ownLast'],
  console: [
    'decision',
    'handover',
    'settlement',
    'grant',
    'ruling',
    'reopening',
    'enrolment',
    'absence',
    'note',
    'revocation',
    'lift',
    'reinstatement',
    'graph',
    'catalog',
  ],
  'policy-admin': ['graph', 'catalog', 'revocation', 'snapshot', 'lift', 'reinstatement'],
  'era-keeper': ['snapshot'],
  auditor: [],
}

type Own = 'none' | 'ownFirst' | 'ownLast'
const answers = /^\{"stream":"(LOG-main-1|INTAKE-main-[01])","seq":\d+\}$/

/** A free name of that kind, with the user's token at one end or at none. */
function nameFor(kind: Kind, own: Own, user: string): string {
  const tokens = kinds[kind].tokens.map(fresh)
  if (own === 'ownFirst') tokens[0] = token(user)
  if (own === 'ownLast') tokens[tokens.length - 1] = token(user)
  return nameOf(place, kind, ...tokens)
}

/** Where the user's token may stand; a number stands for no one. */
function ownsOf(kind: Kind): readonly Own[] {
  return kinds[kind].tokens.length === 1 ? ['none'] : ['none', 'ownFirst', 'ownLast']
}

function isAllowed(role: Role, kind: Kind, own: Own): boolean {
  return allowed[role].includes(kind) || allowed[role].includes(`${kind}.${own}`)
}

describe('the table of roles', () => {
  test('gives no one another’s names, however the user is called', () => {
    const own = token('ann@example.com')
    expect(namesBound('agent', place, own)).toContain(`main.1.vlp.${own}.*.*`)
    expect(namesBound('confirmer', place, own)).toEqual([
      `main.1.decision.*.*.*.*.${own}`,
      `main.1.settlement.*.*.*.${own}`,
      `main.1.handover.*.*.*.*.${own}`,
      `main.1.grant.*.${own}`,
      `main.1.enrolment.${own}.*`,
      `main.1.absence.${own}.*`,
      `main.1.ruling.*.${own}`,
      `main.1.reopening.*.${own}`,
      // Only the owner of the agent takes back what is of it, and signs that.
      `main.1.revocation.*`,
      `main.1.note.*.${own}`,
      // Anyone who may rule on what an agent does lets it go on, and signs it.
      `main.1.lift.*.*`,
    ])
    expect(namesGot('agent', place, own)).toContain(`main.1.verdict.${own}.*.*`)
    expect(namesGot('tool', place, own)).toEqual([`main.1.vlp.${own}.*.*`])
    expect(namesGot('auditor', place, own)).toEqual([])
  })

  test('has no roles but these', () => {
    expect(allRoles.toSorted()).toEqual(Object.keys(allowed).toSorted())
    expect(isRole('operator')).toBe(false)
    expect(isRole('toString')).toBe(false)
  })

  test('lets every kind be bound by someone, but for what older logs alone have', () => {
    const bound = allRoles.flatMap((role) => namesBound(role, place, '*'))
    const isBound = (kind: Kind) => bound.some((name) => name.startsWith(`main.1.${kind}.`))
    const missing = allKinds.filter((kind) => !isBound(kind))
    expect(missing).toEqual(['drill', 'drillanswer'])
  })
})

describe.skipIf(natsBinary === null)('the server', () => {
  let powers: Powers
  let admin: NatsConnection

  beforeAll(async () => {
    powers = await startPowers()
    admin = await powers.as(operator)
    await makeStreams(admin)
  })
  afterAll(() => powers.dispose())

  const everything = allRoles.flatMap((role) => allKinds.map((kind) => ({ role, kind })))

  test.each(everything)('holds $role to its own with $kind', async ({ role, kind }) => {
    const user = await userOf(role)
    for (const own of ownsOf(kind)) {
      const name = nameFor(kind, own, role)
      const said = await tried(user, subjectOf(name), 'said')
      if (isAllowed(role, kind, own)) {
        expect(said).toMatch(answers)
        expect(await boundSoonAs(admin, name)).toBe('said')
      } else {
        expect(said).toContain(`Permissions Violation for Publish to "${subjectOf(name)}"`)
        expect(await boundAs(admin, name)).toBeNull()
      }
    }
  })

  test('takes from a speaker nothing but what comes in by its own shard', async () => {
    const agent = await userOf('agent')
    const name = nameFor('vlp', 'ownFirst', 'agent')
    const other = shards.find((shard) => shard !== shardOf('agent')) ?? ''
    for (const subject of [name, intakePattern(name, other), intakePattern(name, 'x')]) {
      expect(await tried(agent, subject, 'said')).toContain('Permissions Violation')
    }
    expect(await tried(agent, subjectOf(name), 'said')).toMatch(answers)
    expect(await tried(agent, subjectOf(name), 'other')).toContain('"err_code":10077')
    expect(await boundSoonAs(admin, name)).toBe('said')
  })

  test('binds a name once, no matter who comes second', async () => {
    const name = nameFor('verdict', 'none', '')
    expect(await tried(await userOf('policy'), name, 'first')).toMatch(answers)
    expect(await tried(await userOf('confirmation'), name, 'second')).toContain('"err_code":10077')
    expect(await boundAs(admin, name)).toBe('first')
  })

  test('knows a user by the token of an invalid name', async () => {
    const olga = await powers.as('olga@example.com')
    const own = token('olga@example.com')
    expect(own).toMatch(/^_/)
    expect(await tried(olga, nameOf(place, 'ruling', 'r1', own), 'yes')).toMatch(answers)
    expect(await tried(olga, nameOf(place, 'ruling', 'r2', 'confirmer'), 'yes')).toContain(
      'Violation',
    )
  })

  test.each([
    ['another realm', `other.in.${shardOf('agent')}.vlp.agent.s.t`],
    ['the log itself', 'main.1.vlp.agent.s.t'],
    ['another era', 'main.2.verdict.agent.s.t'],
    ['fewer tokens', `main.in.${shardOf('agent')}.vlp.agent.s`],
    ['more tokens', `main.in.${shardOf('agent')}.vlp.agent.s.t.u`],
    ['no such kind', 'main.1.wish.agent.s.t'],
    ['no kind', 'main.1'],
  ])('takes no name of %s', async (_, name) => {
    const before = await factCount(admin)
    for (const role of allRoles) {
      expect(await tried(await userOf(role), name)).toContain('Permissions Violation')
    }
    expect(await factCount(admin)).toBe(before)
  })

  test('knows no one without a key, and none with another key', async () => {
    await expect(powers.as('agent', { authenticator: [] })).rejects.toThrow(/authorization/i)
  })

  const open = new Map<string, NatsConnection>()
  async function userOf(role: Role): Promise<NatsConnection> {
    const known = open.get(role) ?? (await powers.as(role))
    open.set(role, known)
    return known
  }
})
