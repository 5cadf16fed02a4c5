// The only file that reads the environment of the process.

export type Environment = Readonly<Record<string, string | undefined>>

export function environment(): Environment {
  return process.env
}
