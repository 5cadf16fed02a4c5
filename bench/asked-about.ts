// A tool that no one asks about, and one that people are asked about each time.

const known = { level: 1, properties: { what: 'known' } }
const asks = {
  type: 'APPLIES_TO' as const,
  target: 'file',
  targetDepth: 1,
  policies: [{ name: 'ask' }],
}
export const graph = {
  primitives: [
    { name: 'file', depths: [{ level: 0 }, known] },
    { name: 'delete', depths: [{ level: 0 }, { ...known, relata: [asks] }] },
  ],
}
export const look = { id: 'look', safetyClass: 'READ' as const, argsSchema: { type: 'object' } }
export const erase = { ...look, id: 'erase', concepts: ['delete', 'file'] }
export const limits = [
  { safetyClass: 'READ' as const, uses: 'unlimited' as const, windowMs: 60_000 },
]
