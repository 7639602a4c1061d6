import type { Tx } from '#platform/db.ts'
import type { AppContext, Ready, SpeaksOutside } from './context.ts'
import type { Definition } from './define.ts'
import type { Operation } from './operation.ts'
import type { PageCount } from './pageCount.ts'
import type { Records } from './records.ts'
import type { ReportSource } from './reports/source.ts'
import type { BackgroundRun } from './run.ts'

/** One server area: the exports of its index.ts, and all that areas.ts needs to register it. */
export interface Area extends SpeaksOutside {
  name: string
  /** In Russian, for the API documentation. */
  title: string
  records: readonly Definition[]
  operations?: readonly Operation[]
  /** Facts of the reports it declares; their calls are derived. */
  reports?: readonly ReportSource[]
  /** Figures of its pages that are no reports, and may take longer than a request. */
  counts?: readonly PageCount[]
  /** Its work in the background that a person waits for; their jobs are derived. */
  runs?: readonly Pick<BackgroundRun, 'register' | 'resume'>[]
  /** Registers jobs, listeners and other start-up work. */
  start?(app: AppContext): void | Promise<void>
  /** Creates the initial content of an empty clinic: document templates, lists, units. Once, before the first sign-in. */
  ready?: Ready
  /** Creates the area's part of the demo clinic, all areas in one transaction and in the order of areas.ts. */
  demo?(records: Records, app: AppContext, tx: Tx): Promise<void>
}
