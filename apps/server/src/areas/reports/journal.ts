/** Reads of report rows in the access journal. */
import type { ServerActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { type JournalAction, journalActor } from '#records/journal.ts'

/** Maximum number of access journal lines per response; above it one line covers the whole view. */
const MAX_LINES = 100

/** Rows name patients: a read is recorded in the access journal. */
export function journal(
  app: AppContext,
  actor: ServerActor,
  action: JournalAction,
  entityType: string,
  patients: readonly number[],
): Promise<void> {
  const line = { ...journalActor(actor), action, entityType }
  if (action === 'export' || patients.length > MAX_LINES) return app.journal(line)
  return app.journal(...patients.map((idCustomer) => ({ ...line, idCustomer })))
}
