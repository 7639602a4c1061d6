import type { AnyListQuery, ExportFormat } from '@ordinator/model/client'
import type { Entity } from '@ordinator/model/entity'
import { IconDownload, IconFileSpreadsheet, IconFileText, IconPrinter } from '@tabler/icons-react'
import { errorMessage } from '#base/apiError.ts'
import { exportBlob } from '#base/client.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { formatDate } from '#kit/clock.ts'
import { notify } from '#kit/notify.tsx'
import { useCan } from '../Can.tsx'

interface Props {
  entity: Entity
  query: AnyListQuery
  /** Names of the columns, in the order of `query.fields`. */
  titles?: readonly string[]
}

/** Exports the whole list as filtered and sorted, with the visible columns. */
export function ExportMenu({ entity, query, titles }: Props) {
  if (!useCan('export', entity)) return null
  return (
    <ActionMenu label="Выгрузить" icon={IconDownload} variant="default" size={32}>
      <MenuItem
        label="Excel (XLSX)"
        icon={IconFileSpreadsheet}
        onClick={() => void exportRecords(entity, 'xlsx', query, { titles })}
      />
      <MenuItem
        label="Таблица CSV"
        icon={IconFileText}
        onClick={() => void exportRecords(entity, 'csv', query, { titles })}
      />
      <MenuItem label="Напечатать то, что видно" icon={IconPrinter} onClick={() => window.print()} />
    </ActionMenu>
  )
}

/**
 * Downloads the file; a toast is shown meanwhile and can cancel it.
 * @param own names of the columns in the order of `query.fields`, and of the file
 */
export async function exportRecords(
  entity: Entity,
  format: ExportFormat,
  query: AnyListQuery,
  own: { titles?: readonly string[]; name?: string } = {},
): Promise<void> {
  const stop = new AbortController()
  const toast = notify.info(
    <>
      Готовим файл… <ActionButton label="Остановить" variant="subtle" size="compact-sm" onClick={() => stop.abort()} />
    </>,
    { timeout: false },
  )
  try {
    const blob = await exportBlob(entity, format, query, own.titles, stop.signal)
    save(blob, `${own.name ?? `Список ${entity.label[2]}`} ${formatDate(new Date())}.${format}`)
    notify.success('Файл сохранён')
  } catch (error) {
    if (!stop.signal.aborted) notify.error(errorMessage(error), { title: 'Не удалось выгрузить' })
  } finally {
    notify.hide(toast)
  }
}

function save(blob: Blob, fileName: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
