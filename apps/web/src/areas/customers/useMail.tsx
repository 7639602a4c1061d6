import type { Customer } from '@ordinator/model/areas/customers/customer'
import type { Row } from '@ordinator/model/entity'
import { IconMail } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { MailDialog } from '#areas/messages/index.ts'
import type { BulkAction } from '#records/table/BulkBar.tsx'
import { useBulkDialog } from '#records/table/useBulkDialog.ts'

type Line = Row<typeof Customer>

/** «Написать» to the selected customers. The screen renders its dialog. */
export function useMail(): { action: BulkAction<Line>; dialog: ReactNode } {
  const { opens, rows, close } = useBulkDialog<Line>()
  return {
    action: { key: 'mail', label: 'Написать…', icon: IconMail, ...opens },
    dialog: rows && (
      <MailDialog customers={rows.map(({ id }) => id)} onSent={() => close(true)} onClose={() => close(false)} />
    ),
  }
}
