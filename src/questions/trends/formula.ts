/** Computes a formula from the letters' figures; null if one of them is missing, or if it divides by zero. */
type Evaluate = (figures: readonly (number | null)[]) => number | null

export interface Formula {
  /** The formula as written. */
  readonly text: string
  /** The number of letters that the formula needs: 3 if the last one is C. */
  readonly letters: number
  readonly evaluate: Evaluate
}

export const LETTERS = 'ABCDEF'

const TOKEN = /\s*(\d+(?:\.\d+)?|[A-F]|[-+*/()])/y

type Operation = (a: number, b: number) => number

const SUMS: Readonly<Record<string, Operation>> = { '+': (a, b) => a + b, '-': (a, b) => a - b }
const PRODUCTS: Readonly<Record<string, Operation>> = { '*': (a, b) => a * b, '/': (a, b) => a / b }

/** Reads letters, numbers, `+ - * /` and parentheses. Throws a `SyntaxError` that names what is wrong. */
export function parseFormula(text: string): Formula {
  const tokens = tokensOf(text)
  let [index, letters] = [0, 0]

  function chain(operations: Readonly<Record<string, Operation>>, operand: () => Evaluate): Evaluate {
    let left = operand()
    for (;;) {
      const operation = operations[tokens[index] ?? '']
      if (!operation) return left
      index++
      left = combined(operation, left, operand())
    }
  }

  const sum = (): Evaluate => chain(SUMS, product)
  const product = (): Evaluate => chain(PRODUCTS, factor)

  function factor(): Evaluate {
    const token = tokens[index++]
    if (token === '-')
      return combined(
        (a, b) => a * b,
        () => -1,
        factor(),
      )
    if (token === '(') {
      const inner = sum()
      if (tokens[index++] !== ')') throw new SyntaxError("')' is missing")
      return inner
    }
    const letter = token === undefined ? -1 : LETTERS.indexOf(token)
    if (letter >= 0) {
      letters = Math.max(letters, letter + 1)
      return (figures) => figures[letter] ?? null
    }
    const number = Number(token)
    if (Number.isNaN(number)) throw new SyntaxError(`${token === undefined ? 'the end' : `'${token}'`} is unexpected`)
    return () => number
  }

  const evaluate = sum()
  if (index < tokens.length) throw new SyntaxError(`'${tokens[index]}' is unexpected`)
  return { text, letters, evaluate }
}

function tokensOf(text: string): string[] {
  const tokens: string[] = []
  const source = text.trimEnd()
  TOKEN.lastIndex = 0
  for (let from = 0; from < source.length; from = TOKEN.lastIndex) {
    const token = TOKEN.exec(source)?.[1]
    if (token === undefined) throw new SyntaxError(`'${[...source.slice(from).trimStart()][0]}' is unexpected`)
    tokens.push(token)
  }
  return tokens
}

/** Combines two figures. The result is null if it is too large for a number, or divided by zero. */
function combined(operation: Operation, left: Evaluate, right: Evaluate): Evaluate {
  return (figures) => {
    const [a, b] = [left(figures), right(figures)]
    if (a === null || b === null) return null
    const figure = operation(a, b)
    // Adding 0 turns -0 into 0.
    return Number.isFinite(figure) ? figure + 0 : null
  }
}
