// The roles that a whole chain has: what decides how much of a result is shown.
import { expect, test } from 'vitest'
import { rolesOfAll } from '#rules/catalog/catalog'
import { Principal } from '#schemas/catalog'

const principals = new Map(
  [
    { id: 'planner', roles: ['admin', 'writer'] },
    { id: 'reader', roles: ['writer', 'admin', 'service'] },
    { id: 'intern', roles: ['writer'] },
  ].map((entry) => [entry.id, Principal.parse(entry)]),
)

test.each([
  [['reader'], ['writer', 'admin', 'service']],
  [
    ['planner', 'reader'],
    ['admin', 'writer'],
  ],
  [['planner', 'intern', 'reader'], ['writer']],
  [['planner', 'stranger'], []],
  [[], []],
])('of %j they are %j', (ids, roles) => {
  expect(rolesOfAll({ principals }, ids)).toEqual(roles)
})
