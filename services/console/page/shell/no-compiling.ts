// A page may compile nothing. What reads facts would try it once, be refused and have that
// reported, so it is set first, before anything is loaded that has a schema.
import { z } from 'zod'

export function compileNothing(): void {
  z.config({ jitless: true })
}
