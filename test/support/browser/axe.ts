// What someone with a screen reader or a keyboard alone could not use in a view.
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { z } from 'zod'

const Found = z.object({
  violations: z.array(
    z.object({
      id: z.string(),
      nodes: z.array(
        z.object({ target: z.array(z.unknown()), failureSummary: z.string().default('') }),
      ),
    }),
  ),
})

/** Each violation with the elements that it is about; none where all is well. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  // As a debugger evaluates it, which the page's own policy of content does not refuse.
  await page.evaluate(axe.source)
  const { violations } = Found.parse(await page.evaluate('axe.run()'))
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  )
}
