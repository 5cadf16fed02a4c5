// Who may answer a review. No one approves their own requests.
import { describe, expect, test } from 'vitest'
import { confirmationOf } from '#rules/catalog/catalog'
import { catalogFromFile } from '#rules/catalog/catalog-file'
import { eligible } from '#rules/catalog/confirmers'

interface Person {
  readonly id: string
  readonly owner?: string
  readonly suspended?: boolean
  readonly keys?: readonly string[]
}

let made = 0
function person(id: string, part: Partial<Person> = {}): Person {
  made += 1
  const keys = [`ed25519:${String(made).padStart(42, 'k')}A`]
  return { id, keys, ...part }
}

function asked(of: {
  readonly people: readonly Person[]
  readonly members?: readonly string[]
  readonly quorum?: number
  readonly delegators?: readonly string[]
  readonly agent?: string
}) {
  const { people, members, quorum = 1, delegators = [], agent = 'agent' } = of
  const four = { id: 'four', tier: 'four_eyes', group: 'desk', quorum }
  const { catalog, refused } = catalogFromFile({
    principals: people,
    groups: members === undefined ? [] : [{ id: 'desk', members }],
    confirmations: members === undefined ? [] : [four],
  })
  if (catalog === undefined) throw new Error(refused.message)
  const confirmation = confirmationOf(catalog, members === undefined ? undefined : 'four')
  return eligible(catalog, { agent, confirmation, delegators })
}

describe('confirm', () => {
  const agent = person('agent', { owner: 'alice' })

  test('asks no one where there is no owner', () => {
    expect(asked({ people: [person('agent')] })).toBeNull()
  })

  test('asks no one of an agent that the catalog does not know', () => {
    expect(asked({ people: [person('alice')], agent: 'stranger' })).toBeNull()
  })

  test('asks no owner who is suspended or cannot sign', () => {
    expect(asked({ people: [agent, person('alice', { suspended: true })] })).toBeNull()
    expect(asked({ people: [agent, person('alice', { keys: [] })] })).toBeNull()
  })

  test('asks the owner and only the owner', () => {
    const people = [agent, person('alice', { owner: 'carol' }), person('carol')]
    expect(asked({ people })).toEqual({
      tier: 'confirm',
      confirmers: ['alice'],
      excluded: [],
      quorum: 1,
      decideWithinMs: 900_000,
      useWithinMs: 300_000,
      demands: {},
      side: ['agent', 'alice', 'carol'],
    })
  })
})

describe('four eyes', () => {
  const people = [
    person('agent', { owner: 'alice' }),
    person('alice', { owner: 'carol' }),
    person('carol'),
    person('bob'),
    person('dave'),
    person('erin', { owner: 'frank' }),
    person('frank'),
  ]
  const everyone = people.map(({ id }) => id)

  test('never counts the requester, nor its owner, nor the owner of that', () => {
    const found = asked({ people, members: everyone })
    expect(found?.confirmers).toEqual(['bob', 'dave', 'frank'])
    expect(found?.excluded).toEqual(['agent', 'alice', 'carol', 'erin'])
  })

  test('never counts who sent the agent, nor anyone who they belong to', () => {
    const delegators = ['erin', 'a stranger']
    expect(asked({ people, members: everyone, delegators })?.confirmers).toEqual(['bob', 'dave'])
    expect(asked({ people, members: ['frank'], delegators })).toBeNull()
  })

  test('never counts another agent of the requester’s owner', () => {
    const bot = person('bot', { owner: 'alice' })
    expect(asked({ people: [...people, bot], members: ['bot'] })).toBeNull()
  })

  test('never counts an agent beside its own owner', () => {
    expect(asked({ people, members: ['erin', 'frank'], quorum: 2 })).toBeNull()
    expect(asked({ people, members: ['erin', 'bob'], quorum: 2 })?.confirmers).toEqual([
      'erin',
      'bob',
    ])
  })

  test('never counts who is suspended or cannot sign', () => {
    const some = [...people, person('gone', { suspended: true }), person('mute', { keys: [] })]
    expect(asked({ people: some, members: ['gone', 'mute'] })).toBeNull()
    expect(asked({ people: some, members: ['gone', 'mute', 'bob'] })).toMatchObject({
      confirmers: ['bob'],
      excluded: ['gone', 'mute'],
    })
  })

  test('needs the quorum, to the last one', () => {
    expect(asked({ people, members: ['agent', 'bob', 'dave'], quorum: 3 })).toBeNull()
    expect(asked({ people, members: ['agent', 'bob', 'dave'], quorum: 2 })).toMatchObject({
      confirmers: ['bob', 'dave'],
      quorum: 2,
    })
  })

  test('counts a member who is listed twice once', () => {
    expect(asked({ people, members: ['bob', 'bob', 'alice'], quorum: 2 })).toBeNull()
  })

  test('asks no one of an agent that the catalog does not know, whose owner is hidden', () => {
    expect(asked({ people, members: everyone, agent: 'stranger' })).toBeNull()
  })
})

test('a confirmation that leads nowhere has no one', () => {
  const { catalog } = catalogFromFile({
    principals: [person('agent', { owner: 'alice' }), person('alice')],
  })
  if (catalog === undefined) throw new Error('the catalog of this test is sound')
  const confirmation = confirmationOf(catalog, 'nowhere')
  expect(eligible(catalog, { agent: 'agent', confirmation, delegators: [] })).toBeNull()
})
