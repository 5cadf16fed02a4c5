// The tree of `unbash` as the tree that commands are judged by: simple commands, and how they stand
// together.
import type {
  Command,
  CommandNode,
  CompoundList,
  ParsedScript,
  PipelineNode,
  Redirection,
  Statement,
  AndOr,
  Case,
  Function as FunctionNode,
  TestExpression,
  Coproc,
  ArithmeticExpression,
  Word,
} from 'unbash'
import type { ShellArgument, ShellNode, ShellRedirect, ShellScript } from '#shell/syntax'
import type { ShellWord } from '#shell/syntax'
import { assignmentOf, arithmeticOf, Unread, wordOf, wordOfParts } from './words.ts'

export function scriptOf(script: ParsedScript | CompoundList | undefined): ShellScript {
  if (script === undefined) throw new Unread()
  return script.commands.map(statementOf)
}

// What runs in the background changes nothing of the shell.
function statementOf({ command, background }: Statement): ShellNode {
  const node = nodeOf(command)
  return background === true ? { kind: 'apart', body: [node] } : node
}

function nodeOf(node: PipelineNode | AndOr): ShellNode {
  switch (node.type) {
    case 'AndOr':
      return { kind: 'chain', items: node.commands.map(nodeOf), operators: node.operators }
    case 'Pipeline': {
      const stages = node.commands.map(commandOf)
      const [only] = stages
      return stages.length === 1 && only !== undefined ? only : { kind: 'pipeline', stages }
    }
    default:
      return commandOf(node)
  }
}

function commandOf(node: CommandNode): ShellNode {
  switch (node.type) {
    case 'Command':
      return simpleOf(node)
    case 'Redirected':
      return {
        kind: 'redirected',
        node: commandOf(node.command),
        redirects: node.redirects.map(redirectOf),
      }
    case 'Function':
      return functionOf(node)
    case 'Coproc':
      return coprocOf(node)
    case 'Subshell':
      return { kind: 'apart', body: scriptOf(node.body) }
    case 'BraceGroup':
      return { kind: 'together', body: scriptOf(node.body) }
    case 'If': {
      const last = node.else === undefined ? [] : scriptOf(node.else)
      const otherwise = node.elif.reduceRight<ShellScript>((rest, { clause, then }) => {
        return [...scriptOf(clause), { kind: 'branches', branches: [scriptOf(then), rest] }]
      }, last)
      const branches = [scriptOf(node.then), otherwise]
      return { kind: 'together', body: [...scriptOf(node.clause), { kind: 'branches', branches }] }
    }
    case 'While': {
      const body = [...scriptOf(node.clause), ...scriptOf(node.body)]
      return { kind: 'loop', variable: null, words: null, body }
    }
    case 'For':
    case 'Select': {
      const words = node.wordlist?.map(plainWord) ?? null
      return { kind: 'loop', variable: node.name.value, words, body: scriptOf(node.body) }
    }
    case 'ArithmeticFor': {
      const [before, test, after] = [node.initialize, node.test, node.update].map(sumWord)
      const body = [...scriptOf(node.body), looked({ sums: [after ?? [], test ?? []] })]
      const loop: ShellNode = { kind: 'loop', variable: null, words: null, body }
      return { kind: 'together', body: [looked({ sums: [before ?? [], test ?? []] }), loop] }
    }
    case 'Case': {
      const patterns = node.items.flatMap((item) => item.pattern.map(plainWord))
      const words = [plainWord(node.word), ...patterns]
      return { kind: 'together', body: [looked({ words }), ...casesOf(node)] }
    }
    case 'TestCommand':
      return { kind: 'together', body: testsOf(node.expression) }
    case 'ArithmeticCommand':
      if (node.expression === undefined && node.body.trim() !== '') throw new Unread()
      return looked({ sums: [sumWord(node.expression)] })
  }
}

/** One of them runs, or none; where one goes on to the next, any of them may. */
function casesOf({ items }: Case): ShellScript {
  const bodies = items.map(({ body }) => scriptOf(body))
  const goesOn = items.some(({ terminator }) => terminator === ';&' || terminator === ';;&')
  const isWhole = items.some(({ pattern }) => pattern.some((one) => one.text === '*'))
  if (!goesOn) return [{ kind: 'branches', branches: isWhole ? bodies : [...bodies, []] }]
  return bodies.map((body) => ({ kind: 'branches', branches: [body, []] }))
}

function simpleOf(node: Command): ShellNode {
  const words: ShellArgument[] = []
  const redirects: ShellRedirect[] = []
  const assignments = node.prefix.flatMap((one) => {
    if (one.type === 'Assignment') return [assignmentOf(one, scriptOf)]
    redirects.push(redirectOf(one))
    return []
  })
  if (node.name !== undefined) words.push({ kind: 'word', word: plainWord(node.name) })
  for (const one of node.suffix) {
    if (one.type === 'Word') words.push({ kind: 'word', word: plainWord(one) })
    else if (one.type === 'Assignment') {
      words.push({ kind: 'assignment', assignment: assignmentOf(one, scriptOf) })
    } else {
      // `{a[1]}>f` puts a number there, which works out the index.
      const before = node.suffix.find(({ end }) => end === one.pos)
      if (before !== undefined && /^\{\w+\[/u.test(textOf(before))) throw new Unread()
      redirects.push(redirectOf(one))
    }
  }
  return { kind: 'command', assignments, words, redirects }
}

function textOf(node: Command['suffix'][number]): string {
  return 'text' in node ? node.text : ''
}

function functionOf(node: FunctionNode): ShellNode {
  if (node.body.type === 'CompoundList') throw new Unread()
  return { kind: 'function', name: node.name.value, body: [commandOf(node.body)] }
}

function coprocOf({ body }: Coproc): ShellNode {
  if (body.type === 'CompoundList') throw new Unread()
  return { kind: 'apart', body: [commandOf(body)] }
}

function redirectOf(node: Redirection): ShellRedirect {
  const { descriptor } = node
  if (descriptor?.type === 'FileDescriptorVariable' && !/^\w+$/u.test(descriptor.name)) {
    throw new Unread()
  }
  switch (node.type) {
    case 'HereDoc': {
      const { parts, text, pos: start, end } = node.body
      const plain: ShellWord = [{ kind: 'text', text, quoted: true }]
      return {
        kind: 'text',
        word: parts === undefined ? plain : wordOfParts(parts, true, scriptOf),
        body: { start, end },
      }
    }
    case 'HereString':
      if (node.target === undefined) throw new Unread()
      return { kind: 'text', word: plainWord(node.target) }
    case 'Redirect':
      if (node.target === undefined) throw new Unread()
      return { kind: 'file', operator: node.operator, target: plainWord(node.target) }
  }
}

type Looked = Extract<ShellNode, { kind: 'looked' }>

function looked({ words = [], sums = [], names = [] }: Partial<Omit<Looked, 'kind'>>): Looked {
  return { kind: 'looked', words, sums, names }
}

function testsOf(test: TestExpression): ShellScript {
  switch (test.type) {
    case 'TestUnary': {
      const word = plainWord(test.operand)
      return [looked(/^-[vR]$/u.test(test.operator) ? { names: [word] } : { words: [word] })]
    }
    case 'TestBinary': {
      const words = [plainWord(test.left), plainWord(test.right)]
      return [looked(/^-(?:eq|ne|l[te]|g[te])$/u.test(test.operator) ? { sums: words } : { words })]
    }
    case 'TestLogical':
      return test.operands.flatMap(testsOf)
    case 'TestNot':
      return testsOf(test.operand)
    case 'TestGroup':
      return testsOf(test.expression)
  }
}

function sumWord(expression: ArithmeticExpression | undefined): ShellWord {
  return expression === undefined ? [] : arithmeticOf(expression, scriptOf)
}

function plainWord(word: Word): ShellWord {
  return wordOf(word, scriptOf)
}
