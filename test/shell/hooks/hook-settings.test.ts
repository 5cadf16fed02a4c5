// Our hooks in the settings of a coding agent: nothing that others wrote is lost, moved or changed,
// twice is once, and what cannot be read is left alone.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hooksIn, withHooks, withoutHooks } from '#shell/hooks/hook-settings'
import type { HookWay } from '#shell/hooks/hosts/host'
import { hostOf, hosts } from './host-events.ts'

const way: HookWay = { by: 'command', command: 'node /opt/services/hooks/send.js a http://b c' }

function textOf(edit: ReturnType<typeof withHooks>): string {
  if ('refused' in edit) throw new Error(edit.refused)
  return edit.text
}

const names = fc.constantFrom('PreToolUse', 'BeforeTool', 'preToolUse', 'Stop', 'postToolUse')
const entries = fc.array(
  fc.record({ matcher: fc.constantFrom('Bash', '*'), hooks: fc.constant([{ command: 'lint' }]) }),
  { maxLength: 3 },
)
const settings = fc.record(
  {
    model: fc.string(),
    permissions: fc.jsonValue(),
    hooks: fc.dictionary(names, entries, { noNullPrototype: true }),
    zeta: fc.double({ noNaN: true }),
  },
  { requiredKeys: [], noNullPrototype: true },
)
const layouts = fc.constantFrom('', '  ', '    ', '\t')

/** Lists that have nothing in them go with ours. */
function withoutEmpty({ hooks = {}, ...rest }: Readonly<Record<string, unknown>>) {
  const lists = Object.entries(Object(hooks)).filter(([, list]) => Object(list).length > 0)
  return { version: 1, ...rest, hooks: Object.fromEntries(lists) }
}

describe.each(hosts)('%s', (name) => {
  const host = hostOf(name)

  test('what others wrote stays, in its order', () => {
    fc.assert(
      fc.property(settings, layouts, (value, indent) => {
        const before = JSON.stringify(value, null, indent || ' ')
        const after = textOf(withHooks(before, host, way))
        const now = JSON.parse(after)
        const own = JSON.parse(before)
        expect(Object.keys(now).filter((key) => key in own)).toEqual(Object.keys(own))
        for (const key of Object.keys(own)) {
          if (key !== 'hooks') expect(now[key]).toEqual(own[key])
        }
        for (const [event, list] of Object.entries(own.hooks ?? {})) {
          expect(now.hooks[event].slice(0, Object(list).length)).toEqual(list)
        }
        // Each piece of the text before is there still, one after the other.
        let at = 0
        for (const line of before.split('\n')) {
          const piece = line.replace(/[\]},]+$/u, '')
          const found = after.indexOf(piece, at)
          expect(found).toBeGreaterThanOrEqual(at)
          at = found + piece.length
        }
      }),
    )
  })

  test('twice is once, and out again leaves what was', () => {
    fc.assert(
      fc.property(settings, layouts, (value, indent) => {
        const before = JSON.stringify(value, null, indent)
        const once = textOf(withHooks(before, host, way))
        expect(textOf(withHooks(once, host, way))).toBe(once)
        expect(hooksIn(once, host).length).toBeGreaterThanOrEqual(3)
        const out = JSON.parse(textOf(withoutHooks(once, host)))
        expect(withoutEmpty(out)).toEqual(withoutEmpty(JSON.parse(before)))
      }),
    )
  })

  test('what cannot be read is refused, with its place', () => {
    for (const [text, place] of [
      ['{"a": 1,\n  nope}', '2:3'],
      ['[]', '1:1'],
      ['{"hooks": []}', '1:11'],
      ['{"hooks": {"PreToolUse": {}}}', '1:12'],
      ['{"hooks": {}, "hooks": {}}', '1:15'],
      ['{"a": 1} {"b": 2}', '1:10'],
    ] as const) {
      const edit = withHooks(text, host, way)
      expect(edit).toHaveProperty('refused')
      expect('refused' in edit && edit.refused.startsWith(place)).toBe(true)
    }
  })

  test('a comment is kept where the agent reads comments, and refused in words elsewhere', () => {
    const edit = withHooks('{\n  // mine\n  "a": 1\n}\n', host, way)
    const refused = { refused: '2:3: a comment, which JSON does not have' }
    if (host.settings.hasComments === true) expect(textOf(edit)).toContain('  // mine\n')
    else expect(edit).toEqual(refused)
  })

  test('a list of others keeps its bytes', () => {
    const theirs = '{"matcher": "Bash", "hooks": [{"type": "command", "command": "x"}]}'
    const text = `{\r\n  "hooks": {\r\n    "Stop": [${theirs}]\r\n  }\r\n}\r\n`
    const after = textOf(withHooks(text, host, way))
    expect(after).toContain(`[${theirs}]`)
    expect(after.replaceAll('\r\n', '')).not.toContain('\n')
  })
})

test('comments of the user stay', () => {
  const text = '{\n  // mine\n  "theme": "dark" // too\n}\n'
  expect(textOf(withHooks(text, hostOf('gemini'), way))).toContain(
    '"theme": "dark", // too'.slice(0, 15),
  )
  expect(textOf(withHooks(text, hostOf('gemini'), way))).toContain('// mine')
  expect(withHooks(text, hostOf('cursor'), way)).toHaveProperty('refused')
})

test('an HTTP hook blocks where it fails, before tools', () => {
  const http: HookWay = {
    by: 'http',
    url: 'http://127.0.0.1:7718/v1/hooks/claude-code',
    tokenVariable: 'WARRANT_TOKEN',
  }
  const { hooks } = JSON.parse(textOf(withHooks('', hostOf('claude-code'), http)))
  expect(hooks.PreToolUse).toMatchObject([
    { matcher: '*', hooks: [{ type: 'http', url: http.url, onFailure: 'block' }] },
  ])
})
