// What keeps the facts of each era apart, where something does: sealing one and making room for the
// next. A log that keeps all eras in one place has none of it, and needs none.
import type { Place } from '#record/names'

export interface Rotation {
  /**
   * When it resolves no append to that era succeeds any more, for ever; it gives the position of
   * the era's last fact. Sealing again changes nothing and gives the same. Appends to a sealed era
   * fail with `Fault('era_sealed', 'soon')`.
   */
  seal(place: Place): Promise<{ readonly position: number }>

  /** Whether it was sealed, however far the next one has come. Changes nothing. */
  isSealed(place: Place): Promise<boolean>

  /**
   * Makes that era ready to take facts, the first of them at this position, and its queues. Must
   * come after the era before was sealed. Again, it changes nothing.
   */
  open(place: Place, first: number): Promise<void>

  /**
   * Lets that era, which has begun, take what speakers publish: what was published since the era
   * before was sealed comes first, and nothing is left out. False where it does so already.
   */
  admit(place: Place): Promise<boolean>

  /**
   * Releases the queues that stand still since a server died, and gives their names. The era takes
   * what speakers publish.
   */
  release(place: Place): Promise<readonly string[]>
}
