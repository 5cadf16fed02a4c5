// What the configuration of Codex says of hooks, in each way that TOML has to say it.
import { expect, test } from 'vitest'
import { codexSays } from '#shell/hooks/hosts/codex'

const nothing = { hooks: null, managedOnly: false, disabled: [] }

test.each([
  ['[features]\nhooks = false\n', false],
  ['[features]\r\nhooks=false # not now\r\n', false],
  ['features.hooks = false', false],
  ['features = { web = true, hooks = false }', false],
  ['[features]\ncodex_hooks = false', false],
  ['[features]\ncodex_hooks = false\nhooks = true', true],
  ['[ "features" ]\n"hooks" = true', true],
  ['[features]\n# hooks = false\nunified_exec = false', null],
  ['[other]\nhooks = false', null],
  ['[features.deeper]\nhooks = false', null],
  ['[features]\nnote = """\nhooks = false\n"""\n', null],
  ['[features]\nnote = "a # b"\nhooks = false', false],
  ['', null],
  ['= = [[[\n"', null],
])('%j says %s', (text, hooks) => {
  expect(codexSays(text)).toEqual({ ...nothing, hooks })
})

test('hooks of an administrator alone, and those that the user has switched off', () => {
  expect(codexSays('allow_managed_hooks_only = true').managedOnly).toBe(true)
  const text = `
[hooks.state."/srv/shop/.codex/hooks.json:pre_tool_use:0:0"]
trusted_hash = "sha256:1"
enabled = false
[hooks.state."other:stop:0:0"]
enabled = true
`
  expect(codexSays(text).disabled).toEqual(['/srv/shop/.codex/hooks.json:pre_tool_use:0:0'])
})

test('a long text is read to its end', () => {
  for (const piece of ['"', "'", '#', '=', '{a=', '[', '"""\n', '\\"', 'a={b=true,']) {
    expect(codexSays(piece.repeat(50_000)).disabled).toEqual([])
  }
})
