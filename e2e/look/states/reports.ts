import type { State } from './common.ts'

const one = { reports: [{}, { name: 'report', at: () => 'reports?tab=payments' }] } satisfies Record<
  string,
  readonly State[]
>

export const reports = one
