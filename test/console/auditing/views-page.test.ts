// Each view of the auditor, light and dark, on a phone and on a desk.
import { beforeAll, describe, test } from 'vitest'
import { hasBrowser } from '../../support/browser/chromium.ts'
import { looked, screens } from '../../support/browser/looking.ts'
import { auditorAt, auditorScene } from './auditor-scene.ts'
import { pageFiles } from '../../support/browser/page-files.ts'

beforeAll(async () => {
  if (hasBrowser) await pageFiles()
})

describe.runIf(hasBrowser)('every view of the auditor', () => {
  test.each(screens)('is accessible on $name', async (screen) => {
    const of = await auditorScene()
    const page = await auditorAt(of, 'log', screen.options)
    const see = async (view: string, place: string, sign: string): Promise<void> => {
      await page.goto(`${of.serving.url}/#/${place}`)
      await page.locator(sign).first().waitFor()
      await looked(page, `${view}-${screen.name}`)
    }
    const { approved, refused, unknown } = of.asked
    const at = (address: string): string => `intents/${encodeURIComponent(address)}`
    await see('log', 'log', '.found-row')
    await see('log-filtered', 'log?kind=verdict&outcome=deny', '.found-row')
    await see('story', at(approved), '.step')
    await see('story-graph', `${at(unknown)}/graph`, '.box')
    await see('why', `${at(refused)}/why`, '.leaf')
    await see('known', 'graph?at=r1&concept=refund', '.box-middle')
    await see('compare', 'compare?of=graph&from=r1', '.entry-added')
    await page.goto(`${of.serving.url}/#/${at(approved)}/derive`)
    await page.getByRole('button', { name: 'Derive it again here' }).click()
    await page.locator('.tag-equal').first().waitFor({ timeout: 60_000 })
    await looked(page, `derive-${screen.name}`)
  })
})
