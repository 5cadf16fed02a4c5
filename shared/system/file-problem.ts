// Why a file cannot be used, in words: what the system says of it is for programmers.

const known: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file or folder'],
  ['EISDIR', 'it is a folder, and not a file'],
  ['ENOTDIR', 'a part of its path is a file, and not a folder'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EROFS', 'the disk may only be read'],
  ['ENOSPC', 'the disk is full'],
  ['EEXIST', 'something else is there already'],
  ['ELOOP', 'its links lead nowhere'],
  ['ENAMETOOLONG', 'its name is too long'],
  ['EMFILE', 'too many files are open'],
])

/** `otherwise` where that has no words of its own. */
export function fileProblem(cause: unknown, otherwise: string): string {
  if (!(cause instanceof Error)) return otherwise
  const code: unknown = Reflect.get(cause, 'code')
  return (typeof code === 'string' ? known.get(code) : undefined) ?? cause.message
}

/** Whether the system refused with that code, such as `ENOENT`. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
