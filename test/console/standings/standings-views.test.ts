// Each view of standings and contracts, light and dark, on a phone and on a desk.
import { describe, test } from 'vitest'
import { reinstate } from '#client/people/reinstate'
import { hasBrowser } from '../../support/browser/chromium.ts'
import { looked, screens } from '../../support/browser/looking.ts'
import { inTwoSteps, soft } from '../../people/passkey-scene.ts'
import { lookedAtBy, overseen } from '../overseeing/overseeing-scene.ts'
import { fails, given, passes, settled, workCatalog } from './standings-scene.ts'

describe.runIf(hasBrowser)('every view of standings and contracts', () => {
  test.each(screens)('is accessible on $name', async (screen) => {
    const scene = await overseen({
      ...workCatalog,
      work: { ...workCatalog.work, alpha: 0.3, probation: 5 },
    })
    const { on, url } = scene
    await settled(on, passes)
    await settled(on, fails, 'T-2')
    const refuted = await settled(on, fails, 'T-3')
    const at = { id: 'here', rpId: 'localhost', origins: [url] }
    const how = { agent: 'bot', by: 'root', reason: 'its tests were wrong' }
    await inTwoSteps(soft.root, (sign) => reinstate(on.runtime, { ...how, sign }), { at })
    for (const taskId of ['T-4', 'T-5']) await settled(on, passes, taskId)
    await given(on, { taskId: 'T-6' })
    const page = await lookedAtBy(scene, 'root', screen.options)
    const see = async (view: string, place: string, sign: string): Promise<void> => {
      await page.goto(`${url}/#/operating/${place}`)
      await page.locator(sign).first().waitFor()
      await looked(page, `${view}-${screen.name}`)
    }
    await see('standings', 'standings', '.table')
    await see('standing', 'standings/bot', '.standing-path')
    await see('contracts', 'contracts', '.row')
    await see('contract', `contracts/${encodeURIComponent(refuted)}`, '.marked-bad')
  })
})
