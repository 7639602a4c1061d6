import { Stack, Text } from '@mantine/core'
import type { ImportPreview } from '@ordinator/model/areas/imports/wire'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { errorMessage } from '../../base/apiError.ts'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { notify } from '../../kit/notify.tsx'
import { HStack } from '../../kit/Stacks.tsx'
import { SendFile } from '../../records/SendFile.tsx'
import { type ImportDialogProps, importCalls, type Params } from './importCalls.ts'

/** As the server's. */
const MAX_FILE = 20 * 1024 * 1024

interface Props extends ImportDialogProps {
  params: Params
  onSeen: (seen: ImportPreview) => void
}

export function FileStep({ kind, extensions, hint, template, params, onSeen }: Props) {
  return (
    <Stack gap="sm">
      <SendFile
        label="Перетащите файл сюда или нажмите, чтобы выбрать"
        working="Проверяем"
        extensions={extensions}
        maxSize={MAX_FILE}
        send={async (file, { onProgress, signal }) =>
          onSeen(await importCalls.preview(file, kind, params, onProgress, signal))
        }
      />
      <HStack gap="8px 12px" justify="space-between" wrap>
        <Text fz={13} c="dimmed">
          {hint}
        </Text>
        {template && (
          <ActionButton
            label="Скачать шаблон"
            variant="subtle"
            size="compact-sm"
            icon={IconFileSpreadsheet}
            onClick={() => void importCalls.saveTemplate(kind).catch((error) => notify.error(errorMessage(error)))}
          />
        )}
      </HStack>
    </Stack>
  )
}
