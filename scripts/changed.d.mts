export interface Reached {
  /** Browser test files. */
  specs: string[]
  /** Keys of the pages to check. */
  pages: string[]
}
export function browserOf(
  files: readonly string[],
  pages: readonly { key: string; path: string; area?: string }[],
  texts?: readonly { file: string; text: string }[],
): Reached
