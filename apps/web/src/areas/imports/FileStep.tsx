import { Button, Stack } from '@mantine/core'
import type { ImportPreview } from '@ordinator/model/areas/imports/wire'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { errorMessage } from '../../base/apiError.ts'
import { notify } from '../../kit/notify.tsx'
import { SendFile } from '../../records/SendFile.tsx'
import classes from './ImportDialog.module.css'
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
      <div className={classes.line}>
        <p className={classes.dim}>{hint}</p>
        {template && (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconFileSpreadsheet size={16} />}
            onClick={() => void importCalls.saveTemplate(kind).catch((error) => notify.error(errorMessage(error)))}
          >
            Скачать шаблон
          </Button>
        )}
      </div>
    </Stack>
  )
}
