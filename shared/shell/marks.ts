// Which concepts a walk over a command adds by itself, and the marks that stand in an expanded word
// for what is not known. No command that is read has such characters.

/** A text of any length that is not known. */
export const unknownMark = '\u0000'
/** What a pattern matches: part of a name, no slash. */
export const globMark = '\u0001'
/** The home folder of someone. */
export const homeMark = '\u0002'
/** Digits, with a sign or without. */
export const numberMark = '\u0004'

/** Whether a text is not known in full. */
export function hasMark(text: string): boolean {
  return [unknownMark, globMark, numberMark].some((mark) => text.includes(mark))
}

export function isNumeral(text: string): boolean {
  return text === numberMark || /^[-+]?\d+$/u.test(text)
}

/**
 * Whether it stands for the name of any file, as `*` does: one may be called `-delete` or `of=x`.
 * Of a pattern that says more, such as `*.ts`, no name is a program's.
 */
export function isAnyName(text: string): boolean {
  return text !== '' && text.replaceAll(globMark, '') === ''
}

/** For a reader to whom a number is a text as any other. */
export function numbersAsGlobs(text: string): string {
  return text.replaceAll(numberMark, `0${globMark}`)
}

/** Any folders below the one before it, hidden ones too; a whole part of a path. */
export const deepMark = '\u0003'

/** The concepts that a walk adds; tables of commands add these and their own. */
export const shellConcepts = [
  'harmless',
  'read.inside',
  'read.outside',
  'read.recursive',
  'write.inside',
  'write.outside',
  'destroy.inside',
  'destroy.outside',
  'destroy.unknown',
  'destroy.temporary',
  'code.run',
  'network.send',
  'secret.read',
  'secret.send',
  'guard.change',
  'environment.set',
  'unknown.command',
  'unknown.option',
  'unknown.value',
  'unparsed.command',
] as const
