// Colours, on a terminal that has them and where no one has said no. What is written to a file or a
// pipe never has any.
import { environment } from '#runtime/wiring/environment'
import pc from 'picocolors'

const { stdout } = process
const { NO_COLOR: refused = '', TERM: terminal } = environment()

export const colours = pc.createColors(
  stdout.isTTY === true && refused === '' && terminal !== 'dumb',
)
