// A real browser for tests of the page: that of `CHROME_PATH`, else the system's Chromium or
// Chrome, else what `@sparticuz/chromium` brings. Where none is, the tests that need one are
// skipped, and the run reports it at its end.
import { existsSync } from 'node:fs'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { z } from 'zod'
import { assert } from '#record/fault'
import { endWithFile, endWithTest } from '../vitest/endings.ts'

const system = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const Brought = z.object({ default: z.object({ executablePath: z.function() }) })

const program = await chromiumFile()

/** CI demands it with `WARRANT_BROWSER_REQUIRED`. */
export const hasBrowser: boolean = program !== null
const isRequired = (process.env['WARRANT_BROWSER_REQUIRED'] ?? '') !== ''
assert(hasBrowser || !isRequired, 'a Chromium is here: it is required')

async function chromiumFile(): Promise<string | null> {
  const given = process.env['CHROME_PATH'] ?? ''
  assert(given === '' || existsSync(given), 'CHROME_PATH is the program of a Chromium')
  if (given !== '') return given
  const found = system.map((name) => `/usr/bin/${name}`).find((path) => existsSync(path))
  return found ?? (await broughtAlong())
}

async function broughtAlong(): Promise<string | null> {
  const name = '@sparticuz/chromium'
  const loaded: unknown = await import(name).catch(() => null)
  const brought = Brought.safeParse(loaded)
  if (!brought.success) return null
  return z.string().parse(await brought.data.default.executablePath())
}

let browser: Browser | null = null

/** One for all tests of a file. */
async function launched(): Promise<Browser> {
  if (browser !== null) return browser
  assert(program !== null, 'a test that needs a browser asks `hasBrowser` first')
  browser = await chromium.launch({
    executablePath: program,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
  })
  endWithFile(async () => {
    const closing = browser
    browser = null
    await closing?.close()
  })
  return browser
}

/** What has a screen of this size, and nothing of what others stored. */
export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
export const desk = { viewport: { width: 1280, height: 800 } }

/** A person's browser: its own cookies, keys and storage. It ends with the test. */
export async function openPage(options: BrowserContextOptions = phone): Promise<Page> {
  const of = await launched()
  const context = await of.newContext({ locale: 'en-GB', timezoneId: 'Europe/Berlin', ...options })
  endWithTest(() => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  return page
}
