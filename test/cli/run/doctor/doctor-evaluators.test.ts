// What doctor finds of those who may ask about others: how many that is, and where it is everyone.
import { expect, test } from 'vitest'
import { emptyCatalog } from '#rules/catalog/catalog'
import { catalogFromFile } from '#rules/catalog/catalog-file'
import type { Matcher } from '#schemas/rules/matcher'
import { evaluatorFindings } from '#cli/run/doctor/catalog'

const people = [
  { id: 'ann', roles: ['staff'], attributes: { tenant: 'eu' } },
  { id: 'ben', roles: ['staff'] },
  { id: 'boss', roles: ['admin'] },
]

function found(who: readonly Matcher[], enforces = false) {
  const subjects = who.map((one) => ({ type: 'user', who: one }))
  const { catalog = emptyCatalog } = catalogFromFile({
    principals: [{ id: 'gate', roles: ['staff'], evaluates: { subjects, enforces } }, ...people],
  })
  return evaluatorFindings({ catalog })
}

test('each who may ask about some is named, with whom', () => {
  expect(found([{ role: 'staff' }])).toEqual([
    {
      check: 'evaluators',
      about: 'gate',
      status: 'ok',
      found: 'it may ask what 2 of 3 others might do: as `user` the role `staff`',
      fix: null,
    },
  ])
  const narrow = { role: 'staff', attributes: { tenant: 'eu' } }
  expect(found([narrow, { principal: 'boss' }], true)).toMatchObject([
    {
      status: 'ok',
      found:
        'it may ask what 2 of 3 others might do: as `user` the role `staff` and `tenant=eu`; ' +
        'as `user` `boss`; what it is allowed uses up their limits and budgets',
    },
  ])
  expect(found([{ role: 'none' }])).toMatchObject([
    { status: 'ok', found: expect.stringContaining('0 of 3') },
  ])
})

test('one who may ask about everyone is a warning', () => {
  expect(found([{ role: 'staff' }, { role: 'admin' }])).toMatchObject([
    {
      status: 'warning',
      about: 'gate',
      found:
        'it may ask what everyone (3) might do: as `user` the role `staff`; ' +
        'as `user` the role `admin`',
    },
  ])
})

test('a catalog where no one may is passed over', () => {
  expect(found([])).toEqual([])
  expect(evaluatorFindings({ catalog: emptyCatalog })).toEqual([])
})
