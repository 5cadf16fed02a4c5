// A driver that leaves an argument out would fail each call that gives it: the author is warned.
import { expect, test } from 'vitest'
import { driverFlaws } from '#authoring/lint/driver-flaws'
import { Capability } from '#schemas/catalog'
import type { Driver } from '#schemas/action/driver'

const argsSchema = {
  type: 'object',
  properties: { id: { type: 'string' }, at: { type: 'object' } },
  required: ['id'],
}

function found(driver: Driver): readonly string[] {
  const capability = Capability.parse({ id: 'c', safetyClass: 'READ', argsSchema, driver })
  return driverFlaws({ capabilities: new Map([['c', capability]]) }).map(({ what }) => what)
}

const url = 'https://one.example/${args:/id}'

test('an argument that a program or a request without a body lacks is reported', () => {
  expect(found({ kind: 'shell', command: ['echo', '{id}'] })).toEqual([
    'the driver of `c` sends `id` and `at` nowhere: a call with it fails',
  ])
  expect(found({ kind: 'http', method: 'GET', url })).toEqual([
    'the driver of `c` sends `at` nowhere: a call with it fails',
  ])
})

test('what is sent somewhere, in part, in a body or on purpose not at all is not', () => {
  expect(found({ kind: 'shell', command: ['echo', '${args:/id}', '${args:/at/x}'] })).toEqual([])
  expect(
    found({ kind: 'shell', command: ['echo', '${args:/id}'], env: { A: '${args:/at}' } }),
  ).toEqual([])
  expect(found({ kind: 'http', method: 'GET', url, query: ['at'] })).toEqual([])
  expect(found({ kind: 'http', method: 'GET', url, body: 'none' })).toEqual([])
  expect(found({ kind: 'http', method: 'POST', url })).toEqual([])
  expect(found({ kind: 'local', operation: 'o' })).toEqual([])
})

test('results that come as they are, or with secrets alone taken out, are reported', () => {
  const codes = (redact?: string): readonly string[] => {
    const capability = Capability.parse({ id: 'c', safetyClass: 'READ', redact })
    return driverFlaws({ capabilities: new Map([['c', capability]]) }).map(({ code }) => code)
  }
  expect(codes()).toEqual([])
  expect(codes('all')).toEqual([])
  expect(codes('secrets')).toEqual(['result_unredacted'])
  expect(codes('none')).toEqual(['result_unredacted'])
  expect(() => codes('some')).toThrow()
})
