import type { Entity } from '@ordinator/model/entity'
import { counted } from '@ordinator/model/format'
import { IconCircleCheck } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { notify } from '../../kit/notify.tsx'
import { invalidateRecords } from '../../records/keys.ts'
import type { BulkAction } from '../../records/table/BulkBar.tsx'
import { EndDialog, type Ending } from './EndDialog.tsx'

interface Options<R> {
  entity: Entity
  label: string
  title: string
  forms: readonly [string, string, string]
  /** Why a conversation has nothing to be ended. */
  keeps: (row: R) => string | undefined
  run: (ids: number[], ending: Ending) => Promise<unknown>
}

/** One outcome for several conversations at once; those that may not be ended stay. Its dialog is the screen's to show. */
export function useBulkEnd<R extends { id: number }>({
  entity,
  label,
  title,
  forms,
  keeps,
  run,
}: Options<R>): {
  action: BulkAction<R>
  dialog: ReactNode
} {
  const cache = useQueryClient()
  const [rows, setRows] = useState<R[]>()
  const settle = useRef<(done: boolean) => void>(undefined)
  const close = (done: boolean) => {
    setRows(undefined)
    settle.current?.(done)
    settle.current = undefined
  }
  return {
    action: {
      key: 'end',
      label,
      icon: IconCircleCheck,
      keeps,
      run: (given) =>
        new Promise<boolean>((resolve) => {
          settle.current = resolve
          setRows(given.filter((row) => keeps(row) === undefined))
        }),
    },
    dialog: rows && (
      <EndDialog
        title={`${title}: ${counted(rows.length, forms)}`}
        action="Записать"
        run={async (ending) => {
          await run(
            rows.map(({ id }) => id),
            ending,
          )
          await invalidateRecords(cache, entity.path)
          notify.success(`Итог записан: ${counted(rows.length, forms)}`)
          close(true)
        }}
        onClose={() => close(false)}
      />
    ),
  }
}
