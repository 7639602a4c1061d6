import {
  MAX_MOVE_ARCHIVE,
  MAX_MOVE_FILES,
  MAX_MOVE_ROWS,
  MAX_MOVE_TABLE,
  type MoveTable,
} from '@ordinator/model/areas/moving/tables'
import { formatFileSize, formatNumber } from '@ordinator/model/format'
import { Dialog } from '#kit/Dialog.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { SendFile } from '#records/SendFile.tsx'
import { sendFile, useRefresh } from './movingCalls.ts'

interface Props {
  idMove: number
  table: MoveTable
  onClose: () => void
  onSent: (idFile: number) => void
}

export function AddFile({ idMove, table: { key, title, row }, onClose, onSent }: Props) {
  const isArchive = key === 'files'
  const refresh = useRefresh()
  return (
    <Dialog onClose={onClose} title={`${title}: файл`} size={560}>
      <VStack gap={12}>
        <SendFile
          label="Перетащите файл сюда или нажмите, чтобы выбрать"
          working="Сохраняем"
          extensions={isArchive ? ['zip'] : ['xlsx', 'csv', 'dbf']}
          maxSize={isArchive ? MAX_MOVE_ARCHIVE : MAX_MOVE_TABLE}
          send={async (file, { onProgress, signal }) => {
            const { id } = await sendFile(idMove, key, file, onProgress, signal)
            await refresh()
            onSent(id)
          }}
        />
        <Muted fz={13}>
          {isArchive
            ? `Архив ZIP: файлы и таблица CSV или XLSX, где названы файл и код пациента. В одном архиве до ${formatNumber(MAX_MOVE_FILES)} файлов и ${formatFileSize(MAX_MOVE_ARCHIVE)}; больше — несколькими архивами, в каждом своя таблица.`
            : `Одна строка — ${row}. В одном файле до ${formatNumber(MAX_MOVE_ROWS)} строк и ${formatFileSize(MAX_MOVE_TABLE)}. Таблицу длиннее разделите на части и загрузите их одну за другой.`}
        </Muted>
      </VStack>
    </Dialog>
  )
}
