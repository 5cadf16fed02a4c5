// A folder as `warrant init` begins one, with a tool that stands for two concepts: of one something
// is known, and of what the tool does nothing, so that the first request is denied.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run, type Ran, type RunOptions } from '../cli-runner.ts'

const primitives = [
  {
    name: 'email',
    depths: [
      { level: 0 },
      { level: 1, properties: { description: 'One email, to one person or to several.' } },
    ],
  },
]

export async function beginKnowing(options: RunOptions): Promise<Ran> {
  const { cwd } = options
  const seed = join(cwd, 'warrant')
  await mkdir(seed, { recursive: true })
  await mkdir(join(cwd, '.warrant'), { recursive: true })
  const key = JSON.parse((await run(['keys', 'new', 'you', '--json'], options)).stdout)
  const catalog = {
    principals: [
      { id: 'you', roles: ['policy-admin'], keys: [key.publicKey] },
      { id: 'my-agent', roles: ['writer'], owner: 'you' },
    ],
    capabilities: [
      {
        id: 'send_email',
        description: 'send email',
        safetyClass: 'WRITE',
        concepts: ['send', 'email'],
        argsSchema: { type: 'object' },
      },
    ],
  }
  await writeFile(join(seed, 'catalog.json'), JSON.stringify(catalog))
  await writeFile(join(seed, 'graph.json'), JSON.stringify({ primitives }))
  await writeFile(join(seed, 'README.md'), '# A seed\n')
  return run(['seed', 'warrant'], options)
}
