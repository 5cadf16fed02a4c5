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
  Function as FunctionNode,
  TestExpression,
  Coproc,
  ArithmeticExpression,
  Word,
} from 'unbash'
import type { ShellArgument, ShellNode, ShellRedirect, ShellScript } from '#core/shell/syntax'
import type { ShellWord } from '#core/shell/syntax'
import { assignmentOf, sumPart, Unread, wordOf, wordOfParts } from './words.ts'

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
      const branches = [node.then, ...node.elif.flatMap((one) => [one.clause, one.then])]
      const last = node.else === undefined ? [] : [node.else]
      const rest: ShellNode = {
        kind: 'branches',
        branches: [...branches, ...last].map(scriptOf),
      }
      return { kind: 'together', body: [...scriptOf(node.clause), rest] }
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
      const sums = [node.initialize, node.test, node.update].map(sumWord)
      const body: ShellScript = [{ kind: 'looked', words: sums }, ...scriptOf(node.body)]
      return { kind: 'loop', variable: null, words: null, body }
    }
    case 'Case': {
      const patterns = node.items.flatMap((item) => item.pattern.map(plainWord))
      const looked: ShellNode = { kind: 'looked', words: [plainWord(node.word), ...patterns] }
      const branches = node.items.map((item) => scriptOf(item.body))
      return { kind: 'together', body: [looked, { kind: 'branches', branches }] }
    }
    case 'TestCommand':
      return { kind: 'looked', words: testWords(node.expression) }
    case 'ArithmeticCommand':
      return { kind: 'looked', words: [sumWord(node.expression)] }
  }
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
    } else redirects.push(redirectOf(one))
  }
  return { kind: 'command', assignments, words, redirects }
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
  switch (node.type) {
    case 'HereDoc': {
      const { parts, text } = node.body
      const plain: ShellWord = [{ kind: 'text', text, quoted: true }]
      return {
        kind: 'text',
        word: parts === undefined ? plain : wordOfParts(parts, true, scriptOf),
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

function testWords(test: TestExpression): readonly ShellWord[] {
  switch (test.type) {
    case 'TestUnary':
      return [plainWord(test.operand)]
    case 'TestBinary':
      return [plainWord(test.left), plainWord(test.right)]
    case 'TestLogical':
      return test.operands.flatMap(testWords)
    case 'TestNot':
      return testWords(test.operand)
    case 'TestGroup':
      return testWords(test.expression)
  }
}

function sumWord(expression: ArithmeticExpression | undefined): ShellWord {
  return expression === undefined ? [] : [sumPart(expression, scriptOf)]
}

function plainWord(word: Word): ShellWord {
  return wordOf(word, scriptOf)
}
