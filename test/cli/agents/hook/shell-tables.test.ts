// The tables of commands: none leaves an option open that could do harm, those of this program are
// what its registry has, and an option is judged the same however it is spelled.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { conceptsOfCommand } from '#shell/concepts'
import { readShell } from '#judging/parser/parse'
import { tableProblem } from '#shell/table-check'
import { ShellCommands, type ShellEntry, type ShellListed } from '#schemas/shell/table'
import { openShellSeed } from '#cli/agents/hook/check'
import { buildProgram } from '#cli/program'

const { table, graph } = await openShellSeed()
const folder = join(import.meta.dirname, '../../../../seeds/shell/commands')
const commands = readdirSync(folder).flatMap((name) => {
  return Object.entries(
    ShellCommands.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))).commands,
  )
})

interface Place {
  readonly line: string
  readonly entry: ShellEntry
}

/** Every entry with the command line that leads to it. */
function placesOf([names, entry]: readonly [string, ShellEntry]): readonly Place[] {
  const name = names.split(' ')[0] ?? ''
  const inner = Object.entries(entry.sub ?? {}).filter(([one]) => !one.includes('*'))
  return [
    { line: name, entry },
    ...(entry.listed ?? []).map((one) => ({ line: `${name} ${firstOf(one)}`, entry: one })),
    ...inner.flatMap(placesOf).map((one) => ({ ...one, line: `${name} ${one.line}` })),
  ]
}

function firstOf({ paths }: ShellListed): string {
  const [before = '', last = ''] = Object.entries(paths)[0] ?? []
  return `${before} ${last.split(' ')[0] ?? ''}`.trim()
}

const places = commands.flatMap(placesOf)
const judged = (command: string) => conceptsOfCommand({ command }, { read: readShell, table })

describe('what a mode asks for', () => {
  const asked = places.flatMap(({ line, entry }) => {
    const names = (entry.modes ?? [])
      .flatMap(({ has = '' }) => has.split(' '))
      .filter((one) => !one.includes('='))
    const takes = new Map(
      Object.entries(entry.options ?? {}).flatMap(([keys, role]) => {
        return keys.split(' ').map((key) => [key, role] as const)
      }),
    )
    const isSwitch = (name: string) => !/^[a-z]/u.test(takes.get(name) ?? '')
    const isLong = (name: string) => name.startsWith('--') || entry.oneDash === true
    return names
      .filter((one) => one !== '' && isLong(one) && isSwitch(one))
      .map((one) => ({ line, one }))
  })

  test('is not given where its value turns it off', () => {
    const wrong = asked.flatMap(({ line, one }) => {
      return ['false', 'no', '0'].flatMap((off) => {
        const found = judged(`${line} ${one}=${off} x`)
        const isHeld = found.includes('unknown.option') || found.includes('code.run')
        return isHeld ? [] : [{ command: `${line} ${one}=${off} x`, found }]
      })
    })
    expect(asked.length).toBeGreaterThan(100)
    expect(wrong).toEqual([])
  })

  test('by a value counts with that value alone', () => {
    const valued = places.flatMap(({ line, entry }) => {
      const names = (entry.modes ?? []).flatMap(({ has = '' }) => has.split(' '))
      return names.filter((one) => one.includes('=')).map((one) => ({ line, one }))
    })
    const wrong = valued.flatMap(({ line, one }) => {
      const name = one.slice(0, one.indexOf('='))
      const plain = judged(`${line} x`)
      return ['none', 'false', '"$value"']
        .flatMap((value) => [`${line} ${name}=${value} x`, `${line} ${one} ${name}=${value} x`])
        .filter((command) => !plain.every((concept) => judged(command).includes(concept)))
    })
    expect(valued.length).toBeGreaterThan(10)
    expect(wrong).toEqual([])
  })
})

describe('what a wrapper hands on', () => {
  const harmless = /^(?:harmless|read\.(?:inside|system))$/u
  const missing = (wrapped: string, plain: string) => {
    const found = judged(wrapped)
    const lost = judged(plain).filter((one) => !harmless.test(one) && !found.includes(one))
    return lost.length === 0 ? [] : [{ wrapped, lost }]
  }

  test('counts as a name where the line does not state what comes', () => {
    const given = ['xargs', 'xargs -0 -n 1', 'env xargs', 'nice -n 5 xargs']
    const wrong = places.flatMap(({ line }) => {
      return given.flatMap((wrapper) => missing(`${wrapper} ${line}`, `${line} *`))
    })
    expect(wrong).toEqual([])
  })

  test('is not known where it stands in a file', () => {
    const given = ['xargs -a list', 'xargs --arg-file=list', 'xargs -0a list', 'xargs < list']
    const wrong = places.flatMap(({ line }) => {
      return given.flatMap((wrapper) => missing(`${wrapper} ${line}`, `${line} "$unknown"`))
    })
    expect(wrong).toEqual([])
  })
})

test('a name that no table lists has no help of its own where it may run code', () => {
  const wrong = places.flatMap(({ line, entry }) => {
    if (entry.sub === undefined) return []
    const plain = judged(`${line} no-one-has-this`)
    if (!plain.includes('code.run')) return []
    return ['--help', '--version'].flatMap((option) => {
      const found = judged(`${line} no-one-has-this ${option}`)
      return found.includes('code.run') ? [] : [`${line} no-one-has-this ${option}`]
    })
  })
  expect(wrong).toEqual([])
})

describe('options that no one listed', () => {
  test('count for nothing only for programs that were looked through', () => {
    const open = places.filter(({ entry }) => entry.anyOption === true).map(({ line }) => line)
    expect(open.toSorted()).toEqual([
      'basename',
      'cat',
      'cut',
      'df',
      'dirs',
      'echo',
      'head',
      'join',
      'ls',
      'md5sum',
      'nproc',
      'return',
      'test',
      'tr',
      'true',
      'type',
      'unalias',
      'uniq',
      'which',
      'yes',
    ])
  })

  test('are asked about in every table that lists some', () => {
    const quiet = places.flatMap(({ line, entry }) => {
      if (entry.anyOption === true || entry.sub !== undefined) return []
      const found = judged(`${line} --no-one-has-this-option`)
      const counts = found.some((one) => !/^(?:harmless|read\.(?:inside|system))$/u.test(one))
      return counts ? [] : [line]
    })
    expect(quiet).toEqual([])
  })

  test('are refused in a table where one of the listed matters', () => {
    const known = { graph, dialects: [], file: 'own.json' }
    const of = (entry: ShellEntry) => {
      return tableProblem({ frob: entry }, { ...known, defined: new Map() })?.message
    }
    expect(of({ anyOption: true, options: { '-n': 'text', '-v': '' } })).toBeUndefined()
    for (const role of ['write', 'read', 'code', 'text +code.run', '+write.inside', 'data']) {
      expect(of({ anyOption: true, options: { '-o': role } })).toContain('`-o` matters')
    }
    expect(of({ anyOption: true, sub: {} })).toContain('list the options')
    expect(of({ anyOption: true, modes: [] })).toContain('list the options')
  })
})

/** An option that does something, by its name and its role. */
interface Listed {
  readonly line: string
  readonly name: string
  readonly entry: ShellEntry
  readonly takes: boolean
}

const listed: readonly Listed[] = places.flatMap(({ line, entry }) => {
  if (entry.sub !== undefined || entry.early === true || entry.noDash === true) return []
  return Object.entries(entry.options ?? {}).flatMap(([names, text]) => {
    const role = text.split(' ').find((one) => one !== '' && !one.startsWith('+')) ?? ''
    if (/\?$|^(?:exec|base|script|or)$/u.test(role) || text.split(' ').length > 2) return []
    return names
      .split(' ')
      .filter((name) => /^--?[A-Za-z][\w-]*$/u.test(name))
      .map((name) => ({ line, name, entry, takes: role !== '' }))
  })
})

describe('an option that is listed', () => {
  test('is judged the same in all its spellings', () => {
    const wrong = listed.flatMap(({ line, name, entry, takes }) => {
      if (!takes) return []
      const isLong = name.startsWith('--') || entry.oneDash === true
      const apart = judged(`${line} ${name} 'x/y' z`)
      const together = judged(`${line} ${name}${isLong ? '=' : ''}x/y z`)
      return String(apart) === String(together) ? [] : [{ line, name, apart, together }]
    })
    expect(wrong).toEqual([])
    expect(listed.length).toBeGreaterThan(2_000)
  })

  test('loses nothing in a cluster behind a letter that is not known', () => {
    const lost = listed.flatMap(({ line, name, entry, takes }) => {
      if (!takes || name.startsWith('--') || name.length > 2 || entry.oneDash === true) return []
      const all = Object.keys(entry.options ?? {}).flatMap((one) => one.split(' '))
      const letter = ['Y', 'J', 'K', 'y', 'j'].find((one) => !all.includes(`-${one}`))
      if (letter === undefined) return []
      const alone = judged(`${line} ${name} /x/y`)
      const clustered = judged(`${line} -${letter}${name.slice(1)} /x/y`)
      const plain = new Set(['harmless', 'read.inside', ...judged(line)])
      const kept = alone.filter((one) => !plain.has(one))
      return kept.every((one) => clustered.includes(one)) ? [] : [{ line, name, alone, clustered }]
    })
    expect(lost).toEqual([])
  })
})

describe('the table of this program', () => {
  test('has the options of its registry, and knows no other command', async () => {
    const program = await buildProgram()
    const own = table.commands.get('warrant')
    const wrong = differing(own, program, 'warrant')
    expect(wrong).toEqual([])
  })
})

function differing(entry: ShellEntry | undefined, command: Command, line: string): string[] {
  const registered = new Map(command.commands.map((one) => [one.name(), one]))
  return Object.entries(entry?.sub ?? {}).flatMap(([name, inner]) => {
    const found = registered.get(name)
    if (name === '*' || inner.is === 'code.run') return []
    if (found === undefined) return [`\`${line} ${name}\` is no command`]
    if (inner.is === 'guard.change') return []
    const has = new Set(Object.keys(inner.options ?? {}).flatMap((one) => one.split(' ')))
    const missing = found.options
      .flatMap(({ long, short }) => [long, short])
      .filter((one) => typeof one === 'string')
      .filter((one) => !has.has(one))
    return [
      ...missing.map((one) => `\`${line} ${name}\` lacks ${one}`),
      ...differing(inner, found, `${line} ${name}`),
    ]
  })
}
