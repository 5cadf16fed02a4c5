// What the process says to its caller when it ends. The help and the page of faults show this
// table.

const table = {
  yes: { code: 0, means: 'It is done, or it is allowed.' },
  fault: {
    code: 1,
    means: 'It failed: what was given or named is not right or not there, or the world is not.',
  },
  usage: {
    code: 2,
    means: 'A command, an argument or an option is missing, unknown, or cannot be read.',
  },
  denied: {
    code: 3,
    means: 'The intent is denied, work is refuted, or the person at the terminal said no.',
  },
  noVerdict: { code: 4, means: 'There is no verdict yet: it waits for people, or time ran out.' },
  differs: { code: 5, means: 'A replay, a check or a backup differs from what was recorded.' },
  badLines: { code: 6, means: 'Lines of the input could not be read; the others were answered.' },
  unchecked: {
    code: 7,
    means:
      'Nothing differs, but something cannot be checked here: an era, a module, finished work.',
  },
} as const

export const exitCodes = {
  yes: table.yes.code,
  fault: table.fault.code,
  usage: table.usage.code,
  denied: table.denied.code,
  noVerdict: table.noVerdict.code,
  differs: table.differs.code,
  badLines: table.badLines.code,
  unchecked: table.unchecked.code,
} as const

/** In the order of their numbers. */
export const exitMeanings: readonly { readonly code: number; readonly means: string }[] =
  Object.values(table)
