// What is known of each coding agent where its hook fails: whether a call then runs. It comes from
// what is published of them; `hook test` plays it, and only `--live` shows it for a version.
import type { HookWay } from '#core/hooks/hook-entries'
import type { HookHost } from '#schemas/hooks/tools'

/** The hook itself blocks whatever goes wrong in it; this is about one that never gets to run. */
export const failing: Readonly<Record<HookHost, { closed: boolean; text: string }>> = {
  'claude-code': {
    closed: true,
    text:
      'Claude Code fails closed from version 2.1.295 on, by `onFailure`; an older version ' +
      'FAILS OPEN where the hook cannot start, is killed or is not answered',
  },
  codex: {
    closed: false,
    text:
      'Codex FAILS OPEN where the hook cannot start or is killed, and some of its tools have ' +
      'no hook at all',
  },
  gemini: { closed: false, text: 'Gemini CLI FAILS OPEN where the hook cannot start or is killed' },
  cursor: {
    closed: true,
    text: 'Cursor fails closed by `failClosed`; a version without `preToolUse` runs no hook at all',
  },
  copilot: {
    closed: false,
    text: 'Copilot CLI may FAIL OPEN where the hook cannot start or is killed: versions differ',
  },
}

export function closingNotes(host: HookHost, way: HookWay): readonly string[] {
  const token = way.by === 'http' ? [`start the agent with the login in ${way.tokenVariable}`] : []
  if (way.observes === true) return [...observingNotes(host), ...token]
  const trust = host === 'codex' ? ['look in /hooks of Codex that it trusts them'] : []
  return [failing[host].text, ...token, ...trust, `try it: \`warrant hook test --for ${host}\``]
}

function observingNotes(host: HookHost): readonly string[] {
  return [
    'NOTHING IS ENFORCED: each call is recorded with what would be decided, and none is stopped',
    'see what would have been stopped: `warrant stats --observed`',
    `to enforce, the same command without --observe; then \`warrant hook test --for ${host}\``,
  ]
}
