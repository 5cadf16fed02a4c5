// A command that goes through very many values once: most of what it makes is soon of no use, and
// V8 by itself lets that grow to several times of what is in use before it looks.
import { setFlagsFromString } from 'node:v8'

/** From here on, the heap grows by at most this part between two looks. */
export function keepHeapLean(): void {
  setFlagsFromString('--heap-growing-percent=25')
}
