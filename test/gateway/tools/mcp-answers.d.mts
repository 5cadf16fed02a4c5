// The types of the server by hand, which runs as it stands.
interface Options {
  readonly secret?: string
  readonly ran?: (name: string) => void
  readonly mode?: string
}

/** The answer to one message; null where there is not one. */
export function answerTo(message: unknown, options?: Options): object | null
