// Starts the program of the thread from its TypeScript source, where nothing was compiled: what the
// process itself was started with does not reach its threads.
import { register } from 'tsx/esm/api'

register()
await import('./syntax-program.ts')
