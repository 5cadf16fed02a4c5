// The words in which `seeds/shell` has what commands of a shell do: which arguments are paths, what
// is done to them, which options change that, and which names and places matter. It is data: the
// walk over a command reads it, and adding a program takes no code.
import { z } from 'zod'

/** Names of concepts with spaces between; absent and empty mean none. */
const Concepts = z.string().regex(/^[a-z][a-z.]*( [a-z][a-z.]*)*$/, 'is no list of concepts')

/**
 * What is done to a path. `look` sees its name, size or kind and nothing of what is in it; `search`
 * shows those lines of it that fit a pattern.
 */
export const PathRole = z.enum([
  'read',
  'look',
  'search',
  'make',
  'write',
  'destroy',
  'move',
  'run',
  'link',
])
export type PathRole = z.infer<typeof PathRole>

/**
 * What an argument means: a `PathRole`, the name of a dialect, or one of
 * - `text`: nothing that matters;
 * - `show`: text that is shown, so a secret in it is read;
 * - `object`: of a repository: a path, `REVISION:PATH`, or a revision, which is a path inside;
 * - `tracked`, `discarded`: the same, which is written, or loses what is not committed;
 * - `range`: lines of a file of a repository, whose path stands behind the last colon;
 * - `filter`: a pattern of names, `regex`: an expression, `extension`: an ending: which of the
 *   paths below those that stand beside it are meant; without one of those, below the folder;
 * - `pattern`: what a search looks for;
 * - `held`: a file that changes where what stands beside it in another language changes anything;
 * - `mount`: what a container gets of this machine; `patchtext`: a patch, whose headers name files;
 * - `operand`: `if=PATH` is read, `of=PATH` is written;
 * - `process`: a process, which may be one that guards the agent;
 * - `data`: text in which `@PATH` names a file to read;
 * - `from`, `to`: a file to read or write, `HOST:PATH` for one over the network;
 * - `base`: the folder in which the command works;
 * - `cd`: the folder in which the shell goes on; `push` keeps the one before, `pop` takes it back;
 * - `script`: code of a shell; with `...` all that follow are joined; `later` runs at some time;
 * - `split`: arguments of its own, which stand in its place;
 * - `command`: this and all that follow are a command; `exec` ends at `;` or `+`;
 * - `assign`: `NAME=VALUE` for the environment; `set`: of the shell; `unset`: a name to forget;
 * - `name`: a variable that gets a value, `field`: one that gets a part of the input;
 * - `sum`: what is worked out as a number; `test`: all of them are a test; `alias`: `NAME=SCRIPT`;
 * - `code`: code of another language, which runs.
 *
 * Roles have spaces between, by place; the one with `...` stands for all that are left.
 */
const Roles = z.string().regex(/^[a-z][a-z-]*(\.\.\.)?( [a-z][a-z-]*(\.\.\.)?)*$/, 'are no roles')

/**
 * What an option means: empty for nothing, a role for one that takes a value, two for one that
 * takes two, `ROLE?` for one whose value is attached or absent, and any number of `+concept`.
 */
const Option = z
  .string()
  .regex(/^([a-z][a-z-]*(\?| [a-z][a-z-]*)?)?( ?\+[a-z][a-z.]*)*$/, 'is no role, `?` or `+concept`')

/** Names with spaces between; of options with their dashes, `-#` for a number such as `-20`. */
const Names = z.string().min(1).max(4000)

const acting = {
  /** What it does whatever it is given; beside `code.run` an option not listed adds nothing. */
  is: Concepts.exactOptional(),
  /** What it does to the folder where it works. */
  here: PathRole.exactOptional(),
  /** The same where no path is given. */
  bare: PathRole.exactOptional(),
  args: Roles.exactOptional(),
  /** What it prints are paths below those that it reads. */
  lists: z.literal(true).exactOptional(),
  /** Without a path it passes lines of its input on as they are, or leaves some out. */
  filters: z.literal(true).exactOptional(),
  /** It prints digits, in one line or several. */
  counts: z.literal(true).exactOptional(),
}

const Mode = z.strictObject({
  /** Any of these options is given; `--NAME=VALUE` only where it has that value alone. */
  has: Names.exactOptional(),
  /** And any of these, too. */
  with: Names.exactOptional(),
  /** And no other option than these. */
  only: Names.exactOptional(),
  /** At least so many arguments that are no options. */
  min: z.int().min(1).max(9).exactOptional(),
  /** At most so many. */
  max: z.int().min(0).max(9).exactOptional(),
  /** The first argument is one of these. */
  first: Names.exactOptional(),
  /** One of the arguments is one of these. */
  word: Names.exactOptional(),
  ...acting,
})
export type ShellMode = z.infer<typeof Mode>

const plain = {
  ...acting,
  options: z.record(Names, Option).exactOptional(),
  /**
   * An option that is not listed changes nothing: there is none by which this command writes, runs
   * or fetches anything, or takes a file. Few are so; a test lists those of the seed.
   */
  anyOption: z.literal(true).exactOptional(),
  /** It goes through all below its paths, hidden files too: always, or with one of these. */
  walks: z.union([z.literal(true), Names]).exactOptional(),
  /** With one of these a search prints whole files. */
  whole: Names.exactOptional(),
  /** Its options are an expression with `-o`, `-not` and `-prune`, as those of `find`. */
  expression: z.literal(true).exactOptional(),
  /** An argument `@FILE` stands for the arguments in that file. */
  responses: z.literal(true).exactOptional(),
  /** It shows nothing of its arguments. */
  silent: z.literal(true).exactOptional(),
  /** What its input is, by the role of an argument. */
  input: z
    .string()
    .regex(/^[a-z][a-z-]*$/, 'is no role')
    .exactOptional(),
  /** Long options have one dash. */
  oneDash: z.literal(true).exactOptional(),
  /** The first argument may be a cluster of options without a dash. */
  noDash: z.literal(true).exactOptional(),
  /** Options end at the first argument. */
  early: z.literal(true).exactOptional(),
  /** The first that fits replaces what the entry says. */
  modes: z.array(Mode).max(40).exactOptional(),
  /** What it does where no command is left for the role `command`. */
  alone: Concepts.exactOptional(),
  /** Without arguments it runs what it reads from its input. */
  runsInput: z.literal(true).exactOptional(),
  /** It prints its arguments as they are. */
  says: z.literal(true).exactOptional(),
  /** What it runs does not run on this machine: in a container, or at another one. */
  elsewhere: z.literal(true).exactOptional(),
  /** It makes arguments of its input for the command that it runs. */
  feeds: z.literal(true).exactOptional(),
  /** It works out numbers from its arguments, and an index in one may run code. */
  calculates: z.literal(true).exactOptional(),
  /** It changes the arguments of the script or function in which it stands. */
  positions: z.literal(true).exactOptional(),
  /** What the first word among the arguments that is listed makes of it, the strictest first. */
  verbs: z.record(Names, Concepts).exactOptional(),
}

const Listed = z.strictObject({
  ...plain,
  /** The last words of subcommands, by the words before them: `"network vnet": "list show"`. */
  paths: z.record(z.string().max(100), z.string().min(1).max(20_000)),
})
/** Subcommands that are judged by one entry, each by its whole name; without `sub`. */
export type ShellListed = z.infer<typeof Listed>

/** What is known of one command. */
export interface ShellEntry extends z.infer<z.ZodObject<typeof plain>> {
  /** By its first argument; `*` in a name stands for any characters. */
  readonly sub?: Readonly<Record<string, ShellEntry>>
  /**
   * Looked at before `sub`, `verbs` and what else the entry says; its options count, too. A tool
   * with many subcommands of one kind has each by its name: a verb alone proves nothing.
   */
  readonly listed?: readonly ShellListed[]
}

export const ShellEntry: z.ZodType<ShellEntry> = z.strictObject({
  ...plain,
  get sub() {
    return z.record(Names, ShellEntry).exactOptional()
  },
  listed: z.array(Listed).max(20).exactOptional(),
})

/** One file of `seeds/shell/commands`. */
export const ShellCommands = z.strictObject({
  $schema: z.string().exactOptional(),
  /** By names with spaces between. */
  commands: z.record(Names, ShellEntry),
})

/** One file of a folder of one's own, which is laid over the seed's. */
export const ShellAdded = z.strictObject({
  $schema: z.string().exactOptional(),
  /** Commands that the seed does not have. */
  commands: z.record(Names, ShellEntry).exactOptional(),
  /** Commands that the seed judges otherwise. */
  replace: z.record(Names, ShellEntry).exactOptional(),
})
export type ShellAdded = z.infer<typeof ShellAdded>

/** Paths with `*` for a part of a name and `**` for any folders; `~` is the home folder. */
const Paths = z.array(z.string().min(1).max(200)).max(200)
/** Names of variables, `*` for any characters. */
const Variables = z.array(z.string().min(1).max(100)).max(200)
/** A regular expression; the first that fits says what the text does. */
const Dialect = z
  .array(
    z.strictObject({
      match: z.string().max(4000).refine(isPattern, 'is no regular expression'),
      is: Concepts.or(z.literal('')),
      /** What stands in quotation marks does not count. */
      unquoted: z.literal(true).exactOptional(),
    }),
  )
  .min(1)
  .max(40)

function isPattern(source: string): boolean {
  try {
    return new RegExp(source, 'iu') instanceof RegExp
  } catch {
    return false
  }
}

/** `seeds/shell/surroundings.json`: the names and places that matter for every command. */
export const ShellSurroundings = z.strictObject({
  $schema: z.string().exactOptional(),
  places: z.strictObject({
    /** What may be read and written without effect. */
    harmless: Paths,
    /** Where overwriting is destroying. */
    system: Paths,
    /** Folders of programs that may be named by their path. */
    programs: Paths,
    /** Opening one of these is talking to the network. */
    network: Paths,
    /** Where anyone keeps files for a while: what is deleted below them is asked about. */
    temporary: Paths.exactOptional(),
    /** What is written there runs later. */
    running: Paths.exactOptional(),
    /** A person's own folders outside a project; nothing with a hidden name in its path is. */
    own: Paths.exactOptional(),
    /** What anyone may know of the machine: reading it is reading no one's files. */
    facts: Paths.exactOptional(),
    /** The passwords of the machine, and what it runs by itself. */
    machine: Paths.exactOptional(),
  }),
  secrets: z.strictObject({ paths: Paths, except: Paths, variables: Variables }),
  guard: z.strictObject({
    paths: Paths,
    variables: Variables,
    /** A mention of it in code that runs is taken as a change. */
    mentions: z.array(z.string().min(3).max(100)).max(50),
    /** The names of its programs and packages. */
    programs: z.array(z.string().min(3).max(100)).max(20).exactOptional(),
  }),
  environment: z.strictObject({
    /** Variables that may be set for a command. */
    harmless: Variables,
    /** Variables that change which code runs, even where they are not exported. */
    running: Variables,
  }),
  dialects: z.record(z.string().regex(/^[a-z][a-z-]*$/), Dialect),
})
export type ShellSurroundings = z.infer<typeof ShellSurroundings>

/** The roles that are no path and no dialect. */
export const wordRoles = [
  'text',
  'show',
  'object',
  'tracked',
  'discarded',
  'range',
  'filter',
  'regex',
  'extension',
  'pattern',
  'held',
  'mount',
  'patchtext',
  'operand',
  'process',
  'data',
  'from',
  'to',
  'base',
  'cd',
  'push',
  'pop',
  'script',
  'later',
  'split',
  'command',
  'exec',
  'assign',
  'set',
  'unset',
  'name',
  'field',
  'sum',
  'test',
  'alias',
  'code',
] as const
