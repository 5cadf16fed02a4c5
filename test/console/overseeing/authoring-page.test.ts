// What an author writes in a browser, at a real console: an answer to a question, a condition that
// is checked while it is typed, change sets previewed and signed, and a grant taken back.
import { describe, expect, test } from 'vitest'
import { find } from '#knowledge/graph/revision'
import { violationsOf } from '../../support/browser/axe.ts'
import { desk, hasBrowser, phone } from '../../support/browser/chromium.ts'
import { folded, proposals } from '../../support/learning-scene.ts'
import { asking, granting, lookedAtBy, overseen } from './overseeing-scene.ts'

const signs = 'dialog button[type=submit]'

describe.runIf(hasBrowser)('the author’s views', () => {
  test('answer two questions that look alike together, each signed by itself', async () => {
    const scene = await overseen()
    await asking(scene)
    await proposals(scene.on, 2)
    const page = await lookedAtBy(scene, 'root', phone)
    await page.goto(`${scene.url}/#/authoring/proposals`)
    await page.getByRole('button', { name: 'Answer them together' }).click()
    for (const level of ['D0', 'D1']) await page.getByLabel(level).fill('What is to be paid')
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Sign this answer to each' }).click()
    await page.locator('.field-good').nth(1).waitFor()
    const { state } = scene.on.runtime.follower
    await folded(scene.on, () => find(state.graph, 'invoise') !== undefined)
    expect(find(state.graph, 'invoice')).toBeDefined()
  })

  test('merge two questions into one name, and refuse the other as a name of its own', async () => {
    const scene = await overseen()
    await asking(scene)
    await proposals(scene.on, 2)
    const page = await lookedAtBy(scene, 'root', phone)
    await page.goto(`${scene.url}/#/authoring/proposals`)
    await page.getByRole('button', { name: 'Merge them into one' }).click()
    await page.getByLabel('Which name stays').selectOption('invoice')
    const look = page.getByRole('button', { name: 'Look at what it comes to' })
    expect(await look.isDisabled()).toBe(true)
    for (const level of ['D0', 'D1']) await page.getByLabel(level).fill('What is to be paid')
    expect(await violationsOf(page)).toEqual([])
    await look.click()
    await page.locator('.turn-lead').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Sign each of these' }).click()
    await page.locator('.field-good').nth(1).waitFor()
    const rulings = (await scene.on.facts('*.*.ruling.*.*')).map(({ data }) => data)
    expect(rulings).toMatchObject([
      { ruling: 'modified', candidate: { levels: [{ name: 'invoice' }] } },
      { ruling: 'rejected', note: 'The same as “invoice”, which stays.' },
    ])
    const { state } = scene.on.runtime.follower
    await folded(scene.on, () => find(state.graph, 'invoice') !== undefined)
    expect(find(state.graph, 'invoise')).toBeUndefined()
  })

  test('write a condition that is checked, preview what it would turn, and sign it', async () => {
    const scene = await overseen()
    const page = await lookedAtBy(scene, 'root', desk)
    await page.goto(`${scene.url}/#/authoring/catalog`)
    await page.getByRole('button', { name: 'A condition refund' }).click()
    await page.getByLabel('name', { exact: true }).fill('large')
    await page.getByLabel('when').fill('args.cents > "a"')
    await page.locator('.check-wrong').waitFor()
    expect(await page.locator(signs).isDisabled()).toBe(true)
    await page.getByLabel('when').fill('args.cents > 5000')
    await page.locator('.check-good').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.locator(signs).click()
    await page.getByRole('button', { name: 'Suspend the tool land' }).click()
    await page.getByRole('button', { name: 'Preview and sign' }).click()
    await page.locator('.turn-lead').waitFor()
    const members = page.locator('.changes > li').first().locator('.member')
    expect(await members.allTextContents()).toEqual([
      expect.stringMatching(/^conditions.*args\.cents > 5000/),
    ])
    expect(await violationsOf(page)).toEqual([])
    await page.locator(signs).click()
    await page.locator('dialog').waitFor({ state: 'detached' })
    const { capabilities } = scene.on.runtime.follower.state.catalog
    const [large] = capabilities.get('refund')?.conditions ?? []
    expect(large).toMatchObject({ name: 'large', when: 'args.cents > 5000', effect: 'confirm' })
    expect(capabilities.get('land')?.conditions).toMatchObject([{ when: 'true', effect: 'deny' }])
  })

  test('are given concepts where these may stand, and ask for none before', async () => {
    const scene = await overseen()
    const page = await lookedAtBy(scene, 'root', phone)
    await page.goto(`${scene.url}/#/authoring/catalog`)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.getByRole('button', { name: 'Edit look' }).click()
    await page.getByLabel('concepts').pressSequentially('fi')
    await page.getByRole('button', { name: 'file', exact: true }).click()
    expect(await page.getByLabel('concepts').inputValue()).toBe('file')
    const known = asked.filter((path) => path.endsWith('/concepts'))
    expect(known.length).toBeLessThanOrEqual(3)
  })

  test('write an agent by keyboard alone, with what is wrong at its field', async () => {
    const scene = await overseen()
    const page = await lookedAtBy(scene, 'root', phone)
    await page.goto(`${scene.url}/#/authoring/catalog/principals`)
    await page.getByRole('button', { name: 'Add one' }).press('Enter')
    const { keyboard } = page
    await page.locator(signs).press('Enter')
    expect(await page.locator('#entry-id-mistakes').textContent()).toBe('“id” must not be empty.')
    expect(await violationsOf(page)).toEqual([])
    await page.getByLabel('id', { exact: true }).focus()
    await keyboard.type('scout')
    await keyboard.press('Tab')
    await keyboard.type('writ')
    await page.locator('.fit').waitFor()
    await keyboard.press('Control+Space')
    await page.getByText('Everything else').press('Enter')
    await page.getByLabel('owner').fill('piet')
    await page.getByLabel('passkeys').fill('[\n{"id": 4}\n]')
    expect(await page.locator('#entry-passkeys-mistakes').textContent()).toContain('Line 2')
    await page.getByLabel('passkeys').fill('')
    await page.getByLabel('Text', { exact: true }).check()
    expect(JSON.parse(await page.getByLabel('As JSON').inputValue())).toEqual({
      id: 'scout',
      roles: ['writer'],
      owner: 'piet',
    })
    await page.locator(signs).press('Enter')
    await page.locator('.row-drafted', { hasText: 'scout' }).waitFor()
    expect(await violationsOf(page)).toEqual([])
  })

  test('show at its place what is wrong with a text, and keep what was written over a reload', async () => {
    const scene = await overseen()
    const page = await lookedAtBy(scene, 'root', phone)
    await page.goto(`${scene.url}/#/authoring/catalog/groups`)
    await page.getByRole('button', { name: 'Edit people' }).click()
    await page.locator('#entry').fill('{\n  "id": "people",\n  "members": 4\n}')
    expect(await page.locator('.mistakes li').textContent()).toContain('Line 3, column 14')
    expect(await violationsOf(page)).toEqual([])
    await page.locator('#entry').fill('')
    await page.locator('#entry').pressSequentially('{"id": "people", "members": ["pi')
    await page.getByRole('button', { name: 'piet' }).click()
    await page.locator('#entry').pressSequentially(']}')
    await page.locator(signs).click()
    await page.reload()
    await page.locator('.draft-bar').waitFor()
    await page.getByRole('button', { name: 'Edit people' }).click()
    expect(await page.locator('#entry').inputValue()).toMatch(/"piet"\s*\]/)
    expect(await violationsOf(page)).toEqual([])
  })

  test('set a budget and a built-in rule, each shown against what stands before it is signed', async () => {
    const scene = await overseen()
    const page = await lookedAtBy(scene, 'root', phone)
    await page.goto(`${scene.url}/#/authoring/catalog/settings`)
    await page.getByRole('button', { name: 'Add one Budgets' }).click()
    const budget = { name: 'refunds', max: 500, windowMs: 60_000, per: 'agent' }
    await page.locator('#entry').fill(JSON.stringify({ ...budget, max: 'much' }))
    await page.locator('.mistakes').waitFor()
    expect(await page.locator(signs).isDisabled()).toBe(true)
    await page.locator('#entry').fill(JSON.stringify(budget))
    await page.locator(signs).click()
    await page.getByRole('button', { name: 'Edit Built-in rules' }).click()
    await page.locator('#entry').fill('{"maxRows": 5}')
    expect(await violationsOf(page)).toEqual([])
    await page.locator(signs).click()
    await page.locator('dialog').waitFor({ state: 'detached' })
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Preview and sign' }).click()
    await page.locator('.turn-lead').waitFor()
    await page.locator('.changes .tag').nth(1).waitFor()
    await page.locator(signs).click()
    await page.locator('dialog').waitFor({ state: 'detached' })
    const { budgets, defaults } = scene.on.runtime.follower.state.catalog
    expect([budgets, defaults]).toEqual([[budget], { maxRows: 5 }])
  })

  test('change the graph: what is written says who wrote it', async () => {
    const scene = await overseen()
    const page = await lookedAtBy(scene, 'root', desk)
    await page.goto(`${scene.url}/#/authoring/graph/file`)
    const text = page.locator('#concept')
    await text.fill((await text.inputValue()).replace('"known"', '"bytes with a name"'))
    await page.getByRole('button', { name: 'Add to the change set' }).click()
    await page.getByRole('button', { name: 'Preview and sign' }).click()
    await page.locator('.turn-lead').waitFor()
    await page.locator('.member dt', { hasText: 'D1.properties.what' }).waitFor()
    expect(await page.locator('.member ins').allTextContents()).toEqual(['bytes with a name'])
    await page.locator(signs).click()
    await page.locator('dialog').waitFor({ state: 'detached' })
    expect(await text.inputValue()).toContain('bytes with a name')
    expect(await violationsOf(page)).toEqual([])
    expect(scene.on.runtime.follower.state.graphRevision).toBe(2)
  })

  test('add a concept and relate it, then leave it out again', async () => {
    const scene = await overseen()
    const page = await lookedAtBy(scene, 'root', phone)
    await page.goto(`${scene.url}/#/authoring/graph`)
    await page.getByLabel('Find a concept').fill('ledger')
    await page.getByRole('link', { name: 'Add a concept: ledger' }).click()
    const relatum = { type: 'REQUIRES', target: 'file', targetDepth: 1 }
    const depths = [{ level: 0 }, { level: 1, properties: { what: 'sums' }, relata: [relatum] }]
    await page.locator('#concept').fill(JSON.stringify({ name: 'ledger', depths }))
    await page.getByRole('button', { name: 'Add to the change set' }).click()
    await page.getByText('4 changes of the graph').waitFor()
    await page.getByRole('link', { name: 'All concepts' }).click()
    await page.locator('.tile-drafted', { hasText: 'ledger' }).waitFor()
    await page.getByRole('button', { name: 'Preview and sign' }).click()
    await page.locator('.turn-lead').waitFor()
    for (let left = 4; left > 0; left -= 1) {
      await page.getByRole('button', { name: 'Leave out' }).first().click()
    }
    await page.locator('.tile-drafted').waitFor({ state: 'detached' })
  })

  test('take back a grant', async () => {
    const scene = await overseen()
    await granting(scene)
    const page = await lookedAtBy(scene, 'root', phone)
    await page.goto(`${scene.url}/#/authoring/grants`)
    await page.getByRole('button', { name: /^Revoke/ }).click()
    await page.locator(signs).click()
    await page.locator('.empty').waitFor()
    await page.getByRole('link', { name: /^All/ }).click()
    await page.locator('.state-bad').waitFor()
    expect(await violationsOf(page)).toEqual([])
  })
})
