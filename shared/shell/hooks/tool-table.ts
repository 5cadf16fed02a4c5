// The words in which `seeds/hooks/tools.json` has the tools of coding agents: which capability each
// of them uses, and which of its arguments are commands, paths and addresses. It is data: a tool
// that a new version of an agent brings takes no code.
import { z } from 'zod'
import { Id } from '#schemas/rules/terms'
import { hosts } from './hosts/hosts.ts'

/** Names of arguments of the tool with spaces between: each that is there counts. */
const Fields = z.string().regex(/^[\w-]+( [\w-]+)*$/, 'are no names of arguments')
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
  /** It shows names of what lies there, and nothing of what is in it. */
  lists: z.literal(true).exactOptional(),
  /** Patterns that choose among what lies below the paths that are read. */
  names: Fields.exactOptional(),
  /** What is looked for in the files. */
  search: z
    .strictObject({
      for: Fields,
      /** Whether files are searched whose name begins with a dot. */
      hidden: z.literal(true).exactOptional(),
      /** Lines are shown only where these arguments have these values. */
      where: z.record(Id, z.string()).exactOptional(),
    })
    .exactOptional(),
  /** The project's folder is read where no path is given; else a call without one is unread. */
  bare: z.literal(true).exactOptional(),
  /** A patch whose headers name the files that it changes. */
  patch: Fields.exactOptional(),
  /** A text of the file that is replaced. */
  old: Fields.exactOptional(),
  /** What comes in its place, or is written. */
  new: Fields.exactOptional(),
  /** Lists of objects that hold `old` and `new`. */
  edits: Fields.exactOptional(),
  /** What an argument stands for by itself, where it is given and switches something on. */
  flags: z.record(Id, Concepts).exactOptional(),
  /** All else that it takes. A call with an argument that stands nowhere here is not known. */
  also: Fields.exactOptional(),
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
  hosts: z.record(z.enum(hosts.map(({ name }) => name)), HookTools),
  /** Arguments that change nothing of what a tool does: an approval does not bind them. */
  free: Fields,
  /** A tool that is not listed. */
  unknown: HookTool,
})
export type HookToolsFile = z.infer<typeof HookToolsFile>
