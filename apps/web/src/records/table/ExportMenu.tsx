import { ActionIcon, Button, Menu } from '@mantine/core'
import type { AnyListQuery, ExportFormat } from '@ordinator/model/client'
import type { Entity } from '@ordinator/model/entity'
import { IconDownload, IconFileSpreadsheet, IconFileText } from '@tabler/icons-react'
import { errorMessage } from '../../base/apiError.ts'
import { exportBlob } from '../../base/client.ts'
import { formatDate } from '../../kit/clock.ts'
import { notify } from '../../kit/notify.tsx'
import { useCan } from '../Can.tsx'

interface Props {
  entity: Entity
  query: AnyListQuery
  /** Names of the columns, in the order of `query.fields`. */
  titles?: readonly string[]
}

/** The whole list as filtered and sorted, with the columns that are shown. */
export function ExportMenu({ entity, query, titles }: Props) {
  if (!useCan('export', entity)) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={32} aria-label="Выгрузить" title="Выгрузить">
          <IconDownload size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconFileSpreadsheet size={18} />}
          onClick={() => void exportRecords(entity, 'xlsx', query, { titles })}
        >
          Excel (XLSX)
        </Menu.Item>
        <Menu.Item
          leftSection={<IconFileText size={18} />}
          onClick={() => void exportRecords(entity, 'csv', query, { titles })}
        >
          Таблица CSV
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/**
 * Fetches the file and hands it to the browser; a toast stands meanwhile and can stop it.
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
      Готовим файл…{' '}
      <Button variant="subtle" size="compact-sm" onClick={() => stop.abort()}>
        Остановить
      </Button>
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
