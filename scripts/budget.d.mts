export interface Share {
  files: string
  fits: RegExp
  seconds: number
}

/** The budgets of docs/tests.md, in their order. */
export function readBudget(text?: string): Share[]
