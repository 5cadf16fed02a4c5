// What the command says without a word behind it: what this is, how to begin, and before what it
// can stand. Readers know none of its terms yet, and one screen is all that it may take.
import type { Line } from '../line.ts'

export const greeting: readonly Line[] = [
  'Warrant: no agent acts without a warrant. Before an AI agent calls a tool, it asks;',
  'your rules answer, or a person does, and one log keeps what was asked and why.',
  '',
  'Begin:',
  '  warrant demo    watch it judge 100 recorded conversations, in ten seconds',
  '  warrant init    a log, your key, and one tool with its rules, in this folder',
  '  warrant dev     the same with all that runs, each decision live, and keys to answer',
  '',
  'Put it before what you have:',
  '  a coding agent                      warrant init --for claude-code',
  '  tools of an MCP server              warrant init, warrant mcp add NAME -- COMMAND',
  '  a program, TypeScript or Python     warrant init --for node, or --for python',
  '  any language, over HTTP             warrant init --for http',
  '  a gateway, or OPA, AuthZEN, Envoy   warrant up gateway, warrant up http',
  '',
  '`warrant help` has the commands, and `warrant help --all` all of them.',
  'Not installed? Write `npx warrant-runtime` in place of `warrant`.',
]
