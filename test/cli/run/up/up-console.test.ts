// What `warrant up console` does not begin with.
import { expect, test } from 'vitest'
import { upConsole } from '#cli/run/up/console'

test.each(['javascript:alert("{trace}")', 'https://traces.example', 'ftp://x/{trace}'])(
  'an address of traces such as %s is refused',
  async (traceUrl) => {
    const asked = upConsole({ realm: 'main', stages: false, traceUrl })
    await expect(asked).rejects.toMatchObject({ code: 'usage' })
  },
)
