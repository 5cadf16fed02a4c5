// Each route of the console for each kind of person: the table says who may, and no one else can.
import { expect, test } from 'vitest'
import { consoleRights } from '#rules/catalog/doors/console-rights'
import { allConsoleRoutes, consoleApi, consoleRoutes } from '#schemas/console/routes'
import { ConsoleProblem } from '#schemas/console/signing'
import { atBrowser, consoleScene, noOne, sent, signedInByLink } from './console-scene.ts'

/** Someone of each kind, and what the catalog of the scene makes of them. */
const kinds = {
  vera: [],
  quin: ['confirmer'],
  olga: ['confirmer'],
  audra: ['auditor'],
  cora: ['auditor', 'author'],
  root: ['confirmer', 'auditor', 'operator', 'author'],
} as const

type Kind = keyof typeof kinds

const rate = { perSecond: 10_000, burst: 100_000 }

test.each(Object.keys(kinds))('what %s may is what the table says', async (name) => {
  const person = Object.keys(kinds).find((one): one is Kind => one === name) ?? 'vera'
  const scene = await consoleScene({}, { rate })
  const { catalog } = scene.on.runtime.follower.state
  expect(consoleRights(catalog, person)).toEqual(kinds[person])
  const browser = await signedInByLink(scene, person)
  const rights: readonly string[] = kinds[person]
  for (const route of allConsoleRoutes) {
    const { who } = consoleRoutes[route]
    if (route === 'leave' || who === 'anyone') continue
    const may = who === 'person' || rights.includes(who)
    const { status, text } = await browser.ask(route)
    const problem = ConsoleProblem.safeParse(may && status === 200 ? null : parsed(text))
    const reason = problem.data?.reason ?? ''
    const isRefused = status === 403 && reason === `not_${who}`
    expect([route, person, isRefused, status === 401]).toEqual([route, person, !may, false])
  }
})

test('no one who is not signed in gets further than signing in', async () => {
  const scene = await consoleScene()
  const browser = atBrowser(scene, noOne)
  for (const route of allConsoleRoutes) {
    if (consoleRoutes[route].who === 'anyone') continue
    expect([route, await browser.refused(route)]).toEqual([
      route,
      '401 caller_refused session_ended',
    ])
  }
})

test('an agent and someone unknown have no rights at all', async () => {
  const { catalog } = (await consoleScene()).on.runtime.follower.state
  expect(consoleRights(catalog, 'bot')).toEqual([])
  expect(consoleRights(catalog, 'stranger')).toEqual([])
})

test('another method is refused at each path', async () => {
  const scene = await consoleScene({}, { rate })
  for (const route of allConsoleRoutes) {
    const { method, path } = consoleRoutes[route]
    const other = method === 'get' ? 'DELETE' : 'PUT'
    const { status } = await sent(scene, `${consoleApi}${path.replaceAll(/\{\w+\}/g, 'x')}`, {
      method: other,
    })
    expect([route, status]).toEqual([route, 405])
  }
})

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
