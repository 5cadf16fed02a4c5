// What a coding agent says to a hook is read by its published schema, its tools become capabilities
// with the concepts that a shell would have, and what is not known is asked about.
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decisionOutput, notedOutput } from '#shell/hooks/hook-answer'
import { mappedCall } from '#shell/hooks/hook-call'
import { readHookEvent, type HookCall } from '#shell/hooks/hook-event'
import { readHookTables, shippedHookSeeds } from '#judging/hook-seed'
import { afterTool, beforeCommand, beforeTool, hostOf, hosts, promptEvent } from './host-events.ts'

const tables = await readHookTables(shippedHookSeeds(join(import.meta.dirname, '../../..')))

function callIn(host: string, event: unknown): HookCall {
  const read = readHookEvent(hostOf(host), event)
  if ('unread' in read || read.event.is === 'prompt') throw new Error('no call')
  return { ...read.event, root: read.event.cwd }
}

const mapped = (host: string, tool: string, input: unknown) =>
  mappedCall(host, callIn(host, beforeTool(host, { tool, input })), tables)

describe('reading', () => {
  test('takes no folder of a workspace that is longer than a path', () => {
    const event = { hook_event_name: 'beforeShellExecution', command: 'ls' }
    const rootOf = (workspace_roots: readonly string[]) => {
      const read = readHookEvent(hostOf('cursor'), { ...event, workspace_roots })
      return 'event' in read && read.event.is === 'call' ? read.event.root : undefined
    }
    const [fits, exceeds] = [`/${'a'.repeat(4_095)}`, `/${'a'.repeat(4_096)}`]
    expect([rootOf([fits]), rootOf([exceeds]), rootOf([exceeds, '/b'])]).toEqual([fits, null, '/b'])
  })

  test.each(hosts)('%s: a command, what came of it, and a prompt', (host) => {
    const before = beforeCommand(host, { command: 'ls' })
    const call = callIn(host, before)
    expect(call).toMatchObject({ args: { command: 'ls' }, cwd: '/srv/ann/shop' })
    expect(readHookEvent(hostOf(host), afterTool(host, before))).toMatchObject({
      event: { is: 'done', failed: false, tool: call.tool, callId: call.callId },
    })
    expect(readHookEvent(hostOf(host), promptEvent(host, 'clean up'))).toMatchObject({
      event: { is: 'prompt', prompt: 'clean up' },
    })
  })

  test('only Claude Code is known to ask before every tool', () => {
    const asking = hosts.filter((host) => {
      const read = readHookEvent(hostOf(host), beforeCommand(host, { command: 'ls' }))
      return 'event' in read && read.event.is === 'call' && read.event.canAsk
    })
    expect(asking).toEqual(['claude-code'])
  })

  test.each(hosts)('%s: whatever else comes is unread, and never a call', (host) => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const read = readHookEvent(hostOf(host), value)
        expect('unread' in read || read.event.is === 'prompt').toBe(true)
      }),
    )
    const event = beforeCommand(host, { command: 'ls' })
    const broken = [
      { ...event, tool_name: undefined, toolName: undefined },
      { ...event, tool_name: 7, toolName: 7 },
      { ...event, tool_input: 'rm', toolArgs: 'rm' },
      { ...event, tool_input: ['rm'], toolArgs: ['rm'] },
      { ...event, hook_event_name: 'PreToolUseLater' },
      [event],
    ]
    for (const one of broken) expect(readHookEvent(hostOf(host), one)).toHaveProperty('unread')
  })
})

describe('mapping', () => {
  test.each(hosts)('%s: its program and its files are guarded from all agents', (name) => {
    const { settings, mcpFile, configuration, driven } = hostOf(name)
    const user = `/srv/ann/${settings.user}`
    const read = configuration?.files(dirname(user), '/srv/ann/shop') ?? []
    const files = [settings.project, user, ...(mcpFile === undefined ? [] : [mcpFile]), ...read]
    const commands = [`${driven.program} --yolo x`, ...files.map((file) => `echo 1 > ${file}`)]
    const free = commands.filter((command) => {
      const { concepts } = mappedCall(name, callIn(name, beforeCommand(name, { command })), tables)
      return !concepts.includes('guard.change')
    })
    expect(free).toEqual([])
  })

  test.each(hosts)('%s: a command has the concepts of what runs in it', (host) => {
    const call = callIn(host, beforeCommand(host, { command: 'cat a | sudo tee /etc/hosts' }))
    const { tool, args, concepts } = mappedCall(host, call, tables)
    expect(tool).toBe('shell.run')
    expect(args).toEqual({ command: 'cat a | sudo tee /etc/hosts', cwd: '/srv/ann/shop' })
    expect(concepts).toContain('privilege.raise')
    expect(concepts).toContain('destroy.outside')
  })

  test.each<[string, string, object, string, readonly string[]]>([
    ['claude-code', 'Read', { file_path: '/srv/ann/shop/a.ts' }, 'file.read', ['read.inside']],
    ['claude-code', 'Read', { file_path: '/srv/ann/other' }, 'file.read', ['read.outside']],
    ['claude-code', 'Read', { file_path: '.env' }, 'file.read', ['read.inside', 'secret.read']],
    [
      'claude-code',
      'Read',
      { file_path: '~/.ssh/id_rsa' },
      'file.read',
      ['read.outside', 'secret.read'],
    ],
    ['claude-code', 'Read', { file_path: 'a/../../b' }, 'file.read', ['read.outside']],
    ['claude-code', 'Read', { file_path: "it's" }, 'file.read', ['read.inside']],
    ['claude-code', 'Read', { file_path: '$(rm -rf /)' }, 'file.read', ['read.inside']],
    ['claude-code', 'Read', { file_path: "';rm -rf /;'" }, 'file.read', ['read.inside']],
    ['claude-code', 'Grep', { pattern: 'x' }, 'file.read', ['read.inside']],
    ['claude-code', 'Glob', { pattern: '/etc/*' }, 'file.read', ['read.outside']],
    ['claude-code', 'Write', { file_path: 'a', content: 'x' }, 'file.write', ['write.inside']],
    ['claude-code', 'Write', { file_path: '/etc/hosts' }, 'file.write', ['destroy.outside']],
    [
      'claude-code',
      'Write',
      { file_path: '/srv/ann/shop/.claude/settings.json' },
      'file.write',
      ['guard.change', 'write.inside'],
    ],
    ['claude-code', 'Edit', { file_path: 'a' }, 'file.write', ['read.inside', 'write.inside']],
    ['claude-code', 'WebFetch', { url: 'https://a.example' }, 'web.fetch', ['network.fetch']],
    ['claude-code', 'mcp__db__drop', { table: 'a' }, 'mcp.call', ['unknown.command']],
    ['gemini', 'read_file', { file_path: 'a' }, 'file.read', ['read.inside']],
    ['gemini', 'replace', { file_path: 'a' }, 'file.write', ['read.inside', 'write.inside']],
    [
      'cursor',
      'Delete',
      { path: '/srv/ann/x' },
      'file.write',
      ['destroy.inside', 'destroy.outside'],
    ],
    ['copilot', 'view', { path: 'a' }, 'file.read', ['read.inside']],
    ['copilot', 'create', { path: '../a' }, 'file.write', ['write.outside']],
  ])('%s %s %j: %s %j', (host, tool, input, capability, concepts) => {
    expect(mapped(host, tool, input)).toMatchObject({ tool: capability, concepts })
  })

  test('a patch is judged by every file that it names', () => {
    const patch = [
      '*** Begin Patch',
      '*** Update File: src/a.ts',
      '@@',
      '-a',
      '*** Add File: /etc/cron.d/x',
      '+b',
      '*** End Patch',
    ].join('\n')
    expect(mapped('codex', 'apply_patch', { command: patch })).toMatchObject({
      tool: 'file.write',
      args: { paths: ['src/a.ts', '/etc/cron.d/x'], cwd: '/srv/ann/shop' },
      concepts: ['code.run', 'destroy.outside', 'machine.secret', 'write.inside'],
    })
    expect(mapped('codex', 'apply_patch', { command: 'no patch' })).toMatchObject({
      tool: 'tool.call',
    })
  })

  test('the folder in which a command runs counts', () => {
    const { args, concepts } = mapped('gemini', 'run_shell_command', {
      command: 'rm x',
      dir_path: '/etc',
    })
    expect(args).toMatchObject({ command: "cd -- '/etc'\nrm x" })
    expect(concepts).toContain('destroy.outside')
  })

  test('a tool that no table has, or whose arguments do not fit, is unknown', () => {
    for (const [tool, input] of [
      ['Teleport', { to: 'mars' }],
      ['toString', {}],
      ['Read', {}],
      ['Read', { file_path: 7 }],
      ['Bash', { command: ['ls'], more: 1 }],
      ['Bash', {}],
    ] as const) {
      const { tool: capability, concepts } = mapped('claude-code', tool, input)
      if (tool === 'Bash' && 'command' in input) expect(capability).toBe('shell.run')
      else
        expect({ capability, concepts }).toEqual({
          capability: 'tool.call',
          concepts: ['unknown.command'],
        })
    }
  })

  test('a path of another system is not known', () => {
    expect(
      mapped('claude-code', 'Read', { file_path: String.raw`C:\Users\ann\a` }).concepts,
    ).toEqual(['read.inside', 'unknown.value'])
  })
})

describe('answering', () => {
  const denied = { outcome: 'deny', reason: 'no: it deletes files' } as const

  test.each(hosts)('%s: a denial blocks, and says why', (host) => {
    const { stdout, stderr, exit } = decisionOutput(hostOf(host), denied)
    expect(stderr).toBe('no: it deletes files\n')
    if (host === 'copilot') {
      expect(JSON.parse(stdout)).toEqual({
        permissionDecision: 'deny',
        permissionDecisionReason: 'no: it deletes files',
      })
    } else expect(exit).toBe(2)
  })

  test.each(hosts)('%s: an allow ends with 0', (host) => {
    const { stderr, exit } = decisionOutput(hostOf(host), { outcome: 'allow', reason: '' })
    expect({ stderr, exit }).toEqual({ stderr: '', exit: 0 })
    expect(notedOutput(hostOf(host), 'prompt').exit).toBe(0)
  })

  test.each(['codex', 'gemini', 'copilot'] as const)('%s is never answered `ask`', (host) => {
    const { stdout, stderr, exit } = decisionOutput(hostOf(host), {
      outcome: 'ask',
      reason: 'ask ann',
    })
    expect(stdout).not.toContain('"ask"')
    expect(exit === 2 || stdout.includes('"deny"')).toBe(true)
    expect(stderr).toBe('ask ann\n')
  })
})
