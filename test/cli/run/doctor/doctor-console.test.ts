// What doctor finds of a console by its address: the files that it gives, what it tells browsers,
// and how it is addressed.
import { expect, test } from 'vitest'
import { digestOf } from '#record/digest'
import { headersAt } from '#console/page-answers'
import type { PageFiles } from '#console/pages'
import { serveConsole } from '#console/serving'
import { addressFinding, headersFinding } from '#cli/run/doctor/run'
import { run } from '../../../support/cli-runner.ts'
import { look, scene } from '../../../support/scene.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { endWithTest } from '../../../support/vitest/endings.ts'
import { pageFiles } from '../../../support/browser/page-files.ts'

async function served(files: PageFiles): Promise<string> {
  const { runtime } = await scene({ catalog: { capabilities: [look] } })
  const listen = { host: '127.0.0.1', port: 0 }
  const serving = await serveConsole({ runtimes: [runtime], listen, files })
  endWithTest(() => serving.close(0))
  return serving.url
}

test('a console that serves this release passes, which takes no log, and a changed one fails', async () => {
  const files = await pageFiles()
  const cwd = await temporaryFolder()
  const doctor = (url: string) => run(['doctor', '--url', url], { cwd })
  const sound = await doctor(await served(files))
  expect(sound).toMatchObject({ code: 0, stdout: expect.stringContaining('all checks passed') })
  const bytes = new TextEncoder().encode('<script src="/other.js"></script>')
  const page = { bytes, type: 'text/html; charset=utf-8', digest: digestOf(bytes) }
  const changed = await doctor(await served(new Map([...files, ['/', page]])))
  expect(changed.code).toBe(1)
  expect(changed.stdout).toMatch(/1 of \d+ files differ: \//)
})

test('an address at which no console is, and what is no address, are refused', async () => {
  const cwd = await temporaryFolder()
  const nowhere = await run(['doctor', '--url', 'http://127.0.0.1:1'], { cwd })
  expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining('no console answers') })
  expect((await run(['doctor', '--url', 'console'], { cwd })).code).toBe(2)
})

test('it is addressed by https, or on this machine', () => {
  const statusOf = (origin: string) => addressFinding(origin).status
  expect(statusOf('https://console.example')).toBe('ok')
  expect(statusOf('http://localhost:7719')).toBe('ok')
  expect(statusOf('http://console.example')).toBe('failure')
})

test('a header more than this release has for a path is found, and one less', () => {
  const origin = 'https://console.example'
  const at = (path: string, more: Readonly<Record<string, string>> = {}) => {
    return { path, headers: new Headers({ ...headersAt(path, origin), ...more }) }
  }
  const all = [at('/'), at('/deriving.js')]
  expect(headersFinding(origin, all).status).toBe('ok')
  const [page] = all
  const framed = [at('/', { 'x-frame-options': 'SAMEORIGIN' }), at('/a.js')]
  expect(headersFinding(origin, framed).found).toContain('x-frame-options at /')
  page?.headers.delete('referrer-policy')
  expect(headersFinding(origin, all).found).toContain('referrer-policy at /')
  const asPage = { path: '/', headers: new Headers(headersAt('/deriving.js', origin)) }
  expect(headersFinding(origin, [asPage]).status).toBe('failure')
})

test('browsers are bound to TLS where a console is addressed by it, and not on this machine', () => {
  const bound = (origin: string) => 'strict-transport-security' in headersAt('/', origin)
  expect(bound('https://console.example')).toBe(true)
  expect(bound('https://localhost:7719')).toBe(false)
  expect(bound('http://localhost:7719')).toBe(false)
  const without = { path: '/', headers: new Headers(headersAt('/', 'http://localhost:7719')) }
  const { found } = headersFinding('https://console.example', [without])
  expect(found).toContain('strict-transport-security at /')
})
