// Each view of operators and authors, light and dark, on a phone and on a desk.
import { describe, test } from 'vitest'
import { hasBrowser } from '../../support/browser/chromium.ts'
import { proposals } from '../../support/learning-scene.ts'
import { looked, screens } from '../../support/browser/looking.ts'
import { asking, busy, granting, lookedAtBy, overseen } from './overseeing-scene.ts'

describe.runIf(hasBrowser)('every view of operators and authors', () => {
  test.each(screens)('is accessible on $name', async (screen) => {
    const scene = await overseen()
    await granting(scene)
    await busy(scene)
    await asking(scene)
    const [question] = await proposals(scene.on, 2)
    const page = await lookedAtBy(scene, 'root', screen.options)
    const see = async (view: string, place: string, sign: string): Promise<void> => {
      await page.goto(`${scene.url}/#/${place}`)
      await page.locator(sign).first().waitFor()
      await looked(page, `${view}-${screen.name}`)
    }
    await see('work', 'operating/work', '.figures')
    await see('open', 'operating/open', '.row')
    await see('faults', 'operating/faults', '.row')
    await see('agents', 'operating/agents', '.row')
    await see('questions', 'authoring/proposals', '.row')
    await see('question', `authoring/proposals/${question?.id}`, '.question')
    await see('grants', 'authoring/grants', '.row')
    await see('catalog', 'authoring/catalog', '.row')
    await page.getByRole('button', { name: 'Edit refund' }).click()
    await page.locator('.entry-field').first().waitFor()
    await looked(page, `entry-${screen.name}`)
    await page.keyboard.press('Escape')
    await see('graph', 'authoring/graph/file', '#concept')
    const text = page.locator('#concept')
    await text.fill((await text.inputValue()).replace('"known"', '"bytes with a name"'))
    await page.getByRole('button', { name: 'Add to the change set' }).click()
    await page.getByRole('button', { name: 'Preview and sign' }).click()
    await page.locator('.turn-lead').waitFor()
    await looked(page, `change-${screen.name}`)
  })
})
