// The walk over a command of a shell: every simple command in it is judged, whatever it stands in,
// with what the shell may know at that point. What may run counts as what runs.
import { computed, expandWord, expandText, type Expanding } from './expanded-words.ts'
import { judgeCall } from './call.ts'
import { onEnvironment, setVariable, sourceOf } from './effects.ts'
import type { ShellCall } from './paths/shell-call.ts'
import { costs, TooMuch, wordsMax, type Effort, type JudgingShell } from './effort.ts'
import { distinct, dividesOtherwise, Scope } from './scope.ts'
import { doubted, locatePath, type Located, type Whereabouts } from './place.ts'
import { printed, unknownInput, noInput, fedBy, namesPrinted, type Piped } from './piped.ts'
import type { ReadShell, ShellCommand, ShellNode, ShellRedirect, ShellScript } from './syntax.ts'
import type { ShellTable } from './surroundings.ts'
import { redirected } from './redirects.ts'
import { calledWith, holderIn, holdSecret, inOwn, inScript, laterThan, moved } from './running.ts'
import { asAsked, found, secretSent, type CallPlace, type Unit } from './running.ts'
import { isVariable, onValue } from './sums.ts'
import { assignedBy, dividesItself, linesOf } from './assignments.ts'
import { addOpened, opensShell } from './handing-over.ts'
import { inBranches, inChain, inRounds } from './flow.ts'
import { globMark, unknownMark } from './marks.ts'

const unitsMax = 4_000
const depthMax = 24
/** Of all that is read as a script, at every depth. */
const charactersMax = 262_144

export class Walk {
  readonly units: Unit[] = []
  readonly #read: ReadShell
  readonly #table: ShellTable
  readonly #at: Whereabouts
  readonly #bodies = new Map<ShellScript, Scope>()
  readonly #running = new Set<ShellScript>()
  /** The names of the commands that it has judged. */
  readonly programs = new Set<string>()
  readonly #links = new Map<string, Located>()
  #depth = 0
  readonly #effort: Effort | undefined
  #characters = 0
  constructor(of: Whereabouts & JudgingShell) {
    this.#effort = of.effort
    this.#read = of.read
    this.#table = of.table
    this.#at = of
  }

  /** Judges a whole command, and the functions in it that no one calls. */
  whole(source: string): void {
    this.#source(source, new Scope(undefined, this.#at.folder), noInput)
    for (let round = 0; this.#bodies.size > 0 && round < depthMax; round += 1) {
      const left = [...this.#bodies]
      this.#bodies.clear()
      for (const [body, scope] of left) this.script(body, new Scope(scope), unknownInput)
    }
  }

  #source(source: string, scope: Scope, input: Piped): Piped {
    this.#effort?.take(source.length)
    this.#characters += source.length
    if (this.#characters > charactersMax) throw new TooMuch()
    const script = this.#read(source)
    if (script === null) {
      this.#unit().concepts.add('unparsed.command')
      return unknownInput
    }
    return this.script(script, scope, input)
  }

  /** What its last command prints. */
  script(script: ShellScript, scope: Scope, input: Piped): Piped {
    this.#depth += 1
    if (this.#depth > depthMax) throw new TooMuch()
    let output: Piped = noInput
    for (const node of script) {
      const { folders } = scope
      output = this.#node(node, scope, input)
      // Each may fail: a folder that is not there is not entered.
      if (folders !== scope.folders) {
        scope.folders = distinct([...scope.folders, ...doubted(folders)])
      }
    }
    this.#depth -= 1
    return script.length > 1 ? unknownInput : output
  }

  #node(node: ShellNode, scope: Scope, input: Piped): Piped {
    switch (node.kind) {
      case 'command':
        return this.#command(node, scope, input)
      case 'pipeline':
        return this.#pipeline(node.stages, scope, input)
      case 'chain':
        return inChain(node, scope, (item, own) => this.#node(item, own, input))
      case 'apart':
        return this.script(node.body, new Scope(scope), input)
      case 'together':
        return this.script(node.body, scope, input)
      case 'redirected': {
        const given = this.#redirects(node.redirects, scope, this.#unit()) ?? input
        return this.#node(node.node, scope, given)
      }
      case 'loop':
        this.#loop(node, scope, input)
        return unknownInput
      case 'branches':
        inBranches(node.branches, scope, (body, own) => void this.script(body, own, input))
        return unknownInput
      case 'function': {
        const known = scope.functions.get(node.name) ?? []
        scope.functions.set(node.name, [...known, node.body])
        this.#bodies.set(node.body, new Scope(scope))
        return noInput
      }
      case 'looked': {
        const by = this.#expanding(scope, this.#unit())
        for (const word of node.words) expandWord(word, by)
        for (const word of node.sums) computed({ word, of: null }, by)
        for (const word of node.names) {
          if (!expandText(word, by).texts.every((one) => isVariable(one, scope))) by.add('code.run')
        }
        return noInput
      }
    }
  }

  #pipeline(stages: readonly ShellNode[], scope: Scope, input: Piped): Piped {
    const from = this.units.length
    let flowing = input
    for (const stage of stages) {
      const own = new Scope(scope)
      flowing = this.#node(stage, own, flowing)
      // Some shells run the last stage themselves.
      if (stage === stages.at(-1)) scope.join(own)
    }
    if (secretSent(this.units.slice(from), true)) this.#unit().concepts.add('secret.send')
    return flowing
  }

  #loop(node: Extract<ShellNode, { kind: 'loop' }>, scope: Scope, input: Piped): void {
    const unit = this.#unit()
    const { variable } = node
    if (variable !== null) {
      const by = this.#expanding(scope, unit)
      const words = (node.words ?? []).map((word) => expandWord(word, by))
      const isSecret = words.some((one) => one.isSecret)
      const known = words.flatMap(({ alternatives }) => alternatives.flat())
      const values = node.words === null ? [unknownMark] : known
      this.#assign(variable, values, isSecret, scope, unit)
    }
    // A round takes some of it; of what is below some folders the rest is as it was.
    const left = input.kind === 'paths' ? input : unknownInput
    inRounds(scope, (own) => void this.script(node.body, own, left))
  }

  #command(node: ShellCommand, scope: Scope, input: Piped): Piped {
    const unit = this.#unit()
    const by = this.#expanding(scope, unit)
    const given = this.#redirects(node.redirects, scope, unit) ?? input
    if (node.words.length > wordsMax) {
      unit.concepts.add('unparsed.command')
      return unknownInput
    }
    const before = scope.get('IFS')
    const divides = dividesItself(node, scope)
    for (const one of node.assignments) {
      const { values, isSecret } = assignedBy(one, by)
      if (node.words.length === 0) this.#assign(one.name, values, isSecret, scope, unit)
      else if (divides && one.name === 'IFS') scope.set('IFS', { values, isSecret })
      else onEnvironment(`${one.name}=`, this.#call([], { scope, unit, input, depth: 0 }))
    }
    const { lines, isSecret, isLoose } = linesOf(node.words, by)
    // What prints the name of a command may print another one.
    const [called] = node.words
    if (called?.kind === 'word' && called.word.some(({ kind }) => kind === 'output')) {
      unit.concepts.add('unknown.command')
    }
    const isSilent = lines.every(([one = '']) => this.#table.commands.get(one)?.silent === true)
    if (isSecret && !isSilent) holdSecret(unit)
    const at = { scope, unit, input: given, depth: 0, isLoose }
    const outputs = lines.map((fields) => this.#run(fields, at))
    if (divides) scope.set('IFS', before)
    if (unit.concepts.size === 0 && node.words.length + node.assignments.length > 0) {
      unit.concepts.add('harmless')
    }
    return outputs.length === 1 ? (outputs[0] ?? unknownInput) : unknownInput
  }

  #assign(
    name: string,
    values: readonly string[],
    isSecret: boolean,
    scope: Scope,
    unit: Unit,
  ): void {
    const held = scope.get(name)
    if (name === 'IFS' && values.some(dividesOtherwise)) unit.concepts.add('code.run')
    setVariable(name, this.#call([], { scope, unit, input: noInput, depth: 0 }))
    scope.set(name, { ...held, isSecret })
    onValue(name, values, { scope, add: (concept) => void unit.concepts.add(concept) })
    if (!scope.isCounted(name)) scope.set(name, { ...held, values, isSecret })
  }

  #run(fields: readonly string[], of: CallPlace): Piped {
    let output: Piped = unknownInput
    if (/^(?:break|continue|return)$/u.test(fields[0] ?? '')) of.scope.leave()
    judgeCall(this.#call(fields, of, (made) => (output = made)))
    addOpened({ fields, input: of.input, unit: of.unit, table: this.#table })
    return output
  }

  #call(fields: readonly string[], of: CallPlace, onOutput?: (output: Piped) => void): ShellCall {
    const { scope, unit, input, depth } = of
    if (fields[0] !== undefined) this.programs.add(fields[0])
    // Each is looked at from each folder.
    const looked = fields.reduce((sum, one) => sum + costs.argument + one.length, 0)
    this.#effort?.take(looked * scope.folders.length)
    const call: ShellCall = {
      fields,
      table: this.#table,
      root: this.#at.root,
      scope,
      depth,
      holder: holderIn(fields),
      folders: scope.folders,
      links: this.#links,
      add: (concept, whose) => {
        found(asAsked(concept, fields), unit, whose)
      },
      note: (one) => void unit.notes.add(one),
      holdSecret: () => {
        holdSecret(unit)
      },
      enter: (folder) => {
        call.folders = distinct(call.folders.map((base) => locatePath(folder, base, this.#at.root)))
      },
      runCommand: (inner) => {
        const own = moved(inOwn(fields, scope), call)
        onOutput?.(this.#run(inner, { ...of, depth: depth + 1, scope: own }))
      },
      runScript: (text) => {
        const { source, isWhole } = sourceOf(text)
        if (!isWhole || text.includes(globMark)) unit.concepts.add('code.run')
        const own = inOwn(fields, scope)
        onOutput?.(inScript(own, () => this.#source(source, own, input)))
      },
      runLater: (text) => void this.#source(sourceOf(text).source, laterThan(scope), unknownInput),
      runFunction: (bodies) => this.#function(bodies, of, fields),
      named: () => namesPrinted(input),
      input: () => (input.kind === 'text' ? input.text : null),
      isLoose: of.isLoose === true,
      fed: (command) => fedBy(input, fields.slice(1, fields.length - command.length)),
      prints: (printing) => {
        const { output, script } = printed(printing, input)
        onOutput?.(output)
        if (script !== undefined) this.#source(script, new Scope(scope), noInput)
        else if (printing.act.runsInput === true && printing.words.length === 0) {
          unit.concepts.add('code.run')
          if (opensShell(fields, input)) unit.concepts.add('shell.open')
        }
      },
    }
    return call
  }

  #function(bodies: readonly ShellScript[], of: CallPlace, fields: readonly string[]): void {
    for (const body of bodies) {
      this.#bodies.delete(body)
      // One that calls itself may not end.
      if (this.#running.has(body)) of.unit.concepts.add('unknown.command')
      else {
        this.#running.add(body)
        const scope = calledWith(fields, of.scope)
        of.scope.within(scope, () => this.script(body, scope, of.input))
        of.scope.join(scope)
        this.#running.delete(body)
      }
    }
  }

  #redirects(redirects: readonly ShellRedirect[], scope: Scope, unit: Unit): Piped | null {
    const call = this.#call([], { scope, unit, input: noInput, depth: 0 })
    return redirected(redirects, { by: this.#expanding(scope, unit), call, unit })
  }

  #expanding(scope: Scope, unit: Unit): Expanding {
    return {
      scope,
      judge: (script) => {
        const from = this.units.length
        const output = this.script(script, new Scope(scope), noInput)
        const made = this.units.slice(from)
        return { isSecret: made.some(({ concepts }) => concepts.has('secret.read')), output }
      },
      isSecretName: this.#table.isSecretName,
      add: (concept) => {
        found(concept, unit)
      },
      makes: (characters) => this.#effort?.take(characters),
    }
  }

  #unit(): Unit {
    this.#effort?.take(costs.command)
    if (this.units.length > unitsMax) throw new TooMuch()
    const unit: Unit = { concepts: new Set(), notes: new Set(), holdsSecret: false }
    this.units.push(unit)
    return unit
  }
}
