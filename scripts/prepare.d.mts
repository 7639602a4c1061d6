import type { SpawnOptions } from 'node:child_process'

export const ROOT: string
export const NODE: string
export class Failure extends Error {}

export interface Persevering extends SpawnOptions {
  isChatter(line: string): boolean
  progress(lines: number): string
  state?(): unknown
  stalled: string
  failed: string
  stallMs?: number
  say?(line: string): void
}
export function persevere(file: string, args: readonly string[], options: Persevering): Promise<void>
