/** The catalogue of reports and one of them. */
import type { State } from './common.ts'

export const reports = {
  reports: [{}, { name: 'report', at: () => '/app/reports?tab=payments' }],
} satisfies Record<string, readonly State[]>
