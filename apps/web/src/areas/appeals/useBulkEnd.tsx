import type { Entity } from '@ordinator/model/entity'
import { counted } from '@ordinator/model/format'
import { IconCircleCheck } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { notify } from '#kit/notify.tsx'
import { invalidateRecords } from '#records/keys.ts'
import type { BulkAction } from '#records/table/BulkBar.tsx'
import { useBulkDialog } from '#records/table/useBulkDialog.ts'
import { EndDialog, type Ending } from './EndDialog.tsx'

interface Options<R> {
  entity: Entity
  label: string
  title: string
  forms: readonly [string, string, string]
  /** Reason why a conversation cannot be ended. */
  keeps: (row: R) => string | undefined
  run: (ids: number[], ending: Ending) => Promise<unknown>
}

/** One outcome for several conversations; those that cannot be ended are skipped. The screen renders its dialog. */
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
  const { opens, rows, close } = useBulkDialog<R>((given) => given.filter((row) => keeps(row) === undefined))
  return {
    action: {
      key: 'end',
      label,
      icon: IconCircleCheck,
      keeps,
      ...opens,
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
