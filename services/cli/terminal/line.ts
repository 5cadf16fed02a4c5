// Lines for people, as the command line writes them: no bytes of them are obeyed by a terminal.
export { visible } from '#record/quote'
export { indented, indentedLines, textOfLine, toned, type Line, type Tone } from '#present/lines'
