// Whether the last build that the build server reported has ended. Without a word of it nothing is
// built, and files may go.
interface Input {
  readonly evidence: readonly { readonly payload: { readonly state?: string } | null }[]
}

export function isBuilt({ evidence }: Input) {
  const last = evidence.at(-1)?.payload?.state ?? 'ended'
  return { passed: last === 'ended', message: 'a build is running' }
}
