// The document of the server: valid as others check it, and with every route that is answered.
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { openApi } from '#schemas/http/openapi'
import { allRoutes, routes } from '#schemas/http/routes'
import { jsonOf } from '#record/canonical'
import { answer, httpDoorScene, raw } from './http-door.ts'

const document: unknown = JSON.parse(JSON.stringify(jsonOf(openApi('1.0.0'))))

test('the document is valid OpenAPI 3.1', async () => {
  const found = await new Validator().validate(Object(document))
  expect([found.valid, found.errors]).toEqual([true, undefined])
  const broken = { ...Object(document), paths: { 'no-slash': {} } }
  expect((await new Validator().validate(broken)).valid).toBe(false)
})

test('the server answers it, and each path of it by its method alone', async () => {
  const door = await httpDoorScene()
  const { body } = await answer(door, 'openapi', { as: null })
  expect(body).toMatchObject(Object(document))
  for (const name of allRoutes) {
    const { method, path, isOpen } = routes[name]
    const { host } = new URL(door.serving.url)
    const at = path.replace('{id}', 'x').replace('{host}', 'codex')
    const found = await raw(door, { path: at, method: method.toUpperCase(), headers: { host } })
    // A hook is answered with a denial that its host understands.
    const refusing = name === 'hook' ? [200] : [401]
    const expected = isOpen === true ? [200, 404] : refusing
    expect([name, expected.includes(found.status)]).toEqual([name, true])
    const methods = allRoutes.flatMap((one) => {
      return routes[one].path === path ? [routes[one].method.toUpperCase()] : []
    })
    const others = ['PUT', 'DELETE', 'PATCH', 'POST', 'GET'].filter((one) => !methods.includes(one))
    for (const other of others) {
      const refused = await raw(door, { path: at, method: other, headers: { host } })
      expect([name, other, refused.status]).toEqual([name, other, 405])
      expect(refused.headers.allow).toBe(methods.join(', '))
    }
  }
})

test('every operation has a name of its own, and every schema that it names', () => {
  const text = JSON.stringify(document)
  const { components, paths } = Object(document)
  const named = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name)
  expect(named.filter((name) => !Object.hasOwn(components.schemas, name))).toEqual([])
  const ids = [...text.matchAll(/"operationId":"(\w+)"/g)].map(([, id]) => id)
  expect(new Set(ids).size).toBe(allRoutes.length)
  expect(Object.keys(paths)).toEqual([...new Set(allRoutes.map((name) => routes[name].path))])
})
