// The words in which `seeds/hooks/tools.json` has the tools of coding agents: which capability each
// of them uses, and which of its arguments are commands, paths and addresses. It is data: a tool
// that a new version of an agent brings takes no code.
import { z } from 'zod'
import { Id } from '../rules/terms.ts'

/** The coding agents whose hooks are read. */
export const HookHost = z.enum(['claude-code', 'codex', 'gemini', 'cursor', 'copilot'])
export type HookHost = z.infer<typeof HookHost>

/** Names of arguments of the tool with spaces between: each that is there counts. */
const Fields = z.string().regex(/^\w+( \w+)*$/, 'are no names of arguments')
const Concepts = z.string().regex(/^[a-z][a-z.]*( [a-z][a-z.]*)*$/, 'is no list of concepts')

export const HookTool = z.strictObject({
  capability: Id,
  /** A command of a shell, judged by what runs in it. */
  command: Fields.exactOptional(),
  /** The folder in which the command runs, where that is not the project's. */
  folder: Fields.exactOptional(),
  /** Paths, or lists of them. */
  reads: Fields.exactOptional(),
  writes: Fields.exactOptional(),
  deletes: Fields.exactOptional(),
  /** The project's folder is read where no path is given; else a call without one is unread. */
  bare: z.literal(true).exactOptional(),
  /** A patch whose headers name the files that it changes. */
  patch: Fields.exactOptional(),
  /** What it does whatever it is given. */
  is: Concepts.exactOptional(),
  /** Arguments of the capability by those of the tool. */
  args: z.record(Id, Fields).exactOptional(),
  /** The capability gets the tool's name as `tool` and what it was given as `arguments`. */
  whole: z.literal(true).exactOptional(),
})
export type HookTool = z.infer<typeof HookTool>

/** By name; `*` at the end of one is for any other characters. */
const HookTools = z.record(z.string().regex(/^[\w.:/-]+\*?$/), HookTool)

/** `tools.json` of a seed folder for hooks. */
export const HookToolsFile = z.strictObject({
  hosts: z.record(HookHost, HookTools),
  /** A tool that is not listed. */
  unknown: HookTool,
})
export type HookToolsFile = z.infer<typeof HookToolsFile>
