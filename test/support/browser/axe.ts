// What someone with a screen reader or a keyboard alone could not use in a view.
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** Each violation with the elements that it is about; none where all is well. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  )
}
