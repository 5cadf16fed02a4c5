// A command of a shell as a tree, as far as it matters what runs: simple commands with their words
// and redirections, and how they stand together. A parser makes it; nothing here knows which one.

/** A part of a word, before anything is expanded. */
export type ShellPart =
  | { readonly kind: 'text'; readonly text: string; readonly quoted: boolean }
  /** `~`, `~ann`: the home folder of someone. */
  | { readonly kind: 'home'; readonly text: string }
  | { readonly kind: 'glob'; readonly text: string }
  /** `{a,b}` as it is written. */
  | { readonly kind: 'brace'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string; readonly quoted: boolean }
  /** What cannot be known; what stands in it is judged all the same. */
  | {
      readonly kind: 'unknown'
      /** The variables that it shows. */
      readonly names: readonly string[]
      readonly scripts: readonly ShellScript[]
      readonly quoted: boolean
      /** Whether working it out can run code that stands in a variable. */
      readonly runs: boolean
      /** What is worked out as a number for it. */
      readonly sums: readonly ShellSum[]
    }
  | { readonly kind: 'number'; readonly sums: readonly ShellSum[] }
  | { readonly kind: 'output'; readonly script: ShellScript; readonly quoted: boolean }
  /** `<(…)` and `>(…)`. */
  | { readonly kind: 'pipe'; readonly script: ShellScript }

export type ShellWord = readonly ShellPart[]

/** A text that the shell works out as a number; `of` has the variable that it is an index of. */
export interface ShellSum {
  readonly word: ShellWord
  readonly of: string | null
}

export interface ShellAssignment {
  readonly name: string
  /** Of one element of an array. */
  readonly index: ShellWord | null
  /** Null of an array. */
  readonly value: ShellWord | null
  /** All values of it. */
  readonly words: readonly ShellWord[]
  readonly appends: boolean
}

export type ShellArgument =
  | { readonly kind: 'word'; readonly word: ShellWord }
  | { readonly kind: 'assignment'; readonly assignment: ShellAssignment }

/** Where the lines of a heredoc stand in the text that it was read from. */
export interface ShellSpan {
  readonly start: number
  readonly end: number
}

export type ShellRedirect =
  | { readonly kind: 'file'; readonly operator: string; readonly target: ShellWord }
  /** A heredoc or a here-string. */
  | { readonly kind: 'text'; readonly word: ShellWord; readonly body?: ShellSpan }

export interface ShellCommand {
  readonly kind: 'command'
  readonly assignments: readonly ShellAssignment[]
  readonly words: readonly ShellArgument[]
  readonly redirects: readonly ShellRedirect[]
}

export type ShellNode =
  | ShellCommand
  | { readonly kind: 'pipeline'; readonly stages: readonly ShellNode[] }
  /** `a && b || c`: each but the first may run or not. */
  | {
      readonly kind: 'chain'
      readonly items: readonly ShellNode[]
      readonly operators: readonly ('&&' | '||')[]
    }
  | { readonly kind: 'apart'; readonly body: ShellScript }
  | { readonly kind: 'together'; readonly body: ShellScript }
  | {
      readonly kind: 'redirected'
      readonly node: ShellNode
      readonly redirects: readonly ShellRedirect[]
    }
  /** What may run any number of times; the variable takes each of the words. */
  | {
      readonly kind: 'loop'
      readonly variable: string | null
      readonly words: readonly ShellWord[] | null
      readonly body: ShellScript
    }
  /** Parts of which some run. */
  | { readonly kind: 'branches'; readonly branches: readonly ShellScript[] }
  | { readonly kind: 'function'; readonly name: string; readonly body: ShellScript }
  /** Words that are looked at and run nothing by themselves: tests, patterns. */
  | {
      readonly kind: 'looked'
      readonly words: readonly ShellWord[]
      readonly sums: readonly ShellWord[]
      /** Those that name a variable. */
      readonly names: readonly ShellWord[]
    }

export type ShellScript = readonly ShellNode[]

/** A tree, or null where the text is no command that the parser reads in full. */
export type ReadShell = (source: string) => ShellScript | null
