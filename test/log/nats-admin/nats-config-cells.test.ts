// The configuration of a realm of cells: which cell an agent is in, and what each role may do in
// the cells and with what they share.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { shardOf } from '#log/nats/intake'
import { rightsOf, sitesOf } from '#log/nats-config/rights'
import { serverConfig, type ServerUser } from '#log/nats-config/server-config'
import { catalogFromFile } from '#rules/catalog/catalog-file'
import { cellOf } from '#rules/catalog/cells'
import { isControl } from '#record/names'
import { allRoles, powersOf, type Role } from '#record/roles'
import { isKind } from '#schemas/kinds'
import { run } from '../../support/cli-runner.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const cells = 3
const deployment = { realm: 'main', era: 2, cells }

/** What the cells share, by who binds it; written out here once more, by hand. */
const boundInControl: Partial<Record<Role, readonly string[]>> = {
  learning: ['proposal.*', 'meeting.*.*', 'suggestion.*.*', 'expiry.*', 'graph.*'],
  confirmer: [
    'grant.*.bot',
    'ruling.*.bot',
    'reopening.*.bot',
    'revocation.*',
    'enrolment.bot.*',
    'absence.bot.*',
  ],
  // It binds for anyone who signs in there, so under the name of each principal.
  console: [
    'grant.*.*',
    'ruling.*.*',
    'reopening.*.*',
    'revocation.*',
    'enrolment.*.*',
    'absence.*.*',
    'graph.*',
    'catalog.*',
  ],
  'policy-admin': ['graph.*', 'catalog.*', 'revocation.*'],
}

describe('what a role may do in a realm of cells', () => {
  const known = (role: Role, cell?: number) =>
    rightsOf(role, sitesOf(deployment, cell), 'bot').map((right) => right.known)
  const isShared = (subject: string) =>
    subject.split('.').some((part) => isKind(part) && isControl(part))
  const inControl = (subjects: readonly string[]) =>
    subjects.filter((one) => /\bmain(-1)?\b(?!-c)/.test(one))

  test.each(allRoles)('%s: in each cell what it may in a realm of one log, era by era', (role) => {
    const alone = rightsOf(role, sitesOf({ realm: 'alone', era: 2 }), 'bot')
      .map((right) => right.known)
      .filter((one) => one.includes('alone') && !isShared(one))
    expect(alone).not.toEqual([])
    for (const cell of ['main-c0', 'main-c1', 'main-c2']) {
      const found = known(role).filter((one) => one.includes(cell))
      expect(found.toSorted()).toEqual(alone.map((one) => one.replaceAll('alone', cell)).toSorted())
    }
    expect(known(role).filter((one) => one.includes('main-c3'))).toEqual([])
  })

  test.each(allRoles)('%s: of what the cells share it binds its own kinds, or reads it', (role) => {
    const names = boundInControl[role] ?? []
    const found = inControl(known(role))
    const reads = found.filter((one) => /(LOG|MIRROR)-main-1\b/.test(one))
    const bound = found.filter((one) => !reads.includes(one))
    expect(bound.toSorted()).toEqual(names.map((name) => `main.1.${name}`).toSorted())
    const asked = powersOf(role).readsAll
      ? expect.arrayContaining([
          'LOG.API.STREAM.INFO.LOG-main-1',
          'LOG.API.DIRECT.GET.MIRROR-main-1',
        ])
      : []
    expect(reads).toEqual(asked)
    expect(reads.filter((one) => /ACK|CONSUMER\.\S+\.LOG-/.test(one))).toEqual([])
    expect(known(role).join(' ')).not.toMatch(/INTAKE-main-\d|main\.in\.|main\.2\.|main-2/)
  })

  test('an agent has nothing of another cell, and nothing of what the cells share', () => {
    const own = known('agent', 1)
    expect(own.length).toBeGreaterThan(0)
    expect(own.filter((one) => !one.includes('main-c1'))).toEqual([])
  })

  test('the text keeps an agent to its cell, and lets everyone else into all', () => {
    const bot = { role: 'agent' as const, name: 'bot', publicKey: 'UBOT', cell: 1 }
    const users: readonly ServerUser[] = [
      bot,
      ...(['tool', 'desk', 'policy', 'auditor'] as const).map((role) => {
        return { role, name: role, publicKey: `U${role}` }
      }),
    ]
    const about = { ...deployment, listen: '127.0.0.1:4222', storeFolder: '/data' }
    const text = serverConfig({ ...about, users })
    const ofUser = (key: string) => text.split(`nkey: ${key}`)[1]?.split('  }')[0] ?? ''
    expect(cellsIn(ofUser('UBOT'))).toEqual(['main-c1'])
    expect(ofUser('UBOT')).toContain('"main-c1.notice.bot.*.*"')
    for (const key of ['Utool', 'Udesk', 'Upolicy', 'Uauditor'])
      expect([key, cellsIn(ofUser(key))]).toEqual([key, ['main-c0', 'main-c1', 'main-c2']])
    for (const log of ['LOG-main-1', 'LOG-main-c0-1', 'LOG-main-c2-2'])
      expect(text).toContain(`{ service: "$JS.FC.${log}.>", accounts: [MIRROR, MIRROR_PEOPLE] }`)
    expect(text).not.toContain('LOG-main-2')
    for (const wrong of [
      { ...bot, cell: undefined },
      { ...bot, cell: 3 },
      { ...bot, role: 'tool' as const },
    ])
      expect(() => serverConfig({ ...about, users: [wrong] })).toThrow('cell')
  })
})

describe('nats-config', () => {
  const bot = (cell?: number) => ({ role: 'agent', name: 'bot', cell })
  const tool = { role: 'tool', name: 'shop' }

  /** Runs it in a folder with that list of users, and a catalog of three cells. */
  async function ran(users: readonly unknown[], args: readonly string[], cwd?: string) {
    const folder = cwd ?? (await temporaryFolder())
    await writeFile(join(folder, 'users.json'), JSON.stringify(users))
    await writeFile(join(folder, 'catalog.json'), JSON.stringify(catalogOf('red')))
    await writeFile(join(folder, 'plain.json'), '{}')
    const result = await run(['nats-config', '--users', 'users.json', ...args], { cwd: folder })
    return { ...result, cwd: folder }
  }
  const textIn = (cwd: string) => readFile(join(cwd, 'nats/server.conf'), 'utf8')

  test('prints below which subject who publishes, and what to run next', async () => {
    const { stdout, cwd } = await ran([bot(1), tool], ['--cells', '3'])
    expect(stdout).toContain(` main-c1.in.${shardOf('bot')} `)
    expect(stdout).toContain(` main-c*.in.${shardOf('shop')} `)
    expect(stdout).toMatch(/warrant nats init .* --cells 3\n/)
    const json = await run(['nats-config', '--json'], { cwd })
    expect(JSON.parse(json.stdout).users).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ name: 'bot', cell: 1, prefix: `main-c1.in.${shardOf('bot')}` }),
        expect.objectContaining({ name: 'shop', prefix: `main-c*.in.${shardOf('shop')}` }),
      ]),
    )
  })

  test('remembers the cells, and the cell of each agent', async () => {
    const { cwd } = await ran([bot(1), tool], ['--cells', '3'])
    const before = await textIn(cwd)
    expect((await run(['nats-config'], { cwd })).code).toBe(0)
    expect(await textIn(cwd)).toBe(before)
    expect((await run(['nats-config', '--user', 'agent:bot'], { cwd })).code).toBe(0)
    expect(await textIn(cwd)).toContain('main-c1.in.')
    const fewer = await run(['nats-config', '--cells', '2'], { cwd })
    expect([fewer.code, fewer.stderr.includes('no known cell')]).toEqual([2, true])
  })

  test.each([[[]], [['--catalog', 'catalog.json']]])(
    'knows more cells before the catalog has them, and moves no agent for it: %j',
    async (args) => {
      const { cwd } = await ran([bot(), tool], ['--catalog', 'catalog.json'])
      const more = await run(['nats-config', '--cells', '4', ...args], { cwd })
      expect([more.code, more.stdout.includes('now in cell')]).toEqual([0, false])
      expect(more.stdout).toContain(` main-c${cellIn('red')}.in.`)
      expect(cellsIn(await textIn(cwd))).toContain('main-c3')
    },
  )

  test('writes nothing of cells where there are none', async () => {
    const { cwd } = await ran([bot(), tool], [])
    expect(await textIn(cwd)).not.toMatch(/cell|main-c/)
  })

  test('places agents by the catalog, and says who has moved', async () => {
    const { stdout, cwd } = await ran([bot(), tool], ['--catalog', 'catalog.json'])
    expect(stdout).toContain(` main-c${cellIn('red')}.in.`)
    expect(stdout).not.toContain('now in cell')
    const other = ['blue', 'green', 'white', 'black'].find((one) => cellIn(one) !== cellIn('red'))
    await writeFile(join(cwd, 'moved.json'), JSON.stringify(catalogOf(other ?? '')))
    const moved = await run(['nats-config', '--catalog', 'moved.json'], { cwd })
    expect(moved.stdout).toContain(`\nagent:bot: now in cell ${cellIn(other ?? '')}\n`)
    expect(await textIn(cwd)).toContain(`"main-c${cellIn(other ?? '')}.notice.bot.*.*"`)
    expect(await textIn(cwd)).not.toContain(`"main-c${cellIn('red')}.notice.bot.*.*"`)
  })

  test('--check finds a right in another cell, and one that is missing in its own', async () => {
    const { cwd } = await ran([bot(1), tool], ['--cells', '3'])
    const checked = async (file: string, ...more: readonly string[]) => {
      const { stdout } = await run(['nats-config', '--check', file, '--json', ...more], { cwd })
      return JSON.parse(stdout)
    }
    expect(await checked('nats/server.conf')).toMatchObject({ ok: true })
    const [own, foreign] = [1, 0].map((cell) => `main-c${cell}.in.${shardOf('bot')}.vlp.bot.*.*`)
    const text = (await textIn(cwd)).replace(`"${own}"`, `"${foreign}"`)
    await writeFile(join(cwd, 'changed.conf'), text)
    expect((await checked('changed.conf')).differences).toEqual([
      { is: 'wider', about: 'agent:bot', found: `it may publish ${foreign}` },
      { is: 'narrower', about: 'agent:bot', found: `it may not publish ${own}` },
    ])
    const byCatalog = await checked('nats/server.conf', '--catalog', 'catalog.json')
    expect(byCatalog.ok).toBe(cellIn('red') === 1)
  })

  test.each([
    ['one cell', [], ['--cells', '1'], 'from 2 to 256'],
    ['too many cells', [], ['--cells', '257'], 'from 2 to 256'],
    ['an agent in no known cell', [bot()], ['--cells', '3'], 'give --catalog, or its "cell"'],
    ['a cell without --cells', [bot(1)], [], 'give --cells'],
    ['a cell that is not there', [bot(3)], ['--cells', '3'], 'the last of 3 is 2'],
    ['a tool in one cell', [{ ...tool, cell: 1 }], ['--cells', '3'], 'only an agent'],
    ['fewer', [], ['--cells', '2', '--catalog', 'catalog.json'], '3 cells, and not 2'],
    ['a catalog without cells', [], ['--catalog', 'plain.json'], 'has no cells'],
    [
      'a cell that the catalog says otherwise',
      [bot((cellIn('red') + 1) % 3)],
      ['--catalog', 'catalog.json'],
      'the catalog says',
    ],
    ['a realm that is a cell', [], ['--cells', '2', '--realm', 'main-c1'], 'is a cell itself'],
  ])('is refused with %s', async (_, users, args, says) => {
    const { code, stderr, cwd } = await ran(users, args)
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(says) })
    expect(await readdir(cwd)).not.toContain('nats')
  })
})

function cellsIn(text: string): readonly string[] {
  return [...new Set(text.match(/main-c\d+/g))].toSorted()
}

/** A catalog of three cells, in which the agent is of that fleet. */
function catalogOf(fleet: string) {
  const owner = { id: 'olga' }
  return { cells: 3, principals: [owner, { id: 'bot', owner: 'olga', attributes: { fleet } }] }
}

function cellIn(fleet: string): number {
  const { catalog } = catalogFromFile(catalogOf(fleet))
  if (catalog === undefined) throw new Error('the catalog is refused')
  return cellOf(catalog, 'bot') ?? 0
}
