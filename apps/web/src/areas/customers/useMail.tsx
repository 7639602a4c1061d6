import type { Customer } from '@ordinator/model/areas/customers/customer'
import type { Row } from '@ordinator/model/entity'
import { IconMail } from '@tabler/icons-react'
import { type ReactNode, Suspense, useRef, useState } from 'react'
import type { BulkAction } from '../../records/table/BulkBar.tsx'
import { MailDialog } from '../messages/index.ts'

/** «Написать» to those who are chosen. Its dialog is the screen's to show. */
export function useMail(): { action: BulkAction<Row<typeof Customer>>; dialog: ReactNode } {
  const [ids, setIds] = useState<number[]>()
  const settle = useRef<(done: boolean) => void>(undefined)
  const close = (done: boolean) => {
    setIds(undefined)
    settle.current?.(done)
    settle.current = undefined
  }
  return {
    action: {
      key: 'mail',
      label: 'Написать…',
      icon: IconMail,
      run: (rows) =>
        new Promise<boolean>((resolve) => {
          settle.current = resolve
          setIds(rows.map(({ id }) => id))
        }),
    },
    dialog: ids && (
      <Suspense>
        <MailDialog customers={ids} onSent={() => close(true)} onClose={() => close(false)} />
      </Suspense>
    ),
  }
}
