export interface Share {
  files: string
  fits: RegExp
  seconds: number
}

/** The shares of docs/tests.md, in their order there. */
export function readBudget(text?: string): Share[]
