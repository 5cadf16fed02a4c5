// The commands of docs/agents/adopt.md, as they stand there, run by a shell in a folder of a
// newcomer. Only what would leave this machine is replaced: the server of tools, the port, the
// installed package; and a person who agrees at a terminal.
import { spawn } from 'node:child_process'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandOf, ended } from '../../../support/cli-process.ts'
import { environmentFor, type Ran } from '../../../support/cli-runner.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const root = join(import.meta.dirname, '../../../..')
const program = join(root, 'test/mcp/fixture-server.mjs')

/** The blocks below that heading, in order. */
async function blocks(heading: string): Promise<readonly string[]> {
  const page = await readFile(join(root, 'docs/agents/adopt.md'), 'utf8')
  const section = page.split(/^## /mu).find((one) => one.startsWith(`${heading}\n`)) ?? ''
  const found = [...section.matchAll(/^```\n(?<block>[\s\S]*?)^```$/gmu)]
  return found.map(({ groups }) => groups?.['block'] ?? '')
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** A folder with a `warrant` on its path; what runs in the background ends with the script. */
async function newcomer() {
  const cwd = await temporaryFolder()
  const bin = join(cwd, 'bin')
  await mkdir(bin)
  const shim = join(bin, 'warrant')
  const words = commandOf([]).map((word) => `'${word}'`)
  await writeFile(shim, `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`)
  await chmod(shim, 0o755)
  const port = await freePort()
  const own = environmentFor({ cwd })
  const env = { ...own, PATH: `${bin}:${own['PATH'] ?? ''}`, HOME: cwd }
  const health = `http://127.0.0.1:${port}/healthz`
  const served = `until curl -sf ${health} >server.health; do sleep 0.1; done`
  return async (block: string): Promise<Ran> => {
    const script = block
      .replace('$(npm root -g)/warrant-runtime/seeds', join(root, 'seeds'))
      .replaceAll(/npx -y @\S+ \./gu, `'${process.execPath}' '${program}' runs`)
      .replace('warrant mcp add', 'warrant mcp add --yes --key ann')
      .replaceAll('7718', String(port))
      .replace('warrant up http &', `warrant up http --listen ${port} 2>server.log &\n${served}`)
    const ending = `trap 'kill $(jobs -p) 2>/dev/null || :' EXIT`
    const child = spawn('bash', ['-eu', '-c', `${ending}\n${script}`], { cwd, env })
    child.stdin.end()
    return ended(child)
  }
}

test('coding agents: asking, observing, enforcing', async () => {
  const [asking = '', observing = '', enforcing = ''] = await blocks('Coding agents')
  const shell = await newcomer()
  const asked = await shell(asking)
  expect(asked).toMatchObject({ code: 0 })
  expect(asked.stdout).not.toContain('WRONG')
  const observed = await shell(observing)
  expect(observed).toMatchObject({ code: 0 })
  expect(observed.stderr).toContain('NOTHING IS ENFORCED')
  expect(observed.stdout).toContain('no observed call')
  expect(await shell(enforcing)).toMatchObject({ code: 0 })
})

test('an agent with MCP servers: observing, asking', async () => {
  const [observing = '', asking = ''] = await blocks('An agent with MCP servers')
  const shell = await newcomer()
  const observed = await shell(observing)
  expect(observed).toMatchObject({ code: 0 })
  expect(observed.stderr).toContain('NOTHING IS ENFORCED')
  expect(await shell(asking)).toMatchObject({ code: 0 })
})

test('any language, over HTTP: observing', async () => {
  const [observing = ''] = await blocks('Any language, over HTTP')
  const ran = await (await newcomer())(observing)
  expect(ran).toMatchObject({ code: 0 })
  expect(ran.stdout).toContain('"observed":true')
  expect(ran.stdout).toMatch(/send_email +ask people +insufficient_justification +1/u)
})
