// What samples of all kinds have in common, each by the form that its schema demands.
export const instant = '2026-01-02T03:04:05.678Z'
export const digest = `sha256:${'a'.repeat(64)}`
export const address = 'bot.-.01J0000000000000000000000A'
export const intent = { address, agent: 'bot', session: null }
export const signature = {
  format: 'ed25519' as const,
  key: `ed25519:${'A'.repeat(43)}`,
  value: 'A'.repeat(86),
}
