// What the table of settings says of each variable of the environment.

export interface Setting {
  /** Of the variable. */
  readonly name: string
  readonly means: string
  /** What holds without it; nothing if absent. */
  readonly unset?: string
  /** What it must be, where not every text will do. */
  readonly expects?: string
}
