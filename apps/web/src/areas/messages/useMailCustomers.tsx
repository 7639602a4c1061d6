import { holds } from '@ordinator/model/access'
import { IconMail } from '@tabler/icons-react'
import type { CustomersBulk } from '#areas/customers/index.ts'
import { useActor } from '#base/session.ts'
import { useBulkDialog } from '#records/table/useBulkDialog.ts'
import { MailDialog } from './index.ts'

/** «Написать» to the selected customers, for those who may. */
export function useMailCustomers(): CustomersBulk | undefined {
  const mayWrite = holds(useActor(), 'sendMessages')
  const { opens, rows, close } = useBulkDialog<{ id: number }>()
  if (!mayWrite) return undefined
  return {
    action: { key: 'mail', label: 'Написать…', icon: IconMail, ...opens },
    dialog: rows && (
      <MailDialog customers={rows.map(({ id }) => id)} onSent={() => close(true)} onClose={() => close(false)} />
    ),
  }
}
